/** Arithmetic on counts that are known between bounds. */
import type { Range } from '../../studies/forecast.ts';

export type Bound = keyof Range;

export const rangeOf = (value: (bound: Bound) => number): Range => ({
  minimum: value('minimum'),
  expected: value('expected'),
  maximum: value('maximum'),
});

export const sumRanges = (ranges: readonly Range[]): Range => rangeOf((bound) => ranges.reduce((sum, range) => sum + range[bound], 0));
