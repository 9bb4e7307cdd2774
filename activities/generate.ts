/**
 * One step of a page: asks all its questions, as many at once as the account allows, and stores every answer durably
 * before using it. Also runs the programs in the answers if this process has the run's sandbox.
 */
import pLimit from 'p-limit';
import { askedPrograms } from '../domain/asked-programs.ts';
import { replyStatusOf } from '../domain/reply-status.ts';
import type { StepName } from '../schemas/states.ts';
import type { GenerateInput, Generated, RunRef } from '../schemas/steps.ts';
import type { At } from '../studies/cell-state.ts';
import { ask, type Step } from './calls/ask.ts';
import { earlierAttempts } from './calls/attempts/earlier-attempts.ts';
import type { PageCell } from './pages/cell-states.ts';
import { type StepCells, stepCells } from './pages/page-cells.ts';
import type { RunPrograms } from './execute.ts';
import type { SandboxIdentity } from './judging/execution-key.ts';
import type { Handover, HeldStep } from './calls/handover.ts';
import { inBatches } from './failures.ts';
import { patienceMs, shortestWaitMs } from './batches/patience.ts';
import { checkControl } from './runs/page-control.ts';
import type { Heartbeat, StepAttempt } from './heartbeat.ts';
import type { RunPage } from './runs/opened/run.ts';
import type { Runs } from './runs/runs.ts';
import type { WaitingSteps } from './waiting-steps.ts';
import type { Draws } from './calls/call.ts';
import { endpointConcurrency } from './calls/models.ts';
import { sharedRequests } from './calls/shared-requests.ts';

export interface GenerateDependencies {
  readonly runs: Runs;
  readonly heartbeat: Heartbeat;
  readonly drain: AbortSignal;
  readonly handover: Handover;
  readonly waiting: WaitingSteps;
  /** Throws if the run's calls must be made by a worker with other keys. */
  readonly checkKeys: (run: RunRef, attempt: number) => Promise<void>;
  /** Null if this process lacks the sandbox that the run was planned for; a separate step then runs the programs. */
  readonly runPrograms: (planned: SandboxIdentity) => RunPrograms | null;
}

export const createGenerate =
  (dependencies: GenerateDependencies) =>
  (input: GenerateInput): Promise<Generated> =>
    dependencies.heartbeat(async (signal, at) => {
      await dependencies.checkKeys(input.run, at.attempt);
      const held = (): Promise<Generated> =>
        dependencies.handover.hold(`${input.run.uuid}/${input.page}/${at.step}`, (step) =>
          generate(dependencies, input, { signal, at, held: step }),
        );
      return dependencies.waiting.afterWait(held, () => dependencies.runs.page(input), signal);
    });

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
  if (page.run.batches) await waitForBatches(page, `${page.page}/${input.step}/${id}`, workerDrain);
  const fence = await page.run.ledger.openUnit(`${page.page}/${input.step}/${id}`, input.run.epoch, attempt);
  const drain = AbortSignal.any([workerDrain, held.leave]);
  const cells = await stepCells(page);
  const shouldStopWaiting = (): boolean =>
    step.halt !== null || drain.aborted || signal.aborted || page.run.isStopped(page.model);
  const step: Step = {
    page,
    fence,
    signal,
    isOverdue,
    held,
    drain,
    halt: null,
    waits: false,
    shouldStopWaiting,
    earlier: earlierAttempts(page.run.ledger, page.page, fence),
    cells,
    mayHaveAnswer: placesWithAnswers(cells),
  };
  const inTurn = pLimit(cellsAtATime(page));
  const ends = await Promise.all(
    input.items.map(([index, loop]) => inTurn(() => bestAnswer(step, cells.cell(index), input, loop))),
  );
  held.asks = false;
  if (step.halt) throw step.halt.error;
  if (step.waits) throw inBatches(shortestWaitMs);
  const ended = (end: CourseEnd) => input.items.filter((_, index) => ends[index] === end).map(([cell]) => cell);
  const generated = { usable: ended('usable'), unusable: ended('unusable') };
  const run = input.execute === true ? runPrograms(page.run.sandbox) : null;
  if (run === null) return generated;
  return { ...generated, executed: await run(page, askedPrograms(input, generated.usable), signal, cells) };
}

