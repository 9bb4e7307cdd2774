/** Intervals of rank correlations over models, on Fisher's scale: a handful of models gives a wide one. */
import { defaultLevel, type Interval, tailOf } from './interval.ts';
import { studentQuantile } from './student.ts';

/** The method's name, as tables and reports show it. */
export const spearmanMethod = 'Bonett and Wright';

/**
 * Of Spearman's rho (Bonett and Wright 2000): on Fisher's scale with variance (1 + rho^2 / 2) / (n - 3), by
 * Student's t at n - 2, since few models are normal only nearly. An order that is wholly the same or the
 * opposite is taken for half a swap of neighbours less, so that its interval has a width. Null of fewer than four pairs.
 */
export function spearmanInterval(rho: number | null, n: number, level = defaultLevel): Interval | null {
  if (rho === null || n < 4) return null;
  const step = 12 / (n * (n ** 2 - 1));
  return fisherInterval(rho, step / 2, Math.sqrt((1 + rho ** 2 / 2) / (n - 3)) * studentQuantile(1 - tailOf(level), n - 2));
}

/**
 * Of Kendall's tau (Fieller, Hartley and Pearson 1957): variance 0.437 / (n - 4) on Fisher's scale, which is too small near 1: there
 * it is widened, by as much as simulation asks for (`npm run bench -- coverage --only rankings`). Null of fewer than five pairs.
 */
export function kendallInterval(tau: number | null, n: number, level = defaultLevel): Interval | null {
  if (tau === null || n < 5) return null;
  const step = 4 / (n * (n - 1));
  return fisherInterval(tau, step / 2, Math.sqrt((0.437 * (1 + 2 * tau ** 4)) / (n - 4)) * studentQuantile(1 - tailOf(level), n - 2));
}

function fisherInterval(r: number, step: number, half: number): Interval {
  const inside = Math.max(-1 + step, Math.min(1 - step, r));
  const [lo, hi] = [Math.tanh(Math.atanh(inside) - half), Math.tanh(Math.atanh(inside) + half)];
  return { lo: r <= -1 + step ? -1 : lo, hi: r >= 1 - step ? 1 : hi };
}

/**
 * Of Kendall's W over m rankings: W is the mean of all Spearman correlations between them, moved to 0 to 1, and that mean is taken for one correlation,
 * which is on the safe side. Null of fewer than four models.
 */
export function concordanceInterval(w: number | null, rankings: number, models: number, level = defaultLevel): Interval | null {
  if (w === null) return null;
  const rho = (rankings * w - 1) / (rankings - 1);
  const found = spearmanInterval(Math.max(-1, Math.min(1, rho)), models, level);
  const back = (end: number): number => Math.max(0, (end * (rankings - 1) + 1) / rankings);
  return found && { lo: back(found.lo), hi: back(found.hi) };
}
