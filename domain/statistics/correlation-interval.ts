/** Intervals of correlations over models, or over whole tasks: one method for Pearson, Spearman and Kendall. A handful of models gives a wide one. */
import { defaultLevel, type Interval, tailOf } from './interval.ts';
import { correlationScale, jackknifeInterval } from './jackknife.ts';
import { kendallTau } from './kendall.ts';
import { kendallW, type ScoreTable } from './rank-agreement.ts';
import { spearmanRho } from './spearman.ts';
import { studentQuantile } from './student.ts';

/** The methods' names, as tables and reports show them. */
export const correlationMethod = "jackknife over models, Student's t";
export const concordanceMethod = 'jackknife over models and Bonett and Wright';

/** The jackknife of four pairs holds 88 to 96 % only. */
const fewestClusters = 5;

/**
 * The delete-one jackknife with Student's t at n - 2 on Fisher's scale (at n - 1 that of five models holds 89 % of a true 0.2), of any correlation over whole clusters. It holds its level with ties and near 1, where
 * Bonett and Wright's variance (2000) falls to 85 % at a true 0.99 and to 42 % at 0.999 (`npm run bench -- coverage --only rankings`).
 * Null of fewer than five clusters; -1 to 1 where the correlation hangs on one of them.
 */
export function correlationInterval<Cluster>(
  clusters: readonly Cluster[],
  correlation: (some: readonly Cluster[]) => number | null,
  level = defaultLevel,
): Interval | null {
  return clusters.length < fewestClusters ? null : jackknifeInterval(clusters, correlation, { ...correlationScale, level, spent: 2 });
}

/** One value of either side for each model. */
export const spearmanInterval = (x: readonly number[], y: readonly number[]): Interval | null => overModels(x, y, spearmanRho);
export const kendallInterval = (x: readonly number[], y: readonly number[]): Interval | null => overModels(x, y, kendallTau);

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
 * Of Kendall's W, as the mean of all Spearman correlations between the settings, moved to 0 to 1: from the lower to the upper end of the
 * jackknife's interval of that mean and of Bonett and Wright's, which takes it for one correlation. Either alone fails: the jackknife
 * where few models hardly agree (88 % of five models), the other where they agree nearly wholly. Null of fewer than five models.
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
 * On Fisher's scale with variance (1 + rho^2 / 2) / (n - 3), by Student's t at n - 2. An order that is wholly the same or the opposite is
 * taken for half a swap of neighbours less, so that its interval has a width.
 */
function bonettWright(rho: number, n: number, level: number): Interval {
  const step = 12 / (n * (n ** 2 - 1));
  const half = Math.sqrt((1 + rho ** 2 / 2) / (n - 3)) * studentQuantile(1 - tailOf(level), n - 2);
  const inside = Math.max(-1 + step / 2, Math.min(1 - step / 2, rho));
  const [lo, hi] = [Math.tanh(Math.atanh(inside) - half), Math.tanh(Math.atanh(inside) + half)];
  return { lo: rho <= -1 + step / 2 ? -1 : lo, hi: rho >= 1 - step / 2 ? 1 : hi };
}
