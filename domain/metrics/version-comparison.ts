/**
 * Two versions of a model on the same tasks and phrasings: for each metric the old value, the change, a test that fits the metric, the verdict
 * within the family of all that is compared, and the smallest effect that could have been seen.
 */
import { seedOf } from '../random.ts';
import { boundedMeanInterval, boundedMeanMethod } from '../statistics/bounded-mean.ts';
import { holmAdjusted } from '../statistics/holm.ts';
import type { Interval } from '../statistics/interval.ts';
import { mcnemarP, mcnemarSmallestDifference } from '../statistics/mcnemar.ts';
import { signFlipTest, swapsFor } from '../statistics/sign-flip.ts';
import { smallestEffect } from '../statistics/smallest-effect.ts';
import { difference } from '../statistics/rounding.ts';
import { standardDeviation } from '../statistics/spread.ts';
import { type VersionDifference, type VersionVerdict, versionVerdict } from '../statistics/version-verdict.ts';
import { welchTest } from '../statistics/welch.ts';
import { deltaPercent } from './delta.ts';
import { averageOverPhrasings, changeInterval, spreadInterval } from './nfr-intervals.ts';
import { type PhrasingSpread, phrasingSpread, type TaskPair, type TaskParts } from './phrasing-values.ts';
import { type SolutionMetricName, solutionMetrics } from './solution-metrics.ts';
import { commonParts } from './task-contributions.ts';
import { changeBounds, solutionValues } from './task-range.ts';
import { compareTimes, type TimeRatio } from './time-ratio.ts';

/** One metric of one dimension on one suite. */
export interface VersionCells {
  /** Its name in the results and of its seed; unique in the family. */
  readonly name: string;
  readonly metric: SolutionMetricName;
  /** Differences up to this size do not matter, in the metric's unit. */
  readonly margin: number;
  readonly tasks: readonly TaskPair[];
}

export type ComparisonMethod = 'mcnemar_exact' | 'sign_flip' | 'ratio_sign_flip';

/** AVG and STDEV over the phrasings, of the cells that both versions have a value for. */
export interface VersionAverage {
  readonly mean: number | null;
  readonly meanInterval: Interval | null;
  readonly stdev: number | null;
  readonly stdevInterval: Interval | null;
}

export interface VersionComparison {
  readonly name: string;
  readonly metric: SolutionMetricName;
  readonly old: VersionAverage;
  readonly now: VersionAverage;
  /** New minus old, in the metric's unit. */
  readonly difference: number | null;
  readonly deltaPercent: number | null;
  readonly deltaInterval: Interval | null;
  /** Of the difference, at 1 - alpha, for itself alone. */
  readonly interval: Interval | null;
  readonly intervalMethod: string;
  readonly method: ComparisonMethod;
  readonly p: number | null;
  /** Of a time: new / old, task by task; null for other metrics, and without a task timed in both. Its verdict and p are about this ratio. */
  readonly ratio: TimeRatio | null;
  /** Of a time, as published: Welch's test over the phrasings' means. Null for other metrics, and where phrasings are too few or do not vary. */
  readonly welch: { readonly p: number; readonly interval: Interval } | null;
  /** Adjusted for the family by Holm. */
  readonly pAdjusted: number | null;
  /** Smallest difference that could have been seen at the family's hardest step, of a time for a typical task; null where none could, or nothing was tested. */
  readonly smallestEffect: number | null;
  readonly verdict: VersionVerdict;
  /** Cells that count, and those left out because a version has no value. */
  readonly n: number;
  readonly nExcluded: number;
}

export interface FamilyOptions {
  readonly seed: number;
  /** Most chance of any false alarm in the family. */
  readonly alpha: number;
}

/** What a test says of a metric, before the family is looked at. */
interface Tested {
  readonly interval: Interval | null;
  readonly intervalMethod: string;
  readonly method: ComparisonMethod;
  readonly p: number | null;
  readonly smallestEffect: number | null;
  /** What the verdict is about, with the metric's margin on its scale. */
  readonly judged: Omit<VersionDifference, 'p'> & { readonly margin: number };
  readonly ratio: TimeRatio | null;
}

/**
 * Pass with one prompt for each task is tested by McNemar, exactly; the rest by swapping the versions task by task, times by the logarithms of their
 * ratios: a mean time is often one task's. Intervals are Gaffke's over tasks, as a gate's. A cell counts when both versions have a value there.
 */
export function compareVersions(family: readonly VersionCells[], options: FamilyOptions): VersionComparison[] {
  const common = family.map((cells) => ({ ...cells, tasks: cells.tasks.map(commonParts) }));
  const familySize = Math.max(1, common.filter(({ tasks }) => tasks.some(({ now }) => now.some((part) => part !== null))).length);
  const compared = common.map((cells) => ({ cells, ...compareOne(cells, familySize, options) }));
  const adjusted = holmAdjusted(compared.map(({ p }) => p));
  return compared.map(({ cells, judged: { margin, ...judged }, ...found }, index) => {
    const pAdjusted = adjusted[index] ?? null;
    const rule = { direction: solutionMetrics[cells.metric].direction, margin, alpha: options.alpha };
    return { name: cells.name, metric: cells.metric, ...found, pAdjusted, verdict: versionVerdict({ ...judged, p: pAdjusted }, rule) };
  });
}

