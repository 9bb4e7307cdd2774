/** Runs the programs that a time limit stopped again, with a longer limit. Nothing of a run is changed. */
import { withRecordHash } from '../../domain/benchmarks/format.ts';
import { InputError } from '../../domain/errors.ts';
import type { Outcome } from '../../schemas/states.ts';
import type { Suite, Task } from '../../schemas/task.ts';
import type { At } from '../../studies/cell-state.ts';
import { pagesOf } from '../../studies/plan.ts';
import { referenceKey, usualJudging } from '../judging/execution-key.ts';
import type { JudgeProgram, JudgingRun } from '../judging/judge-program.ts';
import { cellsWith, type PageCell } from '../pages/cell-states.ts';
import type { Run, RunPage } from '../runs/runs.ts';
import type { VerdictRecord } from '../storage/ledger/ledger.ts';

/** By execution key of the stopped program, its outcome under the longer limit. */
export type LongerOutcomes = ReadonlyMap<string, Outcome>;

export interface LongerWanted {
  readonly run: Run;
  readonly study: string;
  /** Least time limit of one case, milliseconds. */
  readonly caseLimitMs: number;
  readonly judge: JudgeProgram;
  readonly signal: AbortSignal;
}

const timeouts: ReadonlySet<Outcome> = new Set(['cpu_timeout', 'wall_timeout']);

/** Equal programs run once. Throws InputError if the limit is no longer than that of the run. */
export async function longerOutcomes(wanted: LongerWanted): Promise<LongerOutcomes> {
  const { run, study } = wanted;
  const found = new Map<string, Promise<Outcome>>();
  for (const { page } of pagesOf(run.revisions)) {
    if (page.study !== study) continue;
    for (const { task, suite, code, key } of stoppedIn(run.page(page.page)))
      if (!found.has(key)) found.set(key, outcomeOf(wanted, task, suite, code));
  }
  return new Map(await Promise.all([...found].map(async ([key, outcome]) => [key, await outcome] as const)));
}

interface Stopped {
  readonly task: Task;
  readonly suite: Suite;
  readonly code: string;
  readonly key: string;
}

function stoppedIn(page: RunPage): Stopped[] {
  const samples = page.run.ledger.samples(page.page);
  const cells = cellsWith(page, samples);
  return samples.flatMap(({ key: at }) => {
    const cell = cells[at.cell] as PageCell;
    const code = codeAt(page, cell, at);
    if (code === null) return [];
    const task = cell.taskAt(at);
    return cell.verdicts(at, code).flatMap(({ executionKey: key, outcome }, index) => {
      const suite = task.suites[index];
      // A driver has limits of its own.
      return suite === undefined || suite.driver !== undefined || !timeouts.has(outcome)
        ? []
        : [{ task, suite, code, key }];
    });
  });
}

/** The verdicts of the program made at `at`, with longer limits where one stopped it; undefined without a program. */
export function outcomesWith(longer: LongerOutcomes, page: RunPage, cell: PageCell, at: At) {
  const code = codeAt(page, cell, at);
  return code === null
    ? undefined
    : cell.verdicts(at, code).map(({ suite, outcome, executionKey }) => ({
        suite,
        outcome: longer.get(executionKey) ?? outcome,
      }));
}

function codeAt(page: RunPage, cell: PageCell, at: At): string | null {
  const answer = cell.answer(at);
  return (answer && page.kind.extract(page.study, cell, at, answer)?.code) ?? null;
}

/** The task's record has the longer limit, as in a run whose spec states it, so that they share the execution cache. */
async function outcomeOf(wanted: LongerWanted, task: Task, suite: Suite, code: string): Promise<Outcome> {
  const { run, caseLimitMs, judge, signal } = wanted;
  const { recordSha256: _own, ...record } = task;
  const longer = withRecordHash({ ...record, suites: task.suites.map((one) => withLimit(one, caseLimitMs)) });
  const other = longer.suites.find(({ name }) => name === suite.name) as Suite;
  const verdict = await judge(apartFrom(run, task, suite), longer, other, code, signal);
  return verdict.outcome;
}

function withLimit(suite: Suite, caseLimitMs: number): Suite {
  const judging = suite.judging ?? usualJudging;
  if (judging.caseLimitMs < caseLimitMs) return { ...suite, judging: { ...judging, caseLimitMs } };
  throw new InputError(`must be longer than the run's limit of ${judging.caseLimitMs} ms; got ${caseLimitMs}`, {
    field: '--case-limit-ms',
  });
}

/** Takes the reference's results from the run and stores nothing in it. */
function apartFrom(run: Run, task: Task, suite: Suite): JudgingRun {
  const verdicts = new Map<string, VerdictRecord>();
  return {
    uuid: run.uuid,
    sandbox: run.sandbox,
    ledger: {
      verdict: (key) => verdicts.get(key),
      saveVerdict: (verdict) => {
        verdicts.set(verdict.executionKey, verdict);
        return Promise.resolve(verdict);
      },
      reference: () => run.ledger.reference(referenceKey(run.sandbox, task, suite)),
      saveFact: (_name, json) => Promise.resolve(json),
    },
  };
}
