/**
 * Compares models by a metric that belongs to all tasks together, such as the least sufficient detail: by bounds of
 * each model's value, since single tasks have none.
 */
import type { Interval } from '../statistics/intervals/interval.ts';
import { placesOf } from '../statistics/ranks/ranks.ts';
import { benjaminiHochberg } from '../statistics/tests/benjamini-hochberg.ts';
import { holmAdjusted } from '../statistics/tests/holm.ts';
import { versionVerdict } from '../statistics/tests/version-verdict.ts';
import type { PairOptions, PairResult } from './pairs.ts';
import { lettersOf, type Standing } from './standings.ts';

/**
 * A model's value with bounds, each of which holds with 1 - (1 - level) / 2. They are nested: those of a higher level
 * are never narrower.
 */
export interface BoundedValue extends Interval {
  readonly value: number;
}

/** @param level confidence of the two-sided interval */
export type WholeValue = (level: number) => BoundedValue;

/** p is known to a factor of 10^(1/20), rounded up, and not below 1e-8. */
const [stepsPerTen, mostSteps] = [20, 160];
const chanceAt = (step: number): number => 10 ** (-step / stepsPerTen);

export function compareWhole(models: readonly WholeValue[], options: PairOptions): PairResult[] {
  const { alpha, margin, direction } = options;
  const known = models.map(remembered);
  const places = models.flatMap((_, first) => models.slice(first + 1).map((__, next) => [first, first + 1 + next]));
  const found = places.map(([first = 0, second = 0]) => {
    const intervalAt = (chance: number): Interval =>
      differenceAt(known[first] as WholeValue, known[second] as WholeValue, chance);
    return { first, second, intervalAt, p: smallestChance(intervalAt) };
  });
  const [holm, bh] = [holmAdjusted(found.map(({ p }) => p)), benjaminiHochberg(found.map(({ p }) => p))];
  return found.map(({ first, second, intervalAt, p }, index) => {
    const difference = plainValue(known[first]) - plainValue(known[second]);
    const interval = margin === 0 ? null : intervalAt(alpha / places.length);
    const pHolm = holm[index] as number;
    return {
      ...{ first, second, difference, interval: intervalAt(alpha), method: 'bounds', p, pHolm },
      pBh: bh[index] as number,
      verdict: versionVerdict({ difference, interval, p: pHolm }, { direction, margin, alpha }),
      ...{ judgedTasks: null, better: null, worse: null, smallestEffect: null, tasksNeeded: null },
    };
  });
}

const plainValue = (model: WholeValue | undefined): number => (model as WholeValue)(0.95).value;

function remembered(model: WholeValue): WholeValue {
  const known = new Map<number, BoundedValue>();
  return (level) => {
    const found = known.get(level) ?? model(level);
    known.set(level, found);
    return found;
  };
}

/** Bounds of the difference that hold with 1 - chance: the chance of an error is split between the two models. */
function differenceAt(first: WholeValue, second: WholeValue, chance: number): Interval {
  const [a, b] = [first(1 - chance / 2), second(1 - chance / 2)];
  return { lo: a.lo - b.hi, hi: a.hi - b.lo };
}

/** p: the smallest chance of an error at which the bounds exclude 0; 1 if none does. */
function smallestChance(intervalAt: (chance: number) => Interval): number {
  const excludes = (step: number): boolean => {
    const { lo, hi } = intervalAt(chanceAt(step));
    return lo > 0 || hi < 0;
  };
  if (!excludes(1)) return 1;
  let [surely, not] = [1, mostSteps + 1];
  while (not - surely > 1) {
    const middle = Math.floor((surely + not) / 2);
    if (excludes(middle)) surely = middle;
    else not = middle;
  }
  return chanceAt(surely);
}

/** Rank intervals exclude a rank for each model that a verdict puts ahead or behind, so they hold together (Holm). */
export function wholeStandings(
  models: readonly WholeValue[],
  pairs: readonly PairResult[],
  { direction, alpha }: PairOptions,
): Standing[] {
  const sign = direction === 'higher' ? 1 : -1;
  const found = models.map((model) => model(1 - alpha));
  const ranks = placesOf(found.map(({ value }) => sign * value));
  const order = ranks.map((_, model) => model).toSorted((a, b) => (ranks[a] as number) - (ranks[b] as number) || a - b);
  const letters = lettersOf(order, pairs);
  return order.map((model, place) => {
    const isDecided = ({ verdict }: PairResult): boolean => verdict === 'better' || verdict === 'worse';
    const own = pairs.filter((pair) => isDecided(pair) && (pair.first === model || pair.second === model));
    const ahead = own.filter((pair) => (pair.first === model) === (pair.verdict === 'worse')).length;
    const { value, lo, hi } = found[model] as BoundedValue;
    return {
      ...{ model, value, interval: { lo, hi }, rank: ranks[model] as number, posterior: null },
      rankInterval: { lo: 1 + ahead, hi: models.length - (own.length - ahead) },
      letters: letters[place] as string,
    };
  });
}
