/** RQ4: a model's confidence by token position: the mean log-probability of the tokens at each position. */
import { boundedMeanInterval } from '../../../../domain/statistics/intervals/bounded-mean.ts';
import { assumedRange } from '../../../../domain/statistics/intervals/assumed-range.ts';
import type { ClusterSum } from '../../../../domain/statistics/intervals/ratio-estimate.ts';
import type { Interval } from '../../../../domain/statistics/intervals/interval.ts';
import { numberOf, textOf } from '../../../../domain/metrics/row-order.ts';
import type { Row } from '../../../../schemas/tables.ts';
import type { RunDatabase } from '../../../../analysis/database.ts';
import type { ModelOfStudy } from '../../../../analysis/model-rows.ts';
import { records } from '../../../../analysis/records.ts';
import { quoteText } from '../../../../analysis/views.ts';
import { tokenTrajectories } from '../calibration/confidence.ts';

/** Mean log-probability of the tokens at one place of the answers. */
export interface TrajectoryPoint {
  /** From 1. */
  readonly position: number;
  readonly mean: number;
  /** Over tasks. */
  readonly interval: Interval | null;
  /** Number of samples with a token at this position. */
  readonly n: number;
  /** Number of tasks of these samples. */
  readonly tasks: number;
}

/** Of one model's samples; empty without log-probabilities of tokens. */
export interface Trajectory {
  readonly passing: readonly TrajectoryPoint[];
  readonly failing: readonly TrajectoryPoint[];
}

/** Its intervals take longer than all else that a report says of a model. */
export async function modelTrajectory(database: RunDatabase, of: ModelOfStudy): Promise<Trajectory> {
  const rows = await tokenTrajectories(database, of);
  return {
    passing: pointsOf(rows.filter((row) => row['passed'] === true)),
    failing: pointsOf(rows.filter((row) => row['passed'] === false)),
  };
}

/** Ids of the study's models whose log-probabilities are stored token by token. */
export async function modelsWithTokens(
  database: RunDatabase,
  { run, study }: Pick<ModelOfStudy, 'run' | 'study'>,
): Promise<ReadonlySet<string>> {
  const own = `run = ${quoteText(run)} AND study = ${quoteText(study)}`;
  const rows = await records(database, `SELECT DISTINCT model FROM logprobs WHERE ${own} AND step = 'generate'`);
  return new Set(rows.map((row) => textOf(row, 'model')));
}

/** One point per position; the rows of a position must be adjacent. */
const pointsOf = (rows: readonly Row[]): TrajectoryPoint[] =>
  [...Map.groupBy(rows, (row) => numberOf(row, 'position'))].map(([position, own]) => {
    const tasks = own.map((row) => ({ sum: numberOf(row, 'total'), n: numberOf(row, 'n') }));
    const [sum, n] = [
      tasks.reduce((total, task) => total + task.sum, 0),
      tasks.reduce((total, task) => total + task.n, 0),
    ];
    return { position, mean: sum / n, interval: trajectoryInterval(tasks), n, tasks: tasks.length };
  });

/** Minimum assumed range below the mean for tasks that were not seen: a token with a third of the probability. */
const least = 1;

/**
 * Interval of a mean over tokens: Gaffke's bounds of the tasks' means, each weighted by its tokens. Log-probabilities
 * have no lower limit, so the range is assumed to reach as far below the lowest task as the tasks' range is wide, and
 * up to 0. Null without a token.
 * @param tasks the sum of each task's log-probabilities and their number
 */
export function trajectoryInterval(tasks: readonly ClusterSum[]): Interval | null {
  const used = tasks.filter(({ n }) => n > 0);
  if (used.length === 0) return null;
  const means = used.map(({ sum, n }) => Math.min(0, sum / n));
  return boundedMeanInterval(means, { lo: assumedRange(means, least).lo, hi: 0 }, { weights: used.map(({ n }) => n) });
}