/** Enough that the storing of one cell's answer does not keep an account of few calls waiting. */
const fewestAtATime = 64;

/**
 * A cell that waits for its account takes some 15 kilobytes, and 96 models may have 12,000 of them: so only as many are
 * begun as can keep the accounts busy. All of a page whose questions may go into batches: a batch is made of them.
 */
function cellsAtATime({ run: { batches, spec } }: RunPage): number {
  if (batches) return Number.POSITIVE_INFINITY;
  const inFlight = Object.values(spec.providers).map(({ limits }) => limits?.concurrency ?? endpointConcurrency);
  return Math.max(fewestAtATime, ...inFlight);
}

/**
 * While questions of a step are in batches, an attempt at it looks no further: the step would find nothing new, and a
 * day has many attempts.
 */
async function waitForBatches(page: RunPage, unit: string, drain: AbortSignal): Promise<void> {
  const waiting = await page.run.ledger.batchedOf(unit);
  if (waiting === null) return;
  await checkControl(page, drain);
  throw inBatches(patienceMs(Date.now() - waiting.sinceMs));
}

/**
 * One query for the whole page instead of one per cell: most steps find no answers. An answer that arrives later is
 * found when its call is reserved.
 */
function placesWithAnswers(cells: StepCells): (at: At) => boolean {
  const seen = new Map<string, boolean>();
  return ({ step, loop, ask }) => {
    const place = `${step}/${loop}/${ask}`;
    const known = seen.get(place) ?? cells.hasSamples({ step, loop, ask });
    seen.set(place, known);
    return known;
  };
}

/** Answer to the last of a cell's questions, best first; `earlier` if that question was never asked. */
const courseEnds = ['usable', 'unusable', 'earlier'] as const;
type CourseEnd = (typeof courseEnds)[number];

/** The best end among a cell's draws. */
async function bestAnswer(step: Step, cell: PageCell, input: GenerateInput, loop: number): Promise<CourseEnd> {
  const { step: name, ask: asked, samples = 1, firstSample = 0, next = [] } = input;
  const draws = Array.from(
    { length: samples },
    (_, place): At => ({ step: name, loop, ask: asked, sample: firstSample + place }),
  );
  const requests = await requestsFor(step, cell, draws);
  const ends = await Promise.all(requests.map((request) => lastAnswers(step, cell, request, next)));
  return courseEnds.find((end) => ends.flat().includes(end)) ?? 'earlier';
}

/** Empty if an error halts the step. */
async function requestsFor(step: Step, cell: PageCell, draws: readonly At[]): Promise<Draws[]> {
  try {
    return await sharedRequests(step.page, cell, draws);
  } catch (error) {
    step.halt ??= { error };
    return [];
  }
}

/** The ends of draws that share a request. Each draw's next question is asked as soon as its answer exists. */
async function lastAnswers(
  step: Step,
  cell: PageCell,
  draws: Draws,
  [next, ...later]: readonly StepName[],
): Promise<CourseEnd[]> {
  const usable = await areUsable(step, cell, draws);
  if (next === undefined) return usable.map((isUsable) => (isUsable ? 'usable' : 'unusable'));
  const follow = async (at: At, place: number): Promise<CourseEnd[]> =>
    usable[place] ? lastAnswers(step, cell, [{ ...at, step: next, loop: loopAfter(at) }], later) : ['earlier'];
  return (await Promise.all(draws.map(follow))).flat();
}

const loopAfter = ({ step, loop }: At): number => (step === 'summarize' ? loop + 1 : loop);

/** Whether the study can use each answer; undefined for answers missing because the step was halted. */
async function areUsable(step: Step, cell: PageCell, draws: Draws): Promise<(boolean | undefined)[]> {
  try {
    const known = draws.length === 1 && step.mayHaveAnswer(draws[0]) ? cell.answer(draws[0]) : undefined;
    const replies = known ? [known.reply] : await ask(step, cell, draws);
    const { kind, study } = step.page;
    return draws.map((at, place) => {
      const reply = replies[place];
      if (reply) step.cells.note(cell.index, at, reply);
      return reply ? kind.usable(study, cell, at, { reply, status: replyStatusOf(reply) }) : undefined;
    });
  } catch (error) {
    step.halt ??= { error };
    return [];
  }
}
