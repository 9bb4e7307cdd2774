/** Rows of table `parallel_runs`: one per run of a program with a driver. */
import type { DrivenRun } from '../../domain/driver-runs.ts';
import { hasOmpPragma } from '../../domain/extraction/cpp-text.ts';
import type { Row } from '../../schemas/tables.ts';
import type { Task } from '../../schemas/task.ts';
import { drivenFact } from '../judging/driver-program.ts';
import type { RunPage } from '../runs/opened/run.ts';
import type { PageCell } from '../pages/cell-states.ts';
import type { SampleRecord, VerdictRecord } from '../storage/ledger/records.ts';

/** By name, the runs of programs with a driver (JSON). */
export type DrivenFacts = ReadonlyMap<string, string>;

export function drivenFacts(
  { run }: RunPage,
  cells: readonly PageCell[],
  samples: readonly SampleRecord[],
): Promise<DrivenFacts> {
  const keys = samples.flatMap(({ key: at }) => {
    const cell = cells[at.cell] as PageCell;
    const { suites } = cell.taskAt(at);
    return suites.some(({ driver }) => driver !== undefined) ? cell.executionKeys(at) : [];
  });
  return run.ledger.factsNamed(keys.map(drivenFact));
}

export function drivenRows(
  { page }: RunPage,
  task: Task,
  verdict: VerdictRecord,
  code: string,
  facts: DrivenFacts,
): Row[] {
  const suite = task.suites.find(({ name }) => name === verdict.suite);
  const fact = suite?.driver === undefined ? undefined : facts.get(drivenFact(verdict.executionKey));
  if (suite?.driver === undefined || fact === undefined) return [];
  const { parallelism, alone } = suite.driver;
  return (JSON.parse(fact) as DrivenRun[]).map(({ threads, repeat, outcome, detail, seconds, bestSeconds }) => ({
    execution_id: verdict.executionKey,
    page,
    program_sha256: verdict.programSha256,
    task_id: task.taskId,
    suite: verdict.suite,
    parallelism,
    threads,
    repeat,
    outcome,
    detail,
    time_s: seconds,
    best_sequential_s: bestSeconds,
    speedup: seconds === null || bestSeconds === null || seconds <= 0 ? null : bestSeconds / seconds,
    pragma_missing: parallelism === 'omp' ? !hasOmpPragma(code) : null,
    alone,
  }));
}
