/**
 * Compares two versions of a model on the same tasks and phrasings: for each metric the values, the change, a suitable
 * test, the verdict within the family of all comparisons, and the smallest detectable effect.
 */
import { seedOf } from '../../random.ts';
import { boundedMeanInterval, boundedMeanMethod } from '../../statistics/intervals/bounded-mean.ts';
import { holmAdjusted } from '../../statistics/tests/holm.ts';
import { hullOf, type Interval } from '../../statistics/intervals/interval.ts';
import { mcnemarP, mcnemarSmallestDifference } from '../../statistics/tests/mcnemar.ts';
import { signFlipTest, swapsFor } from '../../statistics/tests/sign-flip.ts';
import { signFlipEffects } from '../../statistics/power/sign-flip-effect.ts';
import { difference } from '../../statistics/rounding.ts';
import { type VersionDifference, type VersionVerdict, versionVerdict } from '../../statistics/tests/version-verdict.ts';
import { welchTest } from '../../statistics/tests/welch.ts';
import { changeIn, type OpenCases, openCases } from './open-cases.ts';
import { deltaPercent } from '../delta.ts';
import { averageOverPhrasings, changeInterval, spreadInterval } from '../nfr-intervals.ts';
import { type PhrasingSpread, phrasingSpread, type TaskPair, type TaskParts } from '../phrasing-values.ts';
import { type SolutionMetricName, solutionMetrics } from '../solution-metrics.ts';
import { commonParts } from '../task-contributions.ts';
import { swapChanges } from '../sides/swap-changes.ts';
import { changeBounds, solutionValues } from '../task-range.ts';
import type { VersionCells } from './version-cells.ts';
import { compareTimes, type TimeRatio } from '../time-ratio.ts';

export type ComparisonMethod = 'mcnemar_exact' | 'sign_flip' | 'ratio_sign_flip';

/** AVG and STDEV over the phrasings, from cells with a value in both versions. */
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
  /** Of the difference, at level 1 - alpha, not adjusted for the family. */
  readonly interval: Interval | null;
  readonly intervalMethod: string;
  readonly method: ComparisonMethod;
  readonly p: number | null;
  /**
   * For times: new / old, task by task; null for other metrics, and if no task is timed in both. Verdict and p of a
   * time are based on this ratio.
   */
  readonly ratio: TimeRatio | null;
  /**
   * For times, as published: Welch's test over the phrasings' means. Null for other metrics, and if there are too few
   * phrasings or they do not vary.
   */
  readonly welch: { readonly p: number; readonly interval: Interval } | null;
  /** Adjusted for the family by Holm. */
  readonly pAdjusted: number | null;
  /**
   * Smallest detectable difference at the strictest step of the family; for times, of a typical task. Null if none is
   * detectable, or nothing was tested.
   */
  readonly smallestEffect: number | null;
  readonly verdict: VersionVerdict;
  /** Cells that count, and cells excluded because one version has no value. */
  readonly n: number;
  readonly nExcluded: number;
}

export interface FamilyOptions {
  readonly seed: number;
  /** Highest probability of any false alarm in the family. */
  readonly alpha: number;
}

/** The result of a metric's test, before adjustment for the family. */
interface Tested {
  readonly interval: Interval | null;
  readonly intervalMethod: string;
  readonly method: ComparisonMethod;
  readonly p: number | null;
  readonly smallestEffect: number | null;
  /** The difference that the verdict is based on, with the margin on the same scale. */
  readonly judged: Omit<VersionDifference, 'p'> & { readonly margin: number };
  readonly ratio: TimeRatio | null;
}

/**
 * pass_at_1 with one prompt per task is tested by McNemar's exact test; other metrics by swapping the versions task by
 * task, times on the logarithms of their ratios, because one slow task can dominate a mean time, over `judgedTasks`.
 * Intervals are Gaffke's over tasks, as in a gate. A cell counts if both versions have a value; p, verdict and the
 * interval of the difference also have pass_at_1 of the cells that could not be judged (`held`).
 */
export function compareVersions(family: readonly VersionCells[], options: FamilyOptions): VersionComparison[] {
  const common = family.map(({ judgedTasks, ...cells }) => ({
    ...{ ...cells, tasks: cells.tasks.map(commonParts) },
    ...(judgedTasks !== undefined && { judgedTasks: judgedTasks.map(commonParts) }),
  }));
  const familySize = Math.max(
    1,
    common.filter(({ tasks }) => tasks.some(({ now }) => now.some((part) => part !== null))).length,
  );
  const compared = common.map((cells, index) => ({
    cells,
    ...compareOne(cells, openCases(family[index] as VersionCells), familySize, options),
  }));
  const adjusted = holmAdjusted(compared.map(({ p }) => p));
  return compared.map(({ cells, judged: { margin, ...judged }, ...found }, index) => {
    const pAdjusted = adjusted[index] ?? null;
    const rule = { direction: solutionMetrics[cells.metric].direction, margin, alpha: options.alpha };
    return {
      name: cells.name,
      metric: cells.metric,
      ...found,
      pAdjusted,
      verdict: versionVerdict({ ...judged, p: pAdjusted }, rule),
    };
  });
}

