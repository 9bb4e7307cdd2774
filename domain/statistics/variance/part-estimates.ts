/** Variance parts with their shares and intervals. */
import { defaultLevel, type Interval } from '../intervals/interval.ts';
import { jackknifeInterval, plainScale } from '../intervals/jackknife.ts';
import type { TaskSums } from './answer-groups.ts';
import { type PartName, partNames, type VarianceParts, varianceParts } from './variance-parts.ts';

/** Name of the method in tables and reports. */
export const partMethod = 'moment estimates of the crossed random design; delete-group jackknife over tasks';

/** The sample variance of two values of 0 and 1 is at most 1/2. */
const greatestVariance = 0.5;

export interface PartEstimate {
  readonly part: PartName;
  /** Null if the design cannot tell this part from another one. A negative estimate is given as 0. */
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
  return partNames.map((part) => {
    const value = (some: readonly number[]): number | null => partsOf(some)?.[part] ?? null;
    const share = (some: readonly number[]): number | null => shareOf(partsOf(some), part);
    return {
      part,
      variance: positive(parts[part]),
      interval: taskInterval(all, value, greatestVariance, level),
      share: shareOf(parts, part),
      shareInterval: taskInterval(all, share, 1, level),
    };
  });
}

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

const positive = (value: number | null): number | null => (value === null ? null : Math.max(0, value));

function shareOf(parts: VarianceParts | null, part: PartName): number | null {
  if (parts === null || parts[part] === null) return null;
  const total = partNames.reduce((sum, name) => sum + Math.max(0, parts[name] ?? 0), 0);
  return total > 0 ? Math.max(0, parts[part]) / total : null;
}

/**
 * The jackknife over tasks of a statistic that cannot be negative. If its estimate is, the interval is moved up, so
 * that it begins at 0 and is as wide as the data say. It always allows for unobserved tasks at the ends of the range.
 * Two tasks say nothing: the interval is the whole range.
 * @param most the upper end of its range
 */
export function taskInterval<Task>(
  tasks: readonly Task[],
  statistic: (some: readonly Task[]) => number | null,
  most: number,
  level = defaultLevel,
): Interval | null {
  const value = statistic(tasks);
  if (value === null) return null;
  const below = Math.min(0, value);
  const moved = (some: readonly Task[]): number | null => {
    const one = statistic(some);
    return one === null ? null : one - below;
  };
  const range = { lo: 0, hi: most };
  return jackknifeInterval(tasks, moved, { scale: plainScale, bounds: range, level, withUnseen: true }) ?? range;
}
