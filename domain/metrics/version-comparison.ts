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
import { studentQuantile } from '../statistics/student.ts';
import { type VersionVerdict, versionVerdict } from '../statistics/version-verdict.ts';
import { welchTest } from '../statistics/welch.ts';
import { deltaPercent } from './delta.ts';
import { phrasingSpread, type TaskPair } from './phrasing-values.ts';
import { type SolutionMetricName, solutionMetrics } from './solution-metrics.ts';
import { commonParts } from './task-contributions.ts';
import { changeBounds, solutionValues } from './task-range.ts';
import { type TimeRatio, timeRatio } from './time-ratio.ts';

/** One metric of one dimension on one suite. */
export interface VersionCells {
  /** Its name in the results and of its seed; unique in the family. */
  readonly name: string;
  readonly metric: SolutionMetricName;
  /** Differences up to this size do not matter, in the metric's unit. */
  readonly margin: number;
  readonly tasks: readonly TaskPair[];
}

export type ComparisonMethod = 'mcnemar_exact' | 'sign_flip' | 'welch';

export interface VersionComparison {
  readonly name: string;
  readonly metric: SolutionMetricName;
  /** AVG and STDEV over the phrasings, of the cells that both versions have a value for. */
  readonly old: { readonly mean: number | null; readonly stdev: number | null };
  readonly now: { readonly mean: number | null; readonly stdev: number | null };
  /** New minus old, in the metric's unit. */
  readonly difference: number | null;
  readonly deltaPercent: number | null;
  /** Of the difference, at 1 - alpha, for itself alone. */
  readonly interval: Interval | null;
  readonly intervalMethod: string;
  readonly method: ComparisonMethod;
  readonly p: number | null;
  /** Of a time: new / old, task by task; null for other metrics, and without a task timed in both. */
  readonly ratio: TimeRatio | null;
  /** Adjusted for the family by Holm. */
  readonly pAdjusted: number | null;
  /** Smallest difference that could have been seen at the family's hardest step; null where none could, or nothing was tested. */
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
}

/**
 * Pass with one prompt for each task is tested by McNemar, exactly; times by Welch over the phrasings' means, where there are two or more; the
 * rest by swapping the versions task by task. Intervals are Gaffke's over tasks, as a gate's; Welch's for what Welch tests. A cell counts when both
 * versions have a value there.
 */
export function compareVersions(family: readonly VersionCells[], options: FamilyOptions): VersionComparison[] {
  const common = family.map((cells) => ({ ...cells, tasks: cells.tasks.map(commonParts) }));
  const familySize = Math.max(1, common.filter(({ tasks }) => tasks.some(({ now }) => now.some((part) => part !== null))).length);
  const compared = common.map((cells) => ({ cells, ...compareOne(cells, familySize, options) }));
  const adjusted = holmAdjusted(compared.map(({ p }) => p));
  return compared.map(({ cells, ...found }, index) => {
    const pAdjusted = adjusted[index] ?? null;
    const rule = { direction: solutionMetrics[cells.metric].direction, margin: cells.margin, alpha: options.alpha };
    return { name: cells.name, metric: cells.metric, ...found, pAdjusted, verdict: versionVerdict({ ...found, p: pAdjusted }, rule) };
  });
}

function compareOne(cells: VersionCells, familySize: number, options: FamilyOptions) {
  const { scale, unit } = solutionMetrics[cells.metric];
  const spreadOf = (version: 'old' | 'now') =>
    phrasingSpread(
      cells.tasks.map((task) => task[version]),
      scale,
    );
  const [old, now] = [spreadOf('old'), spreadOf('now')];
  const hardest = options.alpha / familySize;
  const tested =
    welchOf(cells.metric, old.values, now.values, options.alpha, hardest) ??
    byTasks(cells, { hardest, draws: swapsFor(familySize, options.alpha), ...options });
  return {
    old: { mean: old.mean, stdev: old.stdev },
    now: { mean: now.mean, stdev: now.stdev },
    difference: old.mean === null || now.mean === null ? null : now.mean - old.mean,
    deltaPercent: deltaPercent(now.mean, old.mean),
    ...tested,
    ratio: unit === 'ms' ? timeRatio(cells.tasks, 1 - options.alpha) : null,
    n: now.n,
    nExcluded: now.nExcluded,
  };
}

/** Null where the metric is no time, or the phrasings are too few or do not vary. */
function welchOf(
  metric: SolutionMetricName,
  old: readonly (number | null)[],
  now: readonly (number | null)[],
  alpha: number,
  hardest: number,
): Tested | null {
  if (solutionMetrics[metric].unit !== 'ms') return null;
  const [before, after] = [old.filter((value) => value !== null), now.filter((value) => value !== null)];
  const test = welchTest(before, after, 1 - alpha);
  if (test === null) return null;
  const smallest = smallestEffect(test.standardError, hardest, (p) => studentQuantile(p, test.df));
  return { interval: test.interval, intervalMethod: "Welch's, over the phrasings", method: 'welch', p: test.p, smallestEffect: smallest };
}

function byTasks(
  { name, metric, tasks }: VersionCells,
  { seed, alpha, hardest, draws }: FamilyOptions & { readonly hardest: number; readonly draws: number },
): Tested {
  const { values, range } = solutionValues(metric, tasks);
  const changes = values.map(({ old, now }) => difference(now, old));
  const interval = changes.length === 0 ? null : boundedMeanInterval(changes, changeBounds(range, 1, changes), { level: 1 - alpha });
  const bounds = { interval, intervalMethod: boundedMeanMethod };
  if (metric === 'pass_at_1' && tasks[0]?.now.length === 1) return { ...bounds, ...mcnemarOf(tasks, hardest) };
  const spread = standardDeviation(changes);
  const smallest = spread === null ? null : smallestEffect(spread / Math.sqrt(changes.length), hardest);
  return { ...bounds, method: 'sign_flip', p: signFlipTest(changes, { seed: seedOf(seed, name), draws }).p, smallestEffect: smallest };
}

function mcnemarOf(tasks: readonly TaskPair[], hardest: number): Omit<Tested, 'interval' | 'intervalMethod'> {
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
