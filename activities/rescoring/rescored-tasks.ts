/** The tasks of a run that judges stored replies under other limits or suites. */
import { withRuledSuites } from '../../domain/benchmarks/format.ts';
import { InputError } from '../../domain/errors.ts';
import { canonicalJson } from '../../domain/ids.ts';
import { knownHint } from '../../domain/nearest.ts';
import type { JoinedSuite } from '../../schemas/spec/benchmark.ts';
import type { ExtractionName } from '../../schemas/spec/fields.ts';
import type { JudgingRule, Suite, Task } from '../../schemas/task.ts';
import { joinSuites } from '../benchmarks/join.ts';
import { usualJudging } from '../judging/execution-key.ts';
import { taskUnder } from '../judging/other-rule.ts';
import type { VerdictRecord } from '../storage/ledger/records.ts';
import type { Run } from '../runs/opened/run.ts';

/** What a rescored run does otherwise than the run that the replies come from. */
export interface Changes {
  /** Null: the rule of each study. */
  readonly extraction: ExtractionName | null;
  readonly judging: Partial<JudgingRule>;
  /** Suites of the run, by name, and suites from other files. Null: those of the run. */
  readonly suites: readonly (string | JoinedSuite)[] | null;
}

export interface RescoredTasks {
  /** By benchmark. */
  readonly tasks: ReadonlyMap<string, readonly Task[]>;
  /** SHA-256 of the files that suites were added from, by suite. */
  readonly joinedSha256: Readonly<Record<string, string>>;
}

/** Throws InputError for suites that the run does not have, and for a file that lacks a task. */
export async function rescoredTasks(run: Run, { judging, suites }: Changes): Promise<RescoredTasks> {
  const names = Object.keys(run.spec.benchmarks);
  const joins = (suites ?? []).filter((suite) => typeof suite !== 'string');
  if (joins.length > 0 && names.length > 1)
    throw new InputError(
      `can add tests from a file only to a run with one data set; this one has ${names.join(', ')}`,
      { field: '--suites' },
    );
  refuseUnknown(run, suites);
  const tasks = new Map<string, readonly Task[]>();
  let joinedSha256: Readonly<Record<string, string>> = {};
  for (const name of names) {
    const joined = await joinSuites([...run.tasks(name).values()], joins, '--suites');
    joinedSha256 = { ...joinedSha256, ...joined.sha256 };
    tasks.set(
      name,
      joined.tasks.map((task) => changed(task, judging, suites)),
    );
  }
  return { tasks, joinedSha256 };
}

function refuseUnknown(run: Run, suites: Changes['suites']): void {
  const all = Object.keys(run.spec.benchmarks).flatMap((name) => [...run.tasks(name).values()]);
  const known = [...new Set(all.flatMap((task) => task.suites.map(({ name }) => name)))];
  for (const suite of suites ?? [])
    if (typeof suite === 'string' && !known.includes(suite))
      throw new InputError(`the run has no suite "${suite}"; ${knownHint(suite, known)}`, { field: '--suites' });
}

function changed(task: Task, judging: Partial<JudgingRule>, suites: Changes['suites']): Task {
  const under = Object.keys(judging).length === 0 ? task : taskUnder(task, judging);
  if (suites === null) return under;
  const kept = suites.flatMap((wanted) => {
    const name = typeof wanted === 'string' ? wanted : wanted.name;
    return under.suites.filter((suite) => suite.name === name);
  });
  if (kept.length === 0)
    throw new InputError(`task ${task.taskId} has none of these suites, only ${suiteNames(task)}`, {
      field: '--suites',
    });
  // As in a run whose spec states these suites: the hash covers a rule with the suites that it judges, if there is one.
  return kept.some(({ judging: rule }) => rule !== undefined)
    ? withRuledSuites(under, kept)
    : { ...under, suites: kept };
}

const suiteNames = ({ suites }: Task): string => suites.map(({ name }) => name).join(', ');

/** The same tests: only the rule may differ. */
export const isSameSuite = ({ judging: _a, ...one }: Suite, { judging: _b, ...other }: Suite): boolean =>
  canonicalJson(one) === canonicalJson(other);

const timeouts: ReadonlySet<string> = new Set(['cpu_timeout', 'wall_timeout']);

/** Whether a verdict under the old suite is one under the new, so that its program need not run again. */
export function holdsUnder({ outcome }: Pick<VerdictRecord, 'outcome'>, old: Suite, now: Suite): boolean {
  const [before, after] = [old.judging ?? usualJudging, now.judging ?? usualJudging];
  if (canonicalJson(before) === canonicalJson(after)) return true;
  if (before.missingPackage !== after.missingPackage) return false;
  // A longer limit lets only those go on that a limit stopped; a shorter one may stop any.
  const isLonger = after.caseLimitMs >= before.caseLimitMs && after.referenceFactor >= before.referenceFactor;
  return isLonger && !timeouts.has(outcome);
}
