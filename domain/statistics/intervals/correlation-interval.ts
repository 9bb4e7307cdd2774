/**
 * Intervals of correlations over models, or over whole tasks: one method for Pearson, Spearman and Kendall. Few models
 * give wide intervals.
 */
import { defaultLevel, type Interval, tailOf } from './interval.ts';
import { correlationScale, jackknifeInterval } from './jackknife.ts';
import { kendallTau } from '../ranks/kendall.ts';
import { kendallW, type ScoreTable } from '../ranks/rank-agreement.ts';
import { spearmanRho } from '../ranks/spearman.ts';
import { studentQuantile } from '../student.ts';

/** Names of the methods in tables and reports. */
export const correlationMethod = "jackknife over models, Student's t";
export const concordanceMethod = 'jackknife over models and Bonett and Wright';

/** The jackknife over four pairs only covers 88 to 96 %. */
const fewestClusters = 5;

/**
 * The delete-one jackknife with Student's t at n - 2 degrees of freedom on Fisher's scale, for any correlation over
 * whole clusters. (At n - 1, five models cover a true 0.2 in 89 %.) It holds its level with ties and near 1, where
 * Bonett and Wright's variance (2000) covers only 85 % at a true 0.99 and 42 % at 0.999 (`npm run bench -- coverage
 * --only rankings`). The interval contains the intervals around the correlation and around its bias-corrected value, on
 * Fisher's scale and on its own. Rank correlations are sums of U-statistics, so the jackknife removes nearly all of
 * Spearman's bias, which near 1 is several times the true value's distance from 1. Without that, 14 models cover a true
 * 0.999 in 91.8 %. Null for fewer than five clusters; -1 to 1 if the correlation depends on one of them.
 */
export function correlationInterval<Cluster>(
  clusters: readonly Cluster[],
  correlation: (some: readonly Cluster[]) => number | null,
  level = defaultLevel,
): Interval | null {
  if (clusters.length < fewestClusters) return null;
  return jackknifeInterval(clusters, correlation, { ...correlationScale, level, spent: 2, ownBias: true });
}

/** For each model, one value on each side. */
export const spearmanInterval = (x: readonly number[], y: readonly number[]): Interval | null =>
  overModels(x, y, spearmanRho);
export const kendallInterval = (x: readonly number[], y: readonly number[]): Interval | null =>
  overModels(x, y, kendallTau);

function overModels(
  x: readonly number[],
  y: readonly number[],
  correlation: (x: readonly number[], y: readonly number[]) => number | null,
): Interval | null {
  const models = x.map((_, model) => model);
  const of = (side: readonly number[], some: readonly number[]): number[] => some.map((model) => side[model] as number);
  return correlationInterval(models, (some) => correlation(of(x, some), of(y, some)));
}

/**
 * The interval of Kendall's W, which is the mean of all Spearman correlations between the settings, rescaled to 0 to 1:
 * it contains the jackknife's interval of that mean and Bonett and Wright's, which treats it as one correlation. Each
 * alone fails: the jackknife if few models hardly agree (88 % for five models), the other if they agree almost fully.
 * Null for fewer than five models.
 */
export function concordanceInterval(table: ScoreTable, level = defaultLevel): Interval | null {
  const settings = table.length;
  const models = (table[0] ?? []).map((_, model) => model);
  const meanRho = (some: readonly number[]): number | null => {
    const w = kendallW(table.map((scores) => some.map((model) => scores[model] as number)));
    return w === null ? null : Math.max(-1, (settings * w - 1) / (settings - 1));
  };
  const rho = meanRho(models);
  const jackknife = correlationInterval(models, meanRho, level);
  if (rho === null || models.length < fewestClusters) return null;
  const closed = bonettWright(rho, models.length, level);
  const back = (end: number): number => Math.max(0, (end * (settings - 1) + 1) / settings);
  return { lo: back(Math.min(closed.lo, jackknife?.lo ?? 1)), hi: back(Math.max(closed.hi, jackknife?.hi ?? -1)) };
}

/**
 * Student's t at n - 2 degrees of freedom on Fisher's scale, with variance (1 + rho^2 / 2) / (n - 3). Identical or
 * opposite orders count as if half a swap of neighbours away, so that their interval has a width.
 */
function bonettWright(rho: number, n: number, level: number): Interval {
  const step = 12 / (n * (n ** 2 - 1));
  const half = Math.sqrt((1 + rho ** 2 / 2) / (n - 3)) * studentQuantile(1 - tailOf(level), n - 2);
  const inside = Math.max(-1 + step / 2, Math.min(1 - step / 2, rho));
  const [lo, hi] = [Math.tanh(Math.atanh(inside) - half), Math.tanh(Math.atanh(inside) + half)];
  return { lo: rho <= -1 + step / 2 ? -1 : lo, hi: rho >= 1 - step / 2 ? 1 : hi };
}
