/** The smallest mean difference that the sign-flip test detects on tasks such as these. */
import { greatest, isConstant, rounding } from '../rounding.ts';
import { standardDeviation } from '../spread.ts';
import { mcnemarEffect, meanPower } from './paired-power.ts';

/** Changes of the tasks of one comparison; null if no difference can be detected with them. */
export type SmallestEffect = (changes: readonly number[]) => number | null;

/**
 * Two-sided at `alpha`, with probability 0.8. Where every task changes, by Student's t. Where some do not, a true
 * difference is more changed tasks, or more of them in one direction: their sizes are the observed ones, and what is
 * detected depends on how many change. Null if too few change for any signs to reach alpha: then neither their sizes
 * nor their number is known well enough. What McNemar's test detects is remembered, since many pairs ask the same.
 */
export function signFlipEffects(alpha: number): SmallestEffect {
  const means = meanPower(alpha);
  const sharesOf = rememberedShares(alpha);
  return (changes) => {
    const n = changes.length;
    const largest = greatest(changes);
    const sizes = changes.map((change) => Math.abs(change) / largest).filter((size) => size > rounding);
    if (2 ** (1 - sizes.length) > alpha) return null;
    if (sizes.length < n) {
      const effect = effectOfSome(sizes, alpha, (changed) => sharesOf(n, changed));
      return effect === null ? null : largest * effect;
    }
    // Where every task changes alike, nothing says how far others would vary.
    return isConstant(changes) ? null : means.effect(n, standardDeviation(changes) ?? 0);
  };
}

/**
 * With equal sizes the test is McNemar's, whose smallest difference is exact. If sizes differ, two sets of equal ones
 * have the same sum: as many of the mean size, which is right if only just enough tasks change, since then the signs
 * alone decide; and fewer, larger ones with the same sum of squares, which is right if many change. The result lies
 * between these: the nearer to the second, the more tasks change than the test needs.
 */
function effectOfSome(
  sizes: readonly number[],
  alpha: number,
  shareOf: (changed: number) => number | null,
): number | null {
  const changed = sizes.length;
  const sum = sizes.reduce((total, size) => total + size, 0);
  const squares = sizes.reduce((total, size) => total + size ** 2, 0);
  const [asMany, fewer] = [shareOf(changed), shareOf(Math.round(sum ** 2 / squares))];
  if (asMany === null || fewer === null) return null;
  const few = changesNeeded(alpha) / changed;
  return ((asMany * sum) / changed) ** few * ((fewer * squares) / sum) ** (1 - few);
}

/** The fewest changed tasks whose signs can reach alpha, if all agree. */
const changesNeeded = (alpha: number): number => Math.ceil(1 - Math.log2(alpha));

/** By tasks, and those of them that change: the smallest difference of shares that McNemar's test detects. */
function rememberedShares(alpha: number): (n: number, changed: number) => number | null {
  const known = new Map<string, number | null>();
  return (n, changed) => {
    const key = `${n} ${changed}`;
    const found = known.get(key);
    if (found !== undefined) return found;
    const share = mcnemarEffect(n, changed / n, alpha);
    known.set(key, share);
    return share;
  };
}
