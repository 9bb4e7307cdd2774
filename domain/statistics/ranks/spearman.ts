import { pearson, pearsonR } from './pearson.ts';
import { midRanks } from './ranks.ts';
import type { TestResult } from '../tests/test-result.ts';

/** Spearman's rho: Pearson's r of the mid-ranks; p is exact up to nine pairs. */
export const spearman = (x: readonly number[], y: readonly number[]): TestResult => pearson(midRanks(x), midRanks(y));

/** Spearman's rho without p, for resamples; null for fewer than two pairs or if a side is constant. */
export const spearmanRho = (x: readonly number[], y: readonly number[]): number | null =>
  pearsonR(midRanks(x), midRanks(y));
