/** Variance parts with their shares and intervals. */
import { defaultLevel, type Interval } from '../intervals/interval.ts';
import { jackknifeInterval, plainScale } from '../intervals/jackknife.ts';
import { rounding } from '../rounding.ts';
import type { TaskSums } from './answer-groups.ts';
import { type PartName, partNames, widestPart, type VarianceParts, varianceParts } from './variance-parts.ts';

/** Name of the method in tables and reports. */
export const partMethod = 'moment estimates of the crossed random design; delete-group jackknife over tasks';

/** The sample variance of two values of 0 and 1 is at most 1/2: what an unobserved task may add to an estimate. */
const greatestVariance = 0.5;

/**
 * A variance of rates, or of answers of 0 and 1, is at most (1 - 0)² / 4 (Popoviciu's inequality, 1935). Estimates from
 * few tasks may be larger, true values may not.
 */
export const mostVariance = 0.25;

export interface PartEstimate {
  readonly part: PartName;
  /**
   * Null if the design cannot tell this part from another one. An estimate that no true value can have is given as the
   * nearest that one can: 0, or `mostOf` the part.
   */
  readonly variance: number | null;
  readonly interval: Interval | null;
  /** Of the sum of all parts; null if that is 0. */
  readonly share: number | null;
  readonly shareInterval: Interval | null;
}

/**
 * The parts of 0/1 answers. Intervals are over tasks: other tasks would have moved the estimate this far, the same
 * models and wordings given. Null for fewer than two tasks.
 */
export function partEstimates(
  tasks: readonly TaskSums[],
  models: number,
  wordings: number,
  level = defaultLevel,
): PartEstimate[] | null {
  const partsOf = keptParts(tasks, models, wordings);
  const all = tasks.map((_, index) => index);
  const parts = partsOf(all);
  if (parts === null) return null;
  const whole = uncutTotal(parts);
  return partNames.map((part) => {
    const limit = mostOf(part, parts, [models, wordings]);
    const [variance, share] = [withinRange(parts[part], limit), shareOf(parts, part)];
    const over = (
      uncut: (parts: VarianceParts) => number | null,
      of: Omit<ShownStatistic, 'shown'>,
      shown = variance,
    ) => (shown === null ? null : taskInterval(all, overParts(partsOf, uncut), { ...of, shown, level }));
    return {
      ...{ part, variance },
      interval: over((some) => some[part], { most: Math.max(greatestVariance, limit), limit }),
      ...{ share, shareInterval: over((some) => uncutShareOf(some, part), { most: 1, whole }, share) },
    };
  });
}

/**
 * The greatest true value of a part, for these models and wordings on all tasks. What all of them share is a
 * covariance, at most `mostVariance`. What differs between k models or wordings is divided by k - 1, not k: two models
 * that pass all tasks and none have variance 1/2. With one answer per cell, `sample` contains the interaction of all
 * factors.
 */
function mostOf(part: PartName, parts: VarianceParts, [models, wordings]: readonly [number, number]): number {
  const isWhole = part === 'sample' && parts[widestPart(models, wordings)] === null;
  const ofFactor = (factor: string, levels: number): number =>
    levels > 1 && (isWhole || part.includes(factor)) ? levels / (levels - 1) : 1;
  return mostVariance * ofFactor('model', models) * ofFactor('variant', wordings);
}

/** A statistic of the parts of some of the tasks. */
export const overParts =
  (partsOf: (some: readonly number[]) => VarianceParts | null, statistic: (parts: VarianceParts) => number | null) =>
  (some: readonly number[]): number | null => {
    const parts = partsOf(some);
    return parts === null ? null : statistic(parts);
  };

/** The parts of some of the tasks, by their indices. Each set of tasks is computed once. */
export function keptParts(
  tasks: readonly TaskSums[],
  models: number,
  wordings: number,
): (some: readonly number[]) => VarianceParts | null {
  const known = new Map<string, VarianceParts | null>();
  return (some) => {
    const name = some.join();
    const found = known.get(name);
    if (found !== undefined) return found;
    const made = varianceParts(
      some.map((index) => tasks[index] as TaskSums),
      models,
      wordings,
    );
    known.set(name, made);
    return made;
  };
}

const withinRange = (value: number | null, most: number): number | null =>
  value === null ? null : Math.min(most, Math.max(0, value));

function shareOf(parts: VarianceParts, part: PartName): number | null {
  if (parts[part] === null) return null;
  const total = partNames.reduce((sum, name) => sum + Math.max(0, parts[name] ?? 0), 0);
  return total > 0 ? Math.max(0, parts[part]) / total : null;
}

/** The share as the estimates give it: below 0 or above 1 where an estimate is negative. */
function uncutShareOf(parts: VarianceParts, part: PartName): number | null {
  const total = uncutTotal(parts);
  return parts[part] !== null && total > 0 ? parts[part] / total : null;
}

const uncutTotal = (parts: VarianceParts): number => partNames.reduce((sum, name) => sum + (parts[name] ?? 0), 0);

interface ShownStatistic {
  /** The value that is shown for all tasks, at least 0. */
  readonly shown: number;
  /** The upper end of the range of an unobserved task. */
  readonly most: number;
  /** The greatest true value, where the interval ends at the latest. Default: it is not known. */
  readonly limit?: number;
  /** The denominator of a share, per task. That of an unobserved task may be 1. */
  readonly whole?: number | undefined;
  readonly level?: number;
}

/**
 * The jackknife over tasks of a statistic that is shown as a value from 0 to `most`. A cut statistic does not vary, so
 * the spread is that of the uncut one, around the shown value: where the estimate is negative, the interval begins at
 * 0, and is as wide as the data say. It always allows for unobserved tasks at the ends of the range. Two tasks say
 * nothing: the interval is the whole range.
 * @param statistic not cut to the range
 */
export function taskInterval<Task>(
  tasks: readonly Task[],
  statistic: (some: readonly Task[]) => number | null,
  shown: ShownStatistic,
): Interval {
  const { lo, hi } = uncutInterval(tasks, statistic, shown);
  return { lo, hi: Math.min(hi, shown.limit ?? Infinity) };
}

function uncutInterval<Task>(
  tasks: readonly Task[],
  statistic: (some: readonly Task[]) => number | null,
  { shown, most, whole = 1, level = defaultLevel }: ShownStatistic,
): Interval {
  const range = { lo: 0, hi: Math.max(most, shown) };
  const value = statistic(tasks);
  if (value === null) return range;
  const moved = (some: readonly Task[]): number | null => {
    const one = statistic(some);
    return one === null ? null : one - value + shown;
  };
  const unseenWeight = 1 / Math.min(1, Math.max(rounding, whole));
  return jackknifeInterval(tasks, moved, { scale: plainScale, bounds: range, level, unseenWeight }) ?? range;
}
