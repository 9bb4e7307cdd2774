/**
 * Measures the programs of a page: their quality, then their time. Skips what the sandbox tier cannot
 * measure; the rows show that.
 */
import type { ProgramTiming } from '../schemas/program.ts';
import type { PageRef } from '../schemas/steps.ts';
import { limitsFor, referenceKey } from './judging/execution-key.ts';
import { endedByDrain } from './failures.ts';
import type { Heartbeat } from './heartbeat.ts';
import { type PageProgram, pagePrograms, qualityFact, timedSuite, timingFact } from './judging/page-programs.ts';
import { refuseOtherSandbox } from './judging/planned-sandbox.ts';
import { judgedCells } from './pages/page-cells.ts';
import type { ReferenceRecord } from './storage/ledger/records.ts';
import { checkControl } from './runs/page-control.ts';
import type { RunPage } from './runs/opened/run.ts';
import type { Runs } from './runs/runs.ts';
import type { Sandbox } from './sandboxes/sandbox.ts';
import { programFor } from './judging/suite-cases.ts';
import { taskBatches, type TaskToTime, timedOutcomes, timeTasks, yardstickOf } from './judging/yardsticks.ts';

export interface MeasureDependencies {
  readonly runs: Runs;
  readonly heartbeat: Heartbeat;
  readonly sandbox: () => Promise<Sandbox>;
  readonly drain: AbortSignal;
}

/** Programs whose measures are stored together; a crash loses at most one batch. */
const batchPrograms = 64;

export function createMeasure({ runs, heartbeat, sandbox, drain }: MeasureDependencies) {
  const inBatches = async <T>(
    page: RunPage,
    batches: Iterable<T>,
    work: (batch: T) => Promise<void>,
  ): Promise<void> => {
    for (const batch of batches) {
      await checkControl(page, drain);
      await work(batch);
    }
  };

  const measureQuality = async (page: RunPage, box: Sandbox, signal: AbortSignal): Promise<void> => {
    const { measure } = box;
    if (measure === undefined) return;
    const due = await unknown(page, await programsOf(page), qualityFact);
    await inBatches(page, slices(due), async (batch) => {
      const measures = await measure(
        batch.map(({ source }) => source),
        signal,
      );
      await Promise.all(
        batch.map((program, index) => page.run.ledger.saveFact(qualityFact(program), JSON.stringify(measures[index]))),
      );
    });
  };

  const timePrograms = async (page: RunPage, box: Sandbox, signal: AbortSignal): Promise<void> => {
    const { time } = box;
    if (time === undefined) return;
    const timed = (await programsOf(page)).filter((program) => finishes(page, program));
    const references = await referencesOf(page, timed);
    const due = await unknown(page, timed, (program) => timingName(page, program));
    const batches = taskBatches(due, ({ cell }) => cell.task.taskId, batchPrograms);
    await inBatches(page, batches, async (tasks) => {
      const toTime = tasks.map((programs) => taskOf(page, programs, references));
      await saveTimings(page, tasks, await timeTasks(time, toTime, signal));
    });
  };

  const withPage = (work: (page: RunPage, box: Sandbox, signal: AbortSignal) => Promise<void>) => (ref: PageRef) =>
    heartbeat(async (signal) => {
      const page = await runs.page(ref);
      const box = await sandbox();
      refuseOtherSandbox(page.run.sandbox, box);
      await endedByDrain(drain, signal, (either) => work(page, box, either));
    });

  return { measure: withPage(measureQuality), time: withPage(timePrograms) };
}

function slices<T>(items: readonly T[]): T[][] {
  const count = Math.ceil(items.length / batchPrograms);
  return Array.from({ length: count }, (_, at) => items.slice(at * batchPrograms, (at + 1) * batchPrograms));
}

/** Programs without a stored fact, one per fact name. */
async function unknown(
  page: RunPage,
  programs: readonly PageProgram[],
  nameOf: (program: PageProgram) => string,
): Promise<PageProgram[]> {
  const byName = new Map(programs.map((program) => [nameOf(program), program]));
  const known = await page.run.ledger.factsNamed(byName.keys());
  return [...byName].flatMap(([name, program]) => (known.has(name) ? [] : [program]));
}

const programsOf = async (page: RunPage): Promise<PageProgram[]> =>
  pagePrograms(page, await judgedCells(page, await page.run.ledger.samples(page.page)));

/** A program stopped by a limit, or never run, has no time. */
function finishes(page: RunPage, program: PageProgram): boolean {
  const suite = timedSuite(page, program)?.name;
  const verdict = program.cell.verdicts(program.at).find((one) => one.suite === suite);
  return verdict !== undefined && timedOutcomes.has(verdict.outcome);
}

function timingName(page: RunPage, program: PageProgram): string {
  const suite = timedSuite(page, program);
  if (suite === undefined) throw new Error(`${program.cell.task.taskId} has no suite to be timed on`);
  return timingFact(page, program, suite);
}

/** @param timings in the order of the tasks and their programs */
async function saveTimings(
  page: RunPage,
  tasks: readonly (readonly PageProgram[])[],
  timings: readonly (readonly ProgramTiming[])[],
): Promise<void> {
  const named = tasks.flatMap((programs, task) =>
    programs.map((program, index) => [timingName(page, program), timings[task]?.[index]] as const),
  );
  await Promise.all(named.map(([name, timing]) => page.run.ledger.saveFact(name, JSON.stringify(timing))));
}

type References = ReadonlyMap<string, ReferenceRecord>;

const referencesOf = (page: RunPage, programs: readonly PageProgram[]): Promise<References> =>
  page.run.ledger.references(
    programs.flatMap((program) => {
      const suite = timedSuite(page, program);
      return suite === undefined ? [] : [referenceKey(page.run.sandbox, program.cell.task, suite)];
    }),
  );

/** @param programs those of one task, at least one */
function taskOf(page: RunPage, programs: readonly PageProgram[], references: References): TaskToTime {
  const [first] = programs as [PageProgram];
  const [{ task }, suite] = [first.cell, timedSuite(page, first)];
  const reference = suite && references.get(referenceKey(page.run.sandbox, task, suite));
  if (suite === undefined || !reference)
    throw new Error(`${task.taskId} has no reference record for the suite to be timed on; prepare did not run`);
  const limits = limitsFor(reference, suite);
  return {
    yardstick: yardstickOf(task, suite, reference),
    jobs: programs.map(({ source }) => ({ program: programFor(task, suite, source), limits })),
  };
}
