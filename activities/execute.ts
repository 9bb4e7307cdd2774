/**
 * Runs the programs of one step on every suite of their tasks; a program that already has a verdict is not run again.
 */
import { excludedOutcomes, type Outcome } from '../schemas/states.ts';
import type { ExecuteInput, Executed } from '../schemas/steps.ts';
import type { Task } from '../schemas/task.ts';
import type { At } from '../studies/cell-state.ts';
import type { PageCell } from './pages/cell-states.ts';
import { type StepCells, stepCells } from './pages/page-cells.ts';
import type { ExecutionCache } from './judging/execution-cache.ts';
import { endedByDrain } from './failures.ts';
import type { Heartbeat } from './heartbeat.ts';
import { createJudgeProgram } from './judging/judge-program.ts';
import { checkControl } from './runs/page-control.ts';
import type { RunPage } from './runs/opened/run.ts';
import type { Runs } from './runs/runs.ts';
import type { Sandbox } from './sandboxes/sandbox.ts';

export interface ProgramRunnerDependencies {
  readonly sandbox: () => Promise<Sandbox>;
  readonly cache: ExecutionCache;
  /** Highest number of programs that run at the same time in this process. */
  readonly slots: number;
  readonly drain: AbortSignal;
}

/** Runs programs within a step, until the signal cancels the step. `cells`: the page's, if the step has read them. */
export type RunPrograms = (
  page: RunPage,
  input: ExecuteInput,
  signal: AbortSignal,
  cells?: StepCells,
) => Promise<Executed>;

export interface ExecuteDependencies {
  readonly runs: Runs;
  readonly heartbeat: Heartbeat;
  readonly runPrograms: RunPrograms;
}

type Fate = 'passed' | 'failed' | 'excluded';

export const createExecute =
  ({ runs, heartbeat, runPrograms }: ExecuteDependencies) =>
  (input: ExecuteInput): Promise<Executed> =>
    heartbeat(async (signal) => runPrograms(await runs.page(input), input, signal));

export function createProgramRunner({ sandbox, cache, slots, drain }: ProgramRunnerDependencies): RunPrograms {
  const judge = createJudgeProgram(sandbox, cache, slots);

  const outcomesOf = async (page: RunPage, task: Task, code: string, signal: AbortSignal): Promise<Outcome[]> => {
    signal.throwIfAborted();
    const verdicts = await Promise.all(task.suites.map((suite) => judge(page.run, task, suite, code, signal)));
    return verdicts.map(({ outcome }) => outcome);
  };

  const fateOf = async (page: RunPage, task: Task, programs: readonly string[], signal: AbortSignal): Promise<Fate> => {
    const outcomes = await Promise.all(programs.map((code) => outcomesOf(page, task, code, signal)));
    return fate(outcomes.flat());
  };

  return untilDrained(drain, async (page, { step = 'generate', samples, items }, signal, known) => {
    await checkControl(page, drain);
    const cells = known ?? (await stepCells(page));
    const fates = await Promise.all(
      items.map(async ([index, loop]) => {
        const cell = cells.cell(index);
        const at: At = { step, loop, ask: 0, sample: 0 };
        return fateOf(page, cell.taskAt(at), programsOf(page, cell, at, samples), signal);
      }),
    );
    const passed = fates.filter((one) => one === 'passed').length;
    await page.run.ledger.markCellsDone(page.page, page.cells.length - passed);
    const those = (wanted: Fate) => items.filter((_, index) => fates[index] === wanted).map(([cell]) => cell);
    return { passed: those('passed'), failed: those('failed'), excluded: those('excluded') };
  });
}

/** A failure of the program on any suite counts before an exclusion (a limit of evenkeel) on another. */
function fate(outcomes: readonly Outcome[]): Fate {
  if (outcomes.every((outcome) => outcome === 'pass')) return 'passed';
  return outcomes.some((outcome) => outcome !== 'pass' && !excludedOutcomes.has(outcome)) ? 'failed' : 'excluded';
}

/** When a worker drains, its programs are killed, which costs nothing; their step is retried on another worker. */
const untilDrained =
  (drain: AbortSignal, run: RunPrograms): RunPrograms =>
  (page, input, signal, cells) =>
    endedByDrain(drain, signal, (either) => run(page, input, either, cells));

/** The distinct programs of a cell's draws. */
function programsOf(page: RunPage, cell: PageCell, at: At, samples = 1): string[] {
  const draws = Array.from({ length: samples }, (_, sample) => cell.extracted({ ...at, sample })?.code ?? null);
  const programs = draws.filter((code) => code !== null);
  if (programs.length === 0)
    throw new Error(`page ${page.page}: ${cell.task.taskId} has no code to run in loop ${at.loop}`);
  return [...new Set(programs)];
}
