/**
 * States of a program while the pool judges it, and the transitions between them. Pure:
 * the pool carries out the actions.
 */
import type { ProgramRun } from '../../../schemas/program.ts';
import type { JudgedRun } from './zygote-run.ts';

/** `blame`: points against the program, from slots that were lost while it ran, with the host up. */
export type JobState =
  /** No run counts yet. */
  | { readonly kind: 'open'; readonly blame: number }
  /** It ran in a batch; running it alone must give the same result. */
  | { readonly kind: 'audited'; readonly batched: JudgedRun; readonly blame: number }
  /** It reached a limit, maybe not through its own fault; the next run counts. */
  | { readonly kind: 'doubted'; readonly batched: JudgedRun | null; readonly blame: number }
  /** The kernel ended it for lack of the machine's memory, so many times in a row. */
  | { readonly kind: 'starved'; readonly batched: JudgedRun | null; readonly blame: number; readonly times: number }
  /** Settled, or cancelled by its caller: not to be run again. */
  | { readonly kind: 'over' };

export type JobEvent =
  /** @property isAudit whether it ran in a batch and was selected to run alone as well */
  | { readonly kind: 'ran'; readonly run: JudgedRun; readonly isAudit: boolean }
  /** There is no verdict, for reasons outside the program. */
  | { readonly kind: 'not-run' }
  /** The kernel ended it, or its slot, for lack of the machine's memory. */
  | { readonly kind: 'starved' }
  /** Its slot was lost while only this program was running there. */
  | { readonly kind: 'slot-lost'; readonly blame: number };

/** The pool's next action. */
export type NextAct =
  | { readonly kind: 'queue'; readonly how: 'alone' | 'exclusive' | 'doubtful' }
  /** It runs alone in a fresh slot. */
  | { readonly kind: 'fresh-slot' }
  /** @property disagrees whether its batch gave another result */
  | { readonly kind: 'settle'; readonly run: ProgramRun; readonly disagrees: boolean }
  /** The machine has too little memory to judge it. */
  | { readonly kind: 'give-up' }
  | { readonly kind: 'nothing' };

interface Next {
  readonly state: JobState;
  readonly act: NextAct;
}

export const newJob: JobState = { kind: 'open', blame: 0 };

/** Blame for `killed`: two losses (the second in a fresh slot of its own), or ten if the slots were killed. */
const enoughBlame = 10;

/** A program that the kernel ended runs again with no other next to it, and is given up after so many times. */
const enoughStarving = 3;

/** @param isExclusive whether nothing may ever run next to it */
export function nextState(state: JobState, event: JobEvent, isExclusive: boolean): Next {
  if (state.kind === 'over') return { state, act: { kind: 'nothing' } };
  if (event.kind === 'not-run') return { state, act: alone };
  if (event.kind === 'starved') return afterStarving(state);
  if (event.kind === 'slot-lost') return afterLoss(state, event.blame);
  if (event.isAudit) return { state: { kind: 'audited', batched: event.run, blame: state.blame }, act: alone };
  if (!ranByItself(state) && isDoubtful(event.run)) return doubted(state, event.run, isExclusive);
  const batched = state.kind === 'open' ? null : state.batched;
  const disagrees = batched !== null && !sameResults(batched, event.run);
  return { state: { kind: 'over' }, act: { kind: 'settle', run: event.run, disagrees } };
}

const alone: NextAct = { kind: 'queue', how: 'alone' };

type OpenState = Exclude<JobState, { readonly kind: 'over' }>;

function afterLoss(state: OpenState, blame: number): Next {
  const blamed = { ...state, blame: state.blame + blame };
  if (blamed.blame < enoughBlame) return { state: blamed, act: { kind: 'fresh-slot' } };
  return { state: { kind: 'over' }, act: { kind: 'settle', run: lostAgain, disagrees: false } };
}

function afterStarving(state: OpenState): Next {
  const times = state.kind === 'starved' ? state.times + 1 : 1;
  if (times >= enoughStarving) return { state: { kind: 'over' }, act: { kind: 'give-up' } };
  const batched = state.kind === 'open' ? null : state.batched;
  return { state: { kind: 'starved', batched, blame: state.blame, times }, act: { kind: 'queue', how: 'exclusive' } };
}

/** Its run counts, whatever its end: nothing that could be the reason ran next to it. */
const ranByItself = ({ kind }: OpenState): boolean => kind === 'doubted' || kind === 'starved';

function doubted(state: OpenState, run: JudgedRun, isExclusive: boolean): Next {
  const batched = state.kind === 'open' ? null : state.batched;
  const how = run.end === 'killed' || run.end === 'memory' ? 'alone' : isExclusive ? 'exclusive' : 'doubtful';
  return { state: { kind: 'doubted', batched, blame: state.blame }, act: { kind: 'queue', how } };
}

/** Ends that depend on more than the program; they are checked a second time before they are recorded. */
const isDoubtful = ({ end, crowded }: JudgedRun): boolean =>
  end === 'killed' || end === 'wall_timeout' || (end === 'cpu_timeout' && crowded);

const sameResults = (one: ProgramRun, other: ProgramRun): boolean =>
  one.end === other.end && JSON.stringify(one.results) === JSON.stringify(other.results);

const lostAgain: ProgramRun = {
  lane: 'isolated',
  results: [],
  failedAtLoad: false,
  caseMs: [],
  wallMs: 0,
  cpuMs: 0,
  memoryBytes: null,
  end: 'killed',
  detail: 'the slot running it was lost, and so was each fresh one of its own',
};
