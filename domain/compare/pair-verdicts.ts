/** Which of many pairs differ: the verdicts of `comparePairs`, without sizes, intervals and power, and much faster. */
import type { Extremes } from '../metrics/sides/extremes.ts';
import { termSize } from '../metrics/task-range.ts';
import { seedOf } from '../random.ts';
import { jointLevel } from '../statistics/intervals/joint-places.ts';
import { mean } from '../statistics/spread.ts';
import { holmAdjusted } from '../statistics/tests/holm.ts';
import { roughSignFlipP } from '../statistics/tests/sign-flip.ts';
import { versionVerdict } from '../statistics/tests/version-verdict.ts';
import { changeExtremes, heldP } from './held-back.ts';
import { type PairChanges, pairChanges } from './pair-changes.ts';
import { binaryPairs, fewPairs, type PairOptions, pairTest, type PairResult } from './pairs.ts';

/** p is exact where it decides anything, else a bound or a near value. */
export type PairVerdict = Pick<PairResult, 'first' | 'second' | 'p' | 'verdict'>;

type VerdictOptions = Omit<PairOptions, 'margin'>;

/**
 * Every difference matters. Most of many pairs are plain: their sum lies within one standard deviation of 0, or so far
 * out that no adjustment matters. The others are counted roughly first, and exactly if that is near a threshold.
 * @param values by model, then by task @param extremes as `comparePairs` has them
 */
export function pairVerdicts(
  values: readonly (readonly number[])[],
  options: VerdictOptions,
  extremes: Extremes | null = null,
): PairVerdict[] {
  const { direction, alpha } = options;
  const pairs = pairChanges(values, termSize(options.range));
  const openOf = changeExtremes(extremes);
  const isBinary = binaryPairs(values, extremes, options.range);
  const exact = (pair: PairChanges): number => pairTest(pair, isBinary(pair), pairs.length).p;
  const isQuick = pairs.every(isBinary) || pairs.length <= fewPairs || alpha > leastWithinOne;
  const judged = isQuick ? pairs.map(exact) : quickChances(pairs, exact, thresholds(values, options));
  const chances = pairs.map((pair, index) => heldP(pair, judged[index] as number, openOf(pair), exact));
  const holm = holmAdjusted(chances);
  return pairs.map(({ first, second, changes }, index) => {
    const found = { difference: mean(changes), interval: null, p: holm[index] as number };
    return {
      ...{ first, second, p: chances[index] as number },
      verdict: versionVerdict(found, { direction, margin: 0, alpha }),
    };
  });
}

interface Thresholds {
  readonly alpha: number;
  /** The p at which a pair counts in joint rank intervals. */
  readonly ranks: number;
}

function thresholds(values: readonly (readonly number[])[], { direction, alpha, seed }: VerdictOptions): Thresholds {
  const sign = direction === 'higher' ? 1 : -1;
  const good = values.map((own) => own.map((value) => sign * value));
  return { alpha, ranks: jointLevel(good, { seed: seedOf(seed, 'ranks'), level: 1 - alpha }) };
}

/** Steps of the largest difference in the rough count. */
const roughSteps = 16;
/** A rough p that is further from a threshold than this factor is on the same side as the exact one. */
const farFactor = 4;

function quickChances(
  pairs: readonly PairChanges[],
  exact: (pair: PairChanges) => number,
  { alpha, ranks }: Thresholds,
): number[] {
  const strictest = alpha / pairs.length;
  const bounds = pairs.map(({ changes }) => boundOf(changes, strictest));
  const rough = pairs.map(({ changes }, index): number => bounds[index] ?? roughSignFlipP(changes, roughSteps) ?? 1);
  // Holm's threshold for the first pair that does not differ.
  const rejected = holmAdjusted(rough).filter((p) => p !== null && p <= alpha).length;
  const decisive = [alpha / Math.max(1, pairs.length - rejected), ranks];
  const isNear = (p: number): boolean => decisive.some((at) => p >= at / farFactor && p <= at * farFactor);
  return rough.map((p, index) => (bounds[index] === null && isNear(p) ? exact(pairs[index] as PairChanges) : p));
}

/** The sign-flip p of a sum within one standard deviation of 0 is at least this (Dvorak and Tiep 2020). */
const leastWithinOne = 3 / 32;

/**
 * A number on the same side as p of every threshold from `strictest` to 3/32: 1 for a sum within one standard
 * deviation; else 2 exp(-z² / 2), which p never exceeds (Hoeffding), if that is small enough. Else null.
 */
function boundOf(changes: readonly number[], strictest: number): number | null {
  let [sum, squares] = [0, 0];
  for (const change of changes) {
    sum += change;
    squares += change * change;
  }
  if (squares === 0) return 1;
  const z2 = (sum * sum) / squares;
  if (z2 <= 1) return 1;
  const most = 2 * Math.exp(-z2 / 2);
  return most <= strictest ? most : null;
}
