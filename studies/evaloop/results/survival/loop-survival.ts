/**
 * EVALOOP beyond the paper: survival and hazard, log-rank tests, kinds of failure by loop, drift of lengths, fixpoints.
 */
import { numberOf, textOf } from '../../../../domain/metrics/row-order.ts';
import { seedOf } from '../../../../domain/random.ts';
import { holmAdjusted } from '../../../../domain/statistics/tests/holm.ts';
import { type PairedDurations, pairedLogRank } from '../../../../domain/statistics/tests/paired-log-rank.ts';
import { swapsFor } from '../../../../domain/statistics/tests/sign-flip.ts';
import { type Duration, type SurvivalStep, survivalSteps } from '../../../../domain/statistics/survival-steps.ts';
import { type TestResult, undefinedTest } from '../../../../domain/statistics/tests/test-result.ts';
import type { Manifest } from '../../../../schemas/manifest.ts';
import type { Row } from '../../../../schemas/tables.ts';
import type { RunDatabase } from '../../../../analysis/database.ts';
import { modelSlices } from '../../../../analysis/slices/model-slices.ts';
import type { EvaloopStudy } from '../../settings.ts';
import { judgedCells, unrankedModels } from '../ranks/unranked.ts';
import { evaloopStudies } from '../studies.ts';
import { type LoopBreaks, loopBreaks } from './breaks.ts';
import { type LoopDrift, loopDrifts } from './drifts.ts';
import { type Fixpoints, loopFixpoints } from './fixpoints.ts';
import { records } from '../../../../analysis/records.ts';
import { quoteText } from '../../../../analysis/views.ts';

export interface LoopSurvival {
  readonly run: string;
  readonly study: string;
  /**
   * By model name, over cells of the unchanged prompt under the default setting. One that a limit of evenkeel ended is
   * known as far as it came.
   */
  readonly curves: readonly Curve[];
  /** All pairs of models; p adjusted over the pairs (Holm). Empty for more than `mostCompared` models. */
  readonly tests: readonly LoopTest[];
  readonly breaks: readonly LoopBreaks[];
  readonly drifts: readonly LoopDrift[];
  readonly fixpoints: readonly Fixpoints[];
}

interface Curve {
  readonly model: string;
  readonly steps: readonly SurvivalStep[];
}

export interface LoopTest {
  readonly models: readonly [string, string];
  readonly test: TestResult;
  readonly adjusted: number | null;
  /** Number of tasks that count for both models. */
  readonly tasks: number;
}

/** More models have too many pairs to read. */
const mostCompared = 12;

/** Of all studies of the run. Some models at a time. @param atATime answers in memory, about */
export async function loopSurvivals(
  database: RunDatabase,
  manifest: Manifest,
  atATime?: number,
): Promise<LoopSurvival[]> {
  const found: LoopSurvival[] = [];
  for (const study of evaloopStudies(manifest)) found.push(await survivalOf(database, manifest, study, atATime));
  return found;
}

async function survivalOf(
  database: RunDatabase,
  { runId: run, spec }: Manifest,
  { name: study, settings }: EvaloopStudy,
  atATime?: number,
): Promise<LoopSurvival> {
  const ofStudy = `run = ${quoteText(run)} AND study = ${quoteText(study)}`;
  const all = `${ofStudy} AND variant = 'original' AND setting = 'default'`;
  const compared: ModelTasks[] = [];
  const curves: Curve[] = [];
  const breaks: LoopBreaks[] = [];
  const drifts: LoopDrift[] = [];
  const fixpoints: Fixpoints[] = [];
  for (const models of await modelSlices(database, 'samples', all, atATime)) {
    const where = `${all} AND ${models}`;
    for (const { model, tasks } of await modelTasks(database, where, settings.maxLoops)) {
      curves.push({ model, steps: survivalSteps([...tasks.values()]) });
      if (compared.length <= mostCompared) compared.push({ model, tasks });
    }
    breaks.push(...(await loopBreaks(database, run, where, settings.collapseThreshold)));
    drifts.push(...(await loopDrifts(database, where)));
    fixpoints.push(...(await loopFixpoints(database, where, settings.maxLoops)));
  }
  const open = await openModels(database, all, compared);
  const tests = testsOf(compared, open, seedOf('log-rank', spec.seed, study));
  return { run, study, curves, tests, breaks, drifts, fixpoints };
}

async function modelTasks(database: RunDatabase, where: string, maxLoops: number): Promise<ModelTasks[]> {
  const loops = await records(
    database,
    `select model, benchmark, language, task_id, sustained_loops, ended_by from loops where ${where} and ` +
      "(ended_by <> 'excluded' or sustained_loops > 0 or ended_outcome is distinct from 'not_run') order by all",
  );
  const byModel = Map.groupBy(loops, (row) => textOf(row, 'model'));
  return [...byModel].map(([model, rows]) => ({ model, tasks: tasksOf(rows, maxLoops) }));
}

interface ModelTasks {
  readonly model: string;
  /** A task's repetitions. */
  readonly tasks: ReadonlyMap<string, readonly Duration[]>;
}

function tasksOf(rows: readonly Row[], maxLoops: number): Map<string, Duration[]> {
  const byTask = Map.groupBy(rows, ({ benchmark, language, task_id }) =>
    JSON.stringify([benchmark, language, task_id]),
  );
  return new Map([...byTask].map(([task, own]) => [task, own.map((row) => durationOf(row, maxLoops))]));
}

const durationOf = (row: Row, maxLoops: number): Duration => {
  const sustained = numberOf(row, 'sustained_loops');
  // Nobody knows how far it would have come: a loop that was not asked, or could not be judged.
  if (row['ended_by'] === 'not_asked' || row['ended_by'] === 'excluded') return { time: sustained, ended: false };
  return sustained === maxLoops ? { time: maxLoops, ended: false } : { time: sustained + 1, ended: true };
};

/** Why models are not tested, by name: their loops might come to any difference, or to none. */
async function openModels(
  database: RunDatabase,
  where: string,
  models: readonly ModelTasks[],
): Promise<ReadonlyMap<string, string>> {
  if (models.length > mostCompared) return new Map();
  const names = models.map(({ model }) => model);
  const found = unrankedModels(names, await judgedCells(database, where));
  return new Map(found.map(({ model, reason }) => [model, `${model}: ${reason}`]));
}

function testsOf(
  models: readonly ModelTasks[],
  open: ReadonlyMap<string, string>,
  seed: number,
): LoopSurvival['tests'] {
  if (models.length > mostCompared) return [];
  const draws = swapsFor((models.length * (models.length - 1)) / 2, 0.05);
  const tests = models.flatMap((first, index) =>
    models.slice(index + 1).map((second) => {
      const shared = sharedTasks(first, second);
      const why = [first, second].flatMap(({ model }) => open.get(model) ?? []);
      const test = why.length > 0 ? undefinedTest(0, why.join('; ')) : pairedLogRank(shared, { seed, draws });
      return {
        ...{ models: [first.model, second.model] as const, test },
        tasks: shared.length,
      };
    }),
  );
  const adjusted = holmAdjusted(tests.map(({ test }) => test.p));
  return tests.map((one, index) => ({ ...one, adjusted: adjusted[index] ?? null }));
}

const sharedTasks = (first: ModelTasks, second: ModelTasks): PairedDurations[] =>
  [...first.tasks].flatMap(([task, own]) => {
    const others = second.tasks.get(task);
    return others === undefined ? [] : [{ first: own, second: others }];
  });
