/** Arithmetic on counts with a minimum, expected value and maximum. */
import type { Range } from '../../studies/forecast.ts';

export type Bound = keyof Range;

export const rangeOf = (value: (bound: Bound) => number): Range => ({
  minimum: value('minimum'),
  expected: value('expected'),
  maximum: value('maximum'),
});

export const sumRanges = (ranges: readonly Range[]): Range =>
  rangeOf((bound) => ranges.reduce((sum, range) => sum + range[bound], 0));
