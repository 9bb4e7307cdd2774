/** Verdicts over dated runs: compares each run's models with the same ones in the run before, for monitoring. */
import type { Manifest } from '../../../schemas/manifest.ts';
import { regressionRows } from './rows/regression-rows.ts';
import { isTime } from '../../../domain/gate/metrics.ts';
import type { Measure } from '../../../domain/metrics/nfr-solutions.ts';
import { numberOf, textOf } from '../../../domain/metrics/row-order.ts';
import { seedOf } from '../../../domain/random.ts';
import { studyModels } from '../../plan.ts';
import type { RobunfrStudy } from '../steps.ts';
import type { RunDatabase } from '../../../analysis/database.ts';
import { comparableSolutions } from '../../../analysis/gate/solutions.ts';
import { tasksChanged } from '../../across/changed-tasks.ts';
import { nfrSolutions } from './solutions.ts';
import { robunfrStudies } from './tables.ts';

/** One metric of one model in a run, compared with the run before. */
export interface HistoryStep {
  readonly study: string;
  readonly benchmark: string;
  readonly model: string;
  readonly workflow: string;
  readonly dimension: string;
  readonly metric: string;
  readonly suite: string | null;
  readonly before: string;
  readonly run: string;
  /** When `run` was started, ISO 8601. */
  readonly createdAt: string;
  readonly oldMean: number;
  readonly newMean: number;
  readonly verdict: string;
}

const alpha = 0.05;
const margins = {
  pass_at_1: 0,
  code_smell: 0,
  unreadability: 0,
  exception_handling: 0,
  wall_ms: 0,
  cpu_ms: 0,
  wall_ms_passing: 0,
  cpu_ms_passing: 0,
} as const;

/** Times of two runs are also those of what else the machine did: they are not compared, as in `compare`. */
const isWanted = ({ metric }: Measure): boolean => !isTime(metric);

/** In the order in which the runs were started; empty for a single run. */
export async function verdictHistory(database: RunDatabase): Promise<HistoryStep[]> {
  const runs = database.manifests.toSorted((a, b) => (a.createdAt < b.createdAt ? -1 : 1));
  const steps: HistoryStep[] = [];
  for (const [index, now] of runs.entries()) {
    const before = runs[index - 1];
    if (before !== undefined) steps.push(...(await runSteps(database, before, now)));
  }
  return steps;
}

async function runSteps(database: RunDatabase, before: Manifest, now: Manifest): Promise<HistoryStep[]> {
  const steps: HistoryStep[] = [];
  for (const study of robunfrStudies(now)) {
    const earlier = robunfrStudies(before).find(({ name, kind }) => name === study.name && kind === study.kind);
    if (earlier === undefined) continue;
    const known = studyModels(before.spec, earlier);
    for (const model of studyModels(now.spec, study).filter((id) => known.includes(id)))
      steps.push(...(await modelSteps(database, before, now, study, model)));
  }
  return steps;
}

async function modelSteps(
  database: RunDatabase,
  before: Manifest,
  now: Manifest,
  study: RobunfrStudy,
  model: string,
): Promise<HistoryStep[]> {
  const tasks = await tasksChanged(database, [before, now], study.benchmark, true);
  const solutionsIn = async ({ runId }: Manifest) =>
    comparableSolutions(await nfrSolutions(database, { run: runId, study: study.name, model }), tasks);
  const pair = { old: await solutionsIn(before), now: await solutionsIn(now) };
  const key = {
    run: now.runId,
    study: study.name,
    old_model: model,
    model,
    benchmark: study.benchmark,
    language: 'python',
  };
  const seed = seedOf('history', now.spec.seed, study.name, model, before.runId);
  const rows = regressionRows(key, pair, { seed, alpha, margins, missing: () => '', isWanted });
  return rows
    .filter((row) => row['difference'] !== null)
    .map((row) => ({
      study: study.name,
      benchmark: study.benchmark,
      model,
      workflow: textOf(row, 'setting'),
      dimension: textOf(row, 'dimension'),
      metric: textOf(row, 'metric'),
      suite: row['suite'] == null ? null : textOf(row, 'suite'),
      before: before.runId,
      run: now.runId,
      createdAt: now.createdAt,
      oldMean: numberOf(row, 'old_mean'),
      newMean: numberOf(row, 'new_mean'),
      verdict: textOf(row, 'verdict'),
    }));
}
