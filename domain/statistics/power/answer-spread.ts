/** How the answers of two models vary over tasks, as far as a comparison of the models needs it. */
import { taskRates } from './task-rates.ts';

/** Variances of one answer, 1 if it passes and 0 if not. */
export interface AnswerSpread {
  /** Of one answer to one task: p (1 - p) for a pass rate p. */
  readonly total: number;
  /** Its part between tasks: the variance over tasks of one model's rate. Null: unknown, from one answer per task. */
  readonly between: number | null;
  /** The part between tasks that two models share: the covariance of their rates. */
  readonly shared: number;
  /** Share of the part within tasks that samples of one repetition have in common, 0 to 1. */
  readonly runShare: number;
}

/** @param correlation of two models' rates over tasks */
export const statedSpread = (between: number, within: number, correlation: number): AnswerSpread => ({
  total: between + within,
  between,
  shared: correlation * between,
  runShare: 0,
});

/** Two models that differ, with the spread of models that do not. */
export interface ModelPair {
  /** Mean pass rates. */
  readonly old: number;
  readonly now: number;
  /** Share of each model's variance that lies between tasks. */
  readonly decided: number;
  /** Covariance of the models' rates over tasks. */
  readonly shared: number;
}

/**
 * The variance of an answer is p (1 - p), so it gives the rate (passing and failing can change places); half the
 * difference lies on each side of it. The parts keep their shares in the variance, as far as these means allow.
 */
export function modelPair({ total, between, shared }: AnswerSpread, difference: number): ModelPair {
  const middle = (1 + Math.sqrt(Math.max(0, 1 - 4 * total))) / 2;
  const now = Math.min(1, middle + difference / 2);
  const old = now - difference;
  const deviation = Math.sqrt(old * (1 - old) * now * (1 - now));
  const most = old * (1 - now);
  const least = Math.max(0, old + now - 1) - old * now;
  const wanted = total > 0 ? (shared / total) * deviation : 0;
  return {
    ...{ old, now, decided: between === null || total === 0 ? 1 : Math.min(1, Math.max(0, between / total)) },
    shared: Math.min(most, Math.max(least, wanted)),
  };
}

/** Rates of both models on a kind of task, and how frequent that kind is. */
export interface TaskKind {
  readonly weight: number;
  readonly old: number;
  readonly now: number;
}

/**
 * Kinds of tasks with about the spread of the pair: the rates of each model have a beta distribution. In a share of the
 * tasks both models meet the same difficulty (for a negative covariance, the opposite one), in the others each its own,
 * so that the covariance is as wanted. `shared` is what these distributions allow of it.
 */
export function taskKinds(pair: ModelPair): { readonly kinds: readonly TaskKind[]; readonly shared: number } {
  const [first, second] = [taskRates(pair.old, pair.decided), taskRates(pair.now, pair.decided)];
  const size = first.length;
  const paired = pair.shared < 0 ? second.toReversed() : second;
  const means = [average(first), average(second)] as const;
  const most =
    first.reduce((sum, rate, place) => sum + rate * (paired[place] as number), 0) / size - means[0] * means[1];
  const together = Math.abs(most) < 1e-12 ? 0 : Math.min(1, Math.max(0, pair.shared / most));
  const same = first.map((old, place) => ({ weight: together / size, old, now: paired[place] as number }));
  const apart = first.flatMap((old) => second.map((now) => ({ weight: (1 - together) / size ** 2, old, now })));
  return { kinds: [...same, ...apart].filter(({ weight }) => weight > 0), shared: together * most };
}

const average = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
