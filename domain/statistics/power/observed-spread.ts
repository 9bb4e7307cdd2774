/** The spread of answers that a comparison of two models would meet, from answers of an earlier run. */
import type { Interval } from '../intervals/interval.ts';
import type { TaskSums } from '../variance/answer-groups.ts';
import { keptParts, mostVariance, overParts, taskInterval } from '../variance/part-estimates.ts';
import type { VarianceParts } from '../variance/variance-parts.ts';
import type { AnswerSpread } from './answer-spread.ts';

interface Estimate {
  readonly value: number;
  /** Over tasks. */
  readonly interval: Interval | null;
}

export interface ObservedSpread {
  readonly spread: AnswerSpread;
  /** The variance over tasks of a model's rate; null with one answer per task. */
  readonly between: Estimate | null;
  /** The variance of answers to one task; null with one answer per task. */
  readonly within: Estimate | null;
  /** Of two models' rates over tasks, or with one answer per task, of their answers. Null if no answer varies. */
  readonly correlation: Estimate | null;
}

/**
 * Models are crossed with tasks: what varies over tasks for all models alike is the covariance of two models, and with
 * the interaction it is the variance of one model's rate. So the values are means over the models, and over their
 * pairs. Null for fewer than two tasks or models.
 */
export function observedSpread(tasks: readonly TaskSums[], models: number): ObservedSpread | null {
  const partsOf = keptParts(tasks, models, 1);
  const all = tasks.map((_, index) => index);
  const parts = partsOf(all);
  if (parts === null || models < 2) return null;
  const estimated = (
    uncut: (parts: VarianceParts) => number | null,
    range: { readonly most: number; readonly limit: number; readonly whole?: number },
  ): Estimate | null => {
    const found = uncut(parts);
    if (found === null) return null;
    const value = Math.min(range.limit, Math.max(0, found));
    return { value, interval: taskInterval(all, overParts(partsOf, uncut), { ...range, shown: value }) };
  };
  return {
    spread: possible(spreadOf(parts)),
    between: estimated(betweenOf, ofVariance),
    within: estimated(withinOf, ofVariance),
    correlation: estimated(correlationOf, { most: 1, limit: 1, whole: wholeOf(parts) }),
  };
}

/** Two tasks show a variance of up to 1/2, and no rates have more than `mostVariance`. */
const ofVariance = { most: 0.5, limit: mostVariance };

function spreadOf(parts: VarianceParts): AnswerSpread {
  const [between, within] = [betweenOf(parts), withinOf(parts)];
  return {
    total: Math.max(0, between ?? parts.task ?? 0) + (within ?? Math.max(0, parts.sample ?? 0)),
    between: between === null ? null : Math.max(0, between),
    shared: sharedOf(parts, between),
    runShare: runShareOf(parts),
  };
}

/** As the correlation that is shown: at least 0, and no more than the whole. */
const sharedOf = ({ task }: VarianceParts, between: number | null): number =>
  Math.min(Math.max(0, between ?? Infinity), Math.max(0, task ?? 0));

/** Few tasks may show more variance than an answer of 0 or 1 can have. The parts keep their shares of it. */
function possible(spread: AnswerSpread): AnswerSpread {
  const { total, between, shared } = spread;
  const scale = total > mostVariance ? mostVariance / total : 1;
  return {
    ...spread,
    total: scale * total,
    between: between === null ? null : scale * between,
    shared: scale * shared,
  };
}

/** Null with one answer per task: the interaction of models and tasks then contains the samples. */
const betweenOf = ({ task, model_task }: VarianceParts): number | null =>
  task === null || model_task === null ? null : task + model_task;

const withinOf = ({ model_task, run, sample }: VarianceParts): number | null =>
  model_task === null || sample === null ? null : sample + Math.max(0, run ?? 0);

function runShareOf({ run, sample }: VarianceParts): number {
  const [between, within] = [Math.max(0, run ?? 0), sample ?? 0];
  return between === 0 ? 0 : between / (between + within);
}

function correlationOf(parts: VarianceParts): number | null {
  const whole = wholeOf(parts);
  return whole > 0 ? (parts.task ?? 0) / whole : null;
}

/** What the covariance of two models is a share of. */
const wholeOf = (parts: VarianceParts): number => betweenOf(parts) ?? (parts.task ?? 0) + (parts.sample ?? 0);
