/** EVALOOP beyond the paper: survival with hazards, log-rank tests, what broke in which loop, drift of lengths, fixpoints. */
import { numberOf, textOf } from '../domain/metrics/row-order.ts';
import { seedOf } from '../domain/random.ts';
import { holmAdjusted } from '../domain/statistics/holm.ts';
import { type PairedDurations, pairedLogRank } from '../domain/statistics/paired-log-rank.ts';
import { swapsFor } from '../domain/statistics/sign-flip.ts';
import { type Duration, type SurvivalStep, survivalSteps } from '../domain/statistics/survival-steps.ts';
import type { TestResult } from '../domain/statistics/test-result.ts';
import type { Manifest } from '../schemas/manifest.ts';
import type { Row } from '../schemas/tables.ts';
import type { RunDatabase } from './database.ts';
import type { Estimate } from './estimate.ts';
import { evaloopStudies } from './evaloop-studies.ts';
import { loopBreaks } from './loops/breaks.ts';
import { loopDrifts } from './loops/drifts.ts';
import { loopFixpoints } from './loops/fixpoints.ts';
import { records } from './records.ts';
import { quoteText } from './views.ts';

export interface LoopSurvival {
  readonly run: string;
  readonly study: string;
  /** By model name; cells that count, under the default setting and on the unchanged prompt. */
  readonly curves: readonly { readonly model: string; readonly steps: readonly SurvivalStep[] }[];
  /** Every two models; p adjusted over them (Holm). Empty for more than `mostCompared` models. */
  readonly tests: readonly LoopTest[];
  readonly breaks: readonly LoopBreaks[];
  readonly drifts: readonly LoopDrift[];
  readonly fixpoints: readonly Fixpoints[];
}

export interface LoopTest {
  readonly models: readonly [string, string];
  readonly test: TestResult;
  readonly adjusted: number | null;
  /** Tasks that count under both. */
  readonly tasks: number;
}

/** Cells of one model that broke in one loop. */
export interface LoopBreaks {
  readonly model: string;
  readonly loop: number;
  /** No code, no summary, or a text that is no Python. */
  readonly format: number;
  /** The function is not there, or is called with arguments that it does not take. */
  readonly signature: number;
  /** Everything else: wrong output, other exceptions, limits of time and memory. */
  readonly semantics: number;
  /** After at least one sustained loop: the judge's similarity is at least the threshold (sudden collapse), below it (drift), or missing. */
  readonly collapsed: number;
  readonly drifted: number;
  readonly unscored: number;
  /** Mean similarity; null where none is scored. */
  readonly similarity: Estimate | null;
}

/** Lengths of one model's texts in one loop, over the same cell's in loop 1, of the cells that got that far. */
export interface LoopDrift {
  readonly model: string;
  readonly loop: number;
  readonly cells: number;
  readonly tasks: number;
  /** Characters of the code, as a ratio: mean over the cells; null where the run holds none. */
  readonly code: number | null;
  /** Characters of the summary, as a ratio; null in the last loop, which has none. */
  readonly summary: number | null;
  /** The same as geometric means over tasks, which have an interval. */
  readonly codeFactor: Estimate | null;
  readonly summaryFactor: Estimate | null;
}

export interface Fixpoints {
  readonly model: string;
  /** Cells that sustained two loops or more. */
  readonly cells: number;
  /** Of these, the ones whose code did not change any more in their last two loops or longer. */
  readonly fixed: number;
  /** `fixed` over `cells`; null without cells. */
  readonly share: Estimate | null;
  /** Mean loop from which on the code stayed; null where none did. */
  readonly from: Estimate | null;
}

/** Pairs of more models are too many to look at. */
const mostCompared = 12;

export async function loopSurvivals(database: RunDatabase, manifest: Manifest): Promise<LoopSurvival[]> {
  const found: LoopSurvival[] = [];
  const { runId: run } = manifest;
  for (const { name: study, settings } of evaloopStudies(manifest)) {
    const where = `run = ${quoteText(run)} AND study = ${quoteText(study)} AND variant = 'original' AND setting = 'default'`;
    const loops = await records(
      database,
      `select model, benchmark, language, task_id, sustained_loops, ended_by from loops where ${where} and ended_by <> 'excluded' order by all`,
    );
    const byModel = [...Map.groupBy(loops, (row) => textOf(row, 'model'))].map(([model, rows]) => ({
      model,
      tasks: tasksOf(rows, settings.maxLoops),
    }));
    found.push({
      run,
      study,
      curves: byModel.map(({ model, tasks }) => ({ model, steps: survivalSteps([...tasks.values()]) })),
      tests: testsOf(byModel, seedOf('log-rank', manifest.spec.seed, study)),
      breaks: await loopBreaks(database, where, settings.collapseThreshold),
      drifts: await loopDrifts(database, where),
      fixpoints: await loopFixpoints(database, where, settings.maxLoops),
    });
  }
  return found;
}

interface ModelTasks {
  readonly model: string;
  /** A task's repetitions. */
  readonly tasks: ReadonlyMap<string, readonly Duration[]>;
}

function tasksOf(rows: readonly Row[], maxLoops: number): Map<string, Duration[]> {
  const byTask = Map.groupBy(rows, ({ benchmark, language, task_id }) => JSON.stringify([benchmark, language, task_id]));
  return new Map([...byTask].map(([task, own]) => [task, own.map((row) => durationOf(row, maxLoops))]));
}

const durationOf = (row: Row, maxLoops: number): Duration => {
  const sustained = numberOf(row, 'sustained_loops');
  if (row['ended_by'] === 'not_asked') return { time: sustained, ended: false };
  return sustained === maxLoops ? { time: maxLoops, ended: false } : { time: sustained + 1, ended: true };
};

function testsOf(models: readonly ModelTasks[], seed: number): LoopSurvival['tests'] {
  if (models.length > mostCompared) return [];
  const draws = swapsFor((models.length * (models.length - 1)) / 2, 0.05);
  const tests = models.flatMap((first, index) =>
    models.slice(index + 1).map((second) => {
      const shared = sharedTasks(first, second);
      return { models: [first.model, second.model] as const, test: pairedLogRank(shared, { seed, draws }), tasks: shared.length };
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
