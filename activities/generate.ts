/**
 * One step of a page: its questions are put, all at once as far as the account allows, and every answer is durable before it counts. The programs
 * in the answers are run in the same step where this process may do that.
 */
import { askedPrograms } from '../domain/asked-programs.ts';
import { replyStatusOf } from '../domain/reply-status.ts';
import type { StepName } from '../schemas/states.ts';
import type { GenerateInput, Generated } from '../schemas/steps.ts';
import type { At } from '../studies/study.ts';
import { ask, type Step } from './ask.ts';
import { openCell, type PageCell } from './cell-states.ts';
import type { RunPrograms } from './execute.ts';
import type { Handover, HeldStep } from './handover.ts';
import type { Heartbeat, StepAttempt } from './heartbeat.ts';
import type { RunPage, Runs } from './runs.ts';
import type { Draws } from './call.ts';
import { sharedRequests } from './shared-requests.ts';

export interface GenerateDependencies {
  readonly runs: Runs;
  readonly heartbeat: Heartbeat;
  readonly drain: AbortSignal;
  readonly handover: Handover;
  /** Null in a process that serves no programs. */
  readonly runPrograms: RunPrograms | null;
}

export const createGenerate =
  (dependencies: GenerateDependencies) =>
  (input: GenerateInput): Promise<Generated> =>
    dependencies.heartbeat((signal, at) =>
      dependencies.handover.hold(`${input.run.uuid}/${input.page}/${at.step}`, (held) =>
        generate(dependencies, input, { signal, at, held }),
      ),
    );

interface Attempt {
  readonly signal: AbortSignal;
  readonly at: StepAttempt;
  readonly held: HeldStep;
}

async function generate(
  { runs, drain: workerDrain, runPrograms }: GenerateDependencies,
  input: GenerateInput,
  { signal, at: { step: id, attempt, isOverdue = () => false }, held }: Attempt,
): Promise<Generated> {
  const page = await runs.page(input);
  const fence = page.run.ledger.openUnit(`${page.page}/${input.step}/${id}`, input.run.epoch, attempt);
  const drain = AbortSignal.any([workerDrain, held.leave]);
  const waitsNoMore = (): boolean => step.halt !== null || drain.aborted || signal.aborted || page.run.ledger.stopOf(page.model) !== null;
  const step: Step = { page, fence, signal, isOverdue, held, drain, halt: null, waitsNoMore, mayBeKnown: placesWithAnswers(page) };
  const ends = await Promise.all(input.items.map(([index, loop]) => bestAnswer(step, openCell(page, index), input, loop)));
  held.asks = false;
  if (step.halt) throw step.halt.error;
  const ended = (end: CourseEnd) => input.items.filter((_, index) => ends[index] === end).map(([cell]) => cell);
  const generated = { usable: ended('usable'), unusable: ended('unusable') };
  if (input.execute !== true || runPrograms === null) return generated;
  return { ...generated, executed: await runPrograms(page, askedPrograms(input, generated.usable), signal) };
}

/** A look at the whole page in place of one at each cell: most steps find nothing. An answer that comes meanwhile is found by reserving. */
function placesWithAnswers({ run, page }: RunPage): (at: At) => boolean {
  const seen = new Map<string, boolean>();
  return ({ step, loop, ask }) => {
    const place = `${step}/${loop}/${ask}`;
    const known = seen.get(place) ?? run.ledger.hasSamples({ page, step, loop, ask });
    seen.set(place, known);
    return known;
  };
}

/** How the last of a cell's questions was answered, best first; `earlier` when it was not put. */
const courseEnds = ['usable', 'unusable', 'earlier'] as const;
type CourseEnd = (typeof courseEnds)[number];

/** The furthest that one of a cell's draws came. */
async function bestAnswer(step: Step, cell: PageCell, input: GenerateInput, loop: number): Promise<CourseEnd> {
  const { step: name, ask: asked, samples = 1, next = [] } = input;
  const draws = Array.from({ length: samples }, (_, sample): At => ({ step: name, loop, ask: asked, sample }));
  const requests = requestsFor(step, cell, draws);
  const ends = await Promise.all(requests.map((request) => lastAnswers(step, cell, request, next)));
  return courseEnds.find((end) => ends.flat().includes(end)) ?? 'earlier';
}

/** None when the step is halted by it. */
function requestsFor(step: Step, cell: PageCell, draws: readonly At[]): Draws[] {
  try {
    return sharedRequests(step.page, cell, draws);
  } catch (error) {
    step.halt ??= { error };
    return [];
  }
}

/** How far each of the draws came that share a request; what follows is put to each as soon as there is an answer to make it from. */
async function lastAnswers(step: Step, cell: PageCell, draws: Draws, [next, ...later]: readonly StepName[]): Promise<CourseEnd[]> {
  const usable = await areUsable(step, cell, draws);
  if (next === undefined) return usable.map((isUsable) => (isUsable ? 'usable' : 'unusable'));
  const follow = async (at: At, place: number): Promise<CourseEnd[]> =>
    usable[place] ? lastAnswers(step, cell, [{ ...at, step: next, loop: loopAfter(at) }], later) : ['earlier'];
  return (await Promise.all(draws.map(follow))).flat();
}

const loopAfter = ({ step, loop }: At): number => (step === 'summarize' ? loop + 1 : loop);

/** Whether the study can work with the answers; undefined for one that was not there when the step was halted. */
async function areUsable(step: Step, cell: PageCell, draws: Draws): Promise<(boolean | undefined)[]> {
  try {
    const known = draws.length === 1 && step.mayBeKnown(draws[0]) ? cell.answer(draws[0]) : undefined;
    const replies = known ? [known.reply] : await ask(step, cell, draws);
    const { kind, study } = step.page;
    return draws.map((at, place) => {
      const reply = replies[place];
      return reply ? kind.usable(study, cell, at, { reply, status: replyStatusOf(reply) }) : undefined;
    });
  } catch (error) {
    step.halt ??= { error };
    return [];
  }
}
