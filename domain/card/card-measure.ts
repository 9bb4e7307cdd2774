/** The values of one metric of a card for several models, from a study. */
import type { TaskRange } from '../metrics/task-range.ts';
import type { Interval } from '../statistics/intervals/interval.ts';
import type { CardMetric } from './card-metric.ts';

interface Measured {
  readonly metric: CardMetric;
  /** The suite, method or curve of the values; `all` if there is only one. */
  readonly condition: string;
}

/** Single tasks have values. A model without any has an empty map. */
export interface TaskMeasure extends Measured {
  readonly range: TaskRange;
  /** By model: the value of each task, by id. */
  readonly values: readonly ReadonlyMap<string, number>[];
  /** By model: its tasks, whether they have a value here or not. Default: those with a value. */
  readonly ownTasks?: readonly number[];
  /** By model: why it has no value here, where that is not for want of tasks. */
  readonly whyNone?: readonly (string | null)[];
  /** What the values may be with answers that could not be judged, of the tasks that a model has answered. */
  readonly extremes?: ValueExtremes;
  /** The study's own interval of a model, where it is not that of the mean over tasks. */
  readonly intervalOf?: (model: number, taskIds: readonly string[], level: number) => Interval | null;
}

/** By model, by task: with the answers that could not be judged failed, and passed. */
export interface ValueExtremes {
  readonly least: readonly ReadonlyMap<string, number>[];
  readonly most: readonly ReadonlyMap<string, number>[];
}

/** Only all tasks together have a value. */
export interface ModelMeasure extends Measured {
  /** By model, at a confidence level. */
  readonly estimates: (level: number) => readonly (ModelEstimate | null)[];
  /** Where models have different tasks: two of them are compared on those that they share. */
  readonly pairs?: PairIntervals;
  /** How the intervals were made. */
  readonly method: string;
  /** Whether models have no rank by it, because its intervals do not hold all that may vary. Default: false. */
  readonly isUnranked?: boolean;
  /** Names of the values 0, 1, ..., where values are places in a list. */
  readonly names?: readonly string[];
}

export interface PairIntervals {
  /** Names the tasks that two models share. */
  name(model: number, other: number): string;
  /** The model's interval on them; null if there is none. */
  intervalOf(model: number, other: number, level: number): ModelEstimate['interval'];
}

export interface ModelEstimate {
  /** Null if it is undefined. */
  readonly value: number | null;
  /** Null if there is none; `hi` is null if it has no upper end. */
  readonly interval: { readonly lo: number; readonly hi: number | null } | null;
  /** Tasks behind it. */
  readonly tasks: number;
  /** Tasks that the model has. */
  readonly ownTasks: number;
  /** Why the value is null. */
  readonly reason: string | null;
  /** Whether part of the value is an estimate from above, so that it may be less. Default: false. */
  readonly isAtMost?: boolean;
}

/** Ends the method of such a value. */
export const atMostMethod = '; the value is partly an estimate, and at most this';

export type CardMeasure = TaskMeasure | ModelMeasure;