function compareOne(cells: VersionCells, open: OpenCases | null, familySize: number, options: FamilyOptions) {
  const { scale, unit } = solutionMetrics[cells.metric];
  const [before, after] = [cells.tasks.map((task) => task.old), cells.tasks.map((task) => task.now)];
  const [old, now] = [phrasingSpread(before, scale), phrasingSpread(after, scale)];
  const level = 1 - options.alpha;
  const averageOf = (spread: PhrasingSpread, parts: readonly TaskParts[]): VersionAverage => ({
    mean: spread.mean,
    meanInterval: spread.mean === null ? null : averageOverPhrasings(cells.metric, parts, level),
    stdev: spread.stdev,
    stdevInterval: spreadInterval(spread, parts, { scale, unit }, level),
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
    ...(unit === 'ms' ? byRatios(cells, asked) : held(byTasks(cells, change, asked), open, asked)),
    welch: unit === 'ms' ? welchOf(old.values, now.values, options.alpha) : null,
    n: now.n,
    nExcluded: now.nExcluded,
  };
}

interface Asked extends FamilyOptions {
  readonly hardest: number;
  readonly draws: number;
}

/** As in the paper's tables; null if there are too few phrasings or they do not vary. */
function welchOf(
  old: readonly (number | null)[],
  now: readonly (number | null)[],
  alpha: number,
): VersionComparison['welch'] {
  const [before, after] = [old.filter((value) => value !== null), now.filter((value) => value !== null)];
  const test = welchTest(before, after, 1 - alpha);
  return test && { p: test.p, interval: test.interval };
}

/** Interval of the difference of AVGs, and the terms whose signs are tested. */
function taskInterval(
  { metric, tasks }: VersionCells,
  alpha: number,
): { readonly swaps: readonly number[]; readonly interval: Interval | null } {
  const { values, range, quotients } = solutionValues(metric, tasks);
  const changes = values.map(({ old, now }) => difference(now, old));
  return {
    swaps: quotients === undefined ? changes : swapChanges(quotients, 1, 0),
    interval:
      changes.length === 0 ? null : boundedMeanInterval(changes, changeBounds(range, 1, changes), { level: 1 - alpha }),
  };
}

function byRatios(cells: VersionCells, { seed, alpha, hardest, draws }: Asked): Tested {
  const found = compareTimes(cells.judgedTasks ?? cells.tasks, {
    level: 1 - alpha,
    seed: seedOf(seed, cells.name),
    draws,
    hardest,
  });
  return {
    interval: taskInterval(cells, alpha).interval,
    intervalMethod: boundedMeanMethod,
    method: 'ratio_sign_flip',
    p: found?.p ?? null,
    smallestEffect: found?.smallestEffect ?? null,
    judged:
      found === null
        ? { difference: null, interval: null, margin: 0 }
        : { ...found.logs, margin: found.logMargin(cells.margin) },
    ratio: found?.ratio ?? null,
  };
}

function byTasks(cells: VersionCells, change: number | null, { seed, alpha, hardest, draws }: Asked): Tested {
  const { name, metric, margin, tasks } = cells;
  const { swaps, interval } = taskInterval(cells, alpha);
  const common = {
    interval,
    intervalMethod: boundedMeanMethod,
    judged: { difference: change, interval, margin },
    ratio: null,
  };
  if (metric === 'pass_at_1' && tasks[0]?.now.length === 1) return { ...common, ...mcnemarOf(tasks, hardest) };
  return {
    ...common,
    method: 'sign_flip',
    p: signFlipTest(swaps, { seed: seedOf(seed, name), draws }).p,
    smallestEffect: signFlipEffects(hardest)(swaps),
  };
}

/**
 * A change counts only if it does with the answers that could not be judged at their worst for it. Its interval has all
 * that they allow, and that of the answers judged in both versions.
 */
function held(found: Tested, open: OpenCases | null, asked: Asked): Tested {
  const change = found.judged.difference;
  if (open === null || change === null || found.p === null) return found;
  const [least, most] = [open.least, open.most].map((cells) => byTasks(cells, changeIn(cells), asked));
  if (!least?.interval || !most?.interval) return found;
  const worst = change > 0 ? least : most;
  const isSame = Math.sign(worst.judged.difference ?? 0) === Math.sign(change);
  const allowed = { lo: least.interval.lo, hi: most.interval.hi };
  const interval = found.interval === null ? allowed : hullOf(allowed, found.interval);
  const p = isSame ? Math.max(found.p, worst.p ?? 1) : 1;
  return { ...found, p, interval, judged: { ...found.judged, interval } };
}

function mcnemarOf(tasks: readonly TaskPair[], hardest: number): Pick<Tested, 'method' | 'p' | 'smallestEffect'> {
  const pairs = tasks.flatMap(({ old, now }) =>
    old[0] && now[0] ? [{ old: old[0].numerator, now: now[0].numerator }] : [],
  );
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
