/** Rows of table `parallel_runs`: one per run of a program with a driver. */
import type { DrivenRun } from '../../domain/driver-runs.ts';
import { hasOmpPragma } from '../../domain/extraction/cpp-text.ts';
import type { Row } from '../../schemas/tables.ts';
import type { Task } from '../../schemas/task.ts';
import { drivenFact } from '../judging/driver-program.ts';
import type { RunPage } from '../runs/runs.ts';
import type { VerdictRecord } from '../storage/ledger/ledger.ts';

export function drivenRows({ run, page }: RunPage, task: Task, verdict: VerdictRecord, code: string): Row[] {
  const suite = task.suites.find(({ name }) => name === verdict.suite);
  const fact = suite?.driver === undefined ? undefined : run.ledger.fact(drivenFact(verdict.executionKey));
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
