import { pearson } from './pearson.ts';
import { midRanks } from './ranks.ts';
import type { TestResult } from './test-result.ts';

/** Spearman's rho: Pearson's r of the mid-ranks. */
export const spearman = (x: readonly number[], y: readonly number[]): TestResult => pearson(midRanks(x), midRanks(y));
