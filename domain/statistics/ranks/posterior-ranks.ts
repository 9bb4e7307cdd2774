/** Which rank each model probably has: a hierarchical model of the means of many models on the same tasks. */
import { normals, uniform } from '../../random.ts';
import { defaultLevel, type Interval, tailOf } from '../intervals/interval.ts';
import { choleskyOf, choleskySolved, logDeterminant, lowerSolved, lowerTimes } from '../matrices/cholesky.ts';
import { contrastsOf, fromContrasts } from '../matrices/contrasts.ts';
import { shrunkCovariance, type SquareMatrix, trace } from '../matrices/shrunk-covariance.ts';

export interface PosteriorRank {
  /** Median, 1 is best. */
  readonly rank: number;
  /** Contains the model's rank with the given probability: for this model alone. */
  readonly interval: Interval;
  /** Probability that this model is the best of all. */
  readonly best: number;
}

export interface PosteriorOptions {
  /** From `seedOf(...)`. */
  readonly seed: number;
  /** Default 0.95. */
  readonly level?: number;
  /** Largest possible difference between two values; null if they have no bounds. */
  readonly width: number | null;
  /** Default 4,000: a probability of 50 % is then exact to 1.6 points in 95 % of cases. */
  readonly draws?: number;
}

/** Fewer tasks do not tell how much a mean varies. */
const leastPosteriorTasks = 5;

/**
 * Ranks of the models' true means over all tasks such as these, given the observed ones. The true means of the models
 * have a normal distribution. The observed ones vary around them as the tasks show: their covariance (what models share
 * on a task counts for no rank) is shrunk, and as if there were one more task, of which nothing is known. The share of
 * the error variance in the variance of observed means has a uniform prior (Daniels 1999). Draws from the posterior are
 * ranked. A model that leads by chance is so drawn back to the others: among equal models none is probably the best.
 *
 * Null for fewer than 5 tasks, a single model, or values without bounds that differ by the same on every task.
 * @param scores by model, then by task; more is better
 */
export function posteriorRanks(
  scores: readonly (readonly number[])[],
  { seed, level = defaultLevel, width, draws = 4_000 }: PosteriorOptions,
): PosteriorRank[] | null {
  const tasks = scores[0]?.length ?? 0;
  if (scores.length < 2 || tasks < leastPosteriorTasks) return null;
  const observed = contrastsOf(scores.map((own) => own.reduce((sum, value) => sum + value, 0) / tasks));
  const errors = errorsOf(scores, tasks, width);
  if (errors === null) return null;
  const counts = scores.map(() => new Uint32Array(scores.length));
  for (const means of posteriorMeans(observed, errors, seed, draws)) countRanks(fromContrasts(means), counts);
  return counts.map((own) => rankOf(own, draws, tailOf(level)));
}

/** Covariance of the contrasts of observed means; null if there is none. */
function errorsOf(scores: readonly (readonly number[])[], tasks: number, width: number | null): SquareMatrix | null {
  const rows = Array.from({ length: tasks }, (_, task) => contrastsOf(scores.map((own) => own[task] as number)));
  const { size, cells } = shrunkCovariance(rows);
  // A value between two bounds has a variance of at most a quarter of its squared range.
  const unknown = width === null ? 0 : width ** 2 / 4;
  const covariance = cells.map(
    (cell, at) => (cell * tasks + (at % (size + 1) === 0 ? unknown : 0)) / (tasks - 1) / tasks,
  );
  const variance = trace(covariance, size) / size;
  return variance > rounding * greatestSquare(scores) ? { size, cells: covariance } : null;
}

/** A variance below this share of the largest squared value is rounding. */
const rounding = 1e-24;

const greatestSquare = (scores: readonly (readonly number[])[]): number =>
  scores.flat().reduce((most, value) => Math.max(most, value ** 2), 0);

/** Shares of the error variance in the variance of observed means, all equally likely beforehand. */
const shares = Array.from({ length: 100 }, (_, place) => (place + 0.5) / 100);

/** Draws of the true means' contrasts. */
function* posteriorMeans(
  observed: Float64Array,
  errors: SquareMatrix,
  seed: number,
  draws: number,
): Generator<Float64Array> {
  const variance = trace(errors.cells, errors.size) / errors.size;
  const between = shares.map((share) => (variance * (1 - share)) / share);
  const logs = between.map((own) => logDensity(observed, choleskyOf(errors, own)));
  const most = Math.max(...logs);
  const weights = logs.map((log) => Math.exp(log - most));
  const counts = drawsOf(weights, draws, uniform(seed)());
  const error = choleskyOf(errors);
  const normal = normals(seed);
  const normalVector = (): Float64Array => Float64Array.from(observed, normal);
  for (const [place, count] of counts.entries()) {
    const own = between[place] as number;
    const total = count === 0 ? error : choleskyOf(errors, own);
    for (let draw = 0; draw < count; draw += 1)
      yield posteriorDraw(observed, own, total, normalVector(), lowerTimes(error, normalVector()));
  }
}

/** Of a normal distribution with mean 0, up to a constant. */
function logDensity(values: Float64Array, lower: SquareMatrix): number {
  const inErrors = lowerSolved(lower, values);
  return -(logDeterminant(lower) + inErrors.reduce((sum, value) => sum + value * value, 0)) / 2;
}

/**
 * Matheron's rule: true means drawn from their prior, moved by what the observation says about the difference between
 * the observed means and those drawn.
 */
function posteriorDraw(
  observed: Float64Array,
  between: number,
  total: SquareMatrix,
  standard: Float64Array,
  error: Float64Array,
): Float64Array {
  const drawn = standard.map((value) => Math.sqrt(between) * value);
  const surprise = observed.map((value, at) => value - (drawn[at] as number) - (error[at] as number));
  const moved = choleskySolved(total, surprise);
  return drawn.map((value, at) => value + between * (moved[at] as number));
}

/** How many draws each weight has, by systematic sampling. @param start in [0, 1) */
function drawsOf(weights: readonly number[], draws: number, start: number): number[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  let [sum, before] = [0, 0];
  return weights.map((weight) => {
    sum += weight;
    const upTo = Math.min(draws, Math.max(before, Math.ceil((sum / total) * draws - start)));
    const count = upTo - before;
    before = upTo;
    return count;
  });
}

/** Adds the rank of each model. */
function countRanks(means: Float64Array, counts: readonly Uint32Array[]): void {
  const order = Uint32Array.from(means.keys()).sort((a, b) => (means[b] as number) - (means[a] as number));
  for (const [place, model] of order.entries()) {
    const own = counts[model] as Uint32Array;
    own[place] = (own[place] as number) + 1;
  }
}

function rankOf(counts: Uint32Array, draws: number, tail: number): PosteriorRank {
  const rankAt = (share: number): number => {
    let [rank, sum] = [1, counts[0] as number];
    while (sum < share * draws) {
      sum += counts[rank] as number;
      rank += 1;
    }
    return rank;
  };
  return {
    rank: rankAt(0.5),
    interval: { lo: rankAt(tail), hi: rankAt(1 - tail) },
    best: (counts[0] as number) / draws,
  };
}