function compareOne(cells: VersionCells, familySize: number, options: FamilyOptions) {
  const { scale, unit } = solutionMetrics[cells.metric];
  const [before, after] = [cells.tasks.map((task) => task.old), cells.tasks.map((task) => task.now)];
  const [old, now] = [phrasingSpread(before, scale), phrasingSpread(after, scale)];
  const level = 1 - options.alpha;
  const averageOf = (spread: PhrasingSpread, parts: readonly TaskParts[]): VersionAverage => ({
    mean: spread.mean,
    meanInterval: spread.mean === null ? null : averageOverPhrasings(cells.metric, parts, level),
    stdev: spread.stdev,
    stdevInterval: spreadInterval(spread, parts, scale, level),
  });
  const hardest = options.alpha / familySize;
  const change = old.mean === null || now.mean === null ? null : now.mean - old.mean;
  const asked: Asked = { hardest, draws: swapsFor(familySize, options.alpha), ...options };
  return {
    old: averageOf(old, before),
    now: averageOf(now, after),
    difference: change,
    deltaPercent: deltaPercent(now.mean, old.mean),
    deltaInterval: changeInterval(cells.metric, after, before, { own: now.mean, plain: old.mean }, level),
    ...(unit === 'ms' ? byRatios(cells, asked) : byTasks(cells, change, asked)),
    welch: unit === 'ms' ? welchOf(old.values, now.values, options.alpha) : null,
    n: now.n,
    nExcluded: now.nExcluded,
  };
}

interface Asked extends FamilyOptions {
  readonly hardest: number;
  readonly draws: number;
}

/** As the paper's tables have it; null where the phrasings are too few or do not vary. */
function welchOf(old: readonly (number | null)[], now: readonly (number | null)[], alpha: number): VersionComparison['welch'] {
  const [before, after] = [old.filter((value) => value !== null), now.filter((value) => value !== null)];
  const test = welchTest(before, after, 1 - alpha);
  return test && { p: test.p, interval: test.interval };
}

/** Of the difference of AVGs. */
function taskInterval(
  { metric, tasks }: VersionCells,
  alpha: number,
): { readonly changes: readonly number[]; readonly interval: Interval | null } {
  const { values, range } = solutionValues(metric, tasks);
  const changes = values.map(({ old, now }) => difference(now, old));
  return {
    changes,
    interval: changes.length === 0 ? null : boundedMeanInterval(changes, changeBounds(range, 1, changes), { level: 1 - alpha }),
  };
}

function byRatios(cells: VersionCells, { seed, alpha, hardest, draws }: Asked): Tested {
  const found = compareTimes(cells.tasks, { level: 1 - alpha, seed: seedOf(seed, cells.name), draws, hardest });
  return {
    interval: taskInterval(cells, alpha).interval,
    intervalMethod: boundedMeanMethod,
    method: 'ratio_sign_flip',
    p: found?.p ?? null,
    smallestEffect: found?.smallestEffect ?? null,
    judged: found === null ? { difference: null, interval: null, margin: 0 } : { ...found.logs, margin: found.logMargin(cells.margin) },
    ratio: found?.ratio ?? null,
  };
}

function byTasks(cells: VersionCells, change: number | null, { seed, alpha, hardest, draws }: Asked): Tested {
  const { name, metric, margin, tasks } = cells;
  const { changes, interval } = taskInterval(cells, alpha);
  const common = { interval, intervalMethod: boundedMeanMethod, judged: { difference: change, interval, margin }, ratio: null };
  if (metric === 'pass_at_1' && tasks[0]?.now.length === 1) return { ...common, ...mcnemarOf(tasks, hardest) };
  const spread = standardDeviation(changes);
  const smallest = spread === null ? null : smallestEffect(spread / Math.sqrt(changes.length), hardest);
  return { ...common, method: 'sign_flip', p: signFlipTest(changes, { seed: seedOf(seed, name), draws }).p, smallestEffect: smallest };
}

function mcnemarOf(tasks: readonly TaskPair[], hardest: number): Pick<Tested, 'method' | 'p' | 'smallestEffect'> {
  const pairs = tasks.flatMap(({ old, now }) => (old[0] && now[0] ? [{ old: old[0].numerator, now: now[0].numerator }] : []));
  if (pairs.length === 0) return { method: 'mcnemar_exact', p: null, smallestEffect: null };
  const broken = pairs.filter(({ old, now }) => old > now).length;
  const mended = pairs.filter(({ old, now }) => now > old).length;
  const smallest = mcnemarSmallestDifference(broken + mended, hardest);
  return {
    method: 'mcnemar_exact',
    p: mcnemarP(broken, mended),
    smallestEffect: smallest === null ? null : (solutionMetrics.pass_at_1.scale * smallest) / pairs.length,
  };
}
