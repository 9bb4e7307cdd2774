/** What all universes together say about one quantity: does its sign hold, and which choice moves it most? */
import type { ChoiceName } from '../../schemas/tables/multiverse.ts';
import type { Interval } from '../statistics/intervals/interval.ts';
import { isConstant } from '../statistics/rounding.ts';
import { mean } from '../statistics/spread.ts';
import type { Options } from './universe.ts';

/** A quantity in one universe. */
export interface UniverseValue {
  readonly options: Options;
  /** Null if this universe has no task for it. */
  readonly estimate: number | null;
  readonly interval: Interval | null;
}

/**
 * `holds`: apart from 0 on the same side everywhere; `same_direction`: apart from 0 on one side somewhere, with no
 * estimate on the other side; `reverses`: the same with an estimate on the other side; `contradicts`: apart from 0 on
 * both sides; `open`: apart from 0 nowhere.
 */
export type Verdict = 'holds' | 'same_direction' | 'reverses' | 'contradicts' | 'open';

export interface ChoiceEffect {
  readonly choice: ChoiceName;
  /** Part of the variance over universes that lies between the choice's options, 0 to 1. */
  readonly share: number;
  /** Distance of the largest from the smallest mean of an option. */
  readonly shift: number;
}

export interface Conclusion {
  readonly verdict: Verdict;
  /** Universes with an estimate, and those without one. */
  readonly universes: number;
  readonly missing: number;
  readonly least: number;
  readonly greatest: number;
  /** Shares of these universes: with the estimate, and with the whole interval, on one side of 0. */
  readonly positive: number;
  readonly negative: number;
  readonly above: number;
  readonly below: number;
  /** The choice that matters most; null if all universes agree. */
  readonly choice: ChoiceEffect | null;
}

/** Null if no universe has an estimate. Shares count universes: they are not probabilities. */
export function concludeOver(values: readonly UniverseValue[]): Conclusion | null {
  const known = values.flatMap(({ options, estimate, interval }) =>
    estimate === null ? [] : [{ options, estimate, side: sideOf(interval) }],
  );
  if (known.length === 0) return null;
  const estimates = known.map(({ estimate }) => estimate);
  const share = (counts: (one: (typeof known)[number]) => boolean): number =>
    known.filter(counts).length / known.length;
  const shares = {
    positive: share(({ estimate }) => estimate > 0),
    negative: share(({ estimate }) => estimate < 0),
    above: share(({ side }) => side > 0),
    below: share(({ side }) => side < 0),
  };
  return {
    verdict: verdictOf(shares),
    universes: known.length,
    missing: values.length - known.length,
    least: Math.min(...estimates),
    greatest: Math.max(...estimates),
    ...shares,
    choice: choiceEffects(known)[0] ?? null,
  };
}

/** 1 or -1 for an interval above or below 0; 0 if it includes 0, or there is none. */
export function sideOf(interval: Interval | null): -1 | 0 | 1 {
  if (interval === null || (interval.lo <= 0 && interval.hi >= 0)) return 0;
  return interval.lo > 0 ? 1 : -1;
}

function verdictOf({
  positive,
  negative,
  above,
  below,
}: Pick<Conclusion, 'positive' | 'negative' | 'above' | 'below'>) {
  if (above > 0 && below > 0) return 'contradicts';
  if (above === 0 && below === 0) return 'open';
  if (above === 1 || below === 1) return 'holds';
  // An estimate of 0 is on no side: it leaves the direction as it is.
  return (above > 0 ? negative : positive) === 0 ? 'same_direction' : 'reverses';
}

interface Known {
  readonly options: Options;
  readonly estimate: number;
}

/**
 * The choices by their part of the variance, largest first: sum of squares between options over the total one, each
 * universe with the same weight. If all combinations exist, the parts add up to 1 at most; what is left is interaction.
 */
export function choiceEffects(known: readonly Known[]): ChoiceEffect[] {
  const estimates = known.map(({ estimate }) => estimate);
  if (isConstant(estimates)) return [];
  const middle = mean(estimates) as number;
  const total = estimates.reduce((sum, estimate) => sum + (estimate - middle) ** 2, 0);
  const names = [...new Set(known.flatMap(({ options }) => Object.keys(options) as ChoiceName[]))];
  return names
    .map((choice) => {
      const groups = [...Map.groupBy(known, ({ options }) => options[choice]).values()].map((own) => ({
        n: own.length,
        mean: mean(own.map(({ estimate }) => estimate)) as number,
      }));
      const between = groups.reduce((sum, { n, mean: own }) => sum + n * (own - middle) ** 2, 0);
      const means = groups.map((group) => group.mean);
      return { choice, share: Math.min(1, between / total), shift: Math.max(...means) - Math.min(...means) };
    })
    .toSorted((a, b) => b.share - a.share);
}
