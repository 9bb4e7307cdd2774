/** One metric of one study, compared between several models on the tasks that all of them have. */
import type { GateSubject } from '../gate/evaluate.ts';
import { gateMetric } from '../gate/metrics.ts';
import type { Extremes } from '../metrics/sides/extremes.ts';
import type { Quotients } from '../metrics/sides/side-values.ts';
import type { TaskRange } from '../metrics/task-range.ts';
import { seedOf } from '../random.ts';
import type { JudgedValues } from './open-changes.ts';
import { comparePairs, type PairOptions, type PairResult } from './pairs.ts';
import { type Standing, standingsOf } from './standings.ts';
import { compareWhole, wholeStandings, type WholeValue } from './whole-metrics.ts';

export interface ComparedModel {
  /** The model's id, with its run if several runs are compared. */
  readonly name: string;
  readonly run: string;
  readonly model: string;
  readonly simulated: boolean;
}

export interface ModelValues {
  readonly study: string;
  readonly subject: GateSubject;
  /** Null unless each variant is compared separately. */
  readonly variant: string | null;
  readonly models: readonly ComparedModel[];
  /** The tasks that all models have; at least one. */
  readonly taskIds: readonly string[];
  /** By model, then by task; empty if single tasks have no value. */
  readonly values: readonly (readonly number[])[];
  /** The same for people, where `values` has a task's part in an estimate: what it has by itself. Default: `values`. */
  readonly shown?: readonly (readonly number[])[];
  /** What they are made of, if they are of a quotient of sums. */
  readonly quotients?: Quotients;
  /** Answers behind each value, by model, then by task; null if a value is not a share of answers. */
  readonly samples: readonly (readonly number[])[] | null;
  /** Tasks that each model has a value for, shared or not. */
  readonly ownTasks: readonly number[];
  /** As `values`, null where no answer was judged; absent if all were. */
  readonly judged?: readonly (readonly (number | null)[])[];
  /** The same by prompt; absent if all answers were judged, or a task has one value. */
  readonly byPrompt?: JudgedValues['byPrompt'];
  /** What the values may be with the answers that could not be judged; absent if all were. */
  readonly extremes?: Extremes;
  /** By model, the number of these answers. */
  readonly unjudged?: readonly number[];
  /** Whether some of them were never asked, and count as little as they can. Default: no. */
  readonly hasUnasked?: true;
  readonly range: TaskRange;
}

export interface Comparison extends ModelValues {
  readonly options: PairOptions;
  /** Best model first. */
  readonly standings: readonly Standing[];
  /** All pairs, in the order of the models. */
  readonly pairs: readonly PairResult[];
}

export interface ComparisonOptions {
  readonly margin: number;
  readonly alpha: number;
  readonly seed: number;
}

export function compareModels({ quotients, ...values }: ModelValues, wanted: ComparisonOptions): Comparison {
  const options = pairOptions(values, wanted);
  const pairs = comparePairs(values.values, options, values.extremes ?? null, {
    own: ownValues(values),
    ...(values.byPrompt && { byPrompt: values.byPrompt }),
    ...(quotients && { quotients }),
  });
  return { ...values, options, pairs, standings: standingsOf(values, pairs, options) };
}

/** By model, then by task: what a task has by itself; null where no answer was judged. */
export const ownValues = ({
  values,
  shown = values,
  judged = shown,
}: Pick<ModelValues, 'values' | 'shown' | 'judged'>): readonly (readonly (number | null)[])[] => judged;

/** A metric of all tasks together. @param models each one's value with its bounds */
export function compareTogether(
  values: ModelValues,
  models: readonly WholeValue[],
  wanted: ComparisonOptions,
): Comparison {
  const options = pairOptions(values, wanted);
  const pairs = compareWhole(models, options);
  return { ...values, options, pairs, standings: wholeStandings(models, pairs, options) };
}

function pairOptions(values: ModelValues, { margin, alpha, seed }: ComparisonOptions): PairOptions {
  const { study, subject, variant, range } = values;
  const place = [study, subject.metric, subject.suite ?? '', subject.dimension, subject.workflow, variant ?? ''];
  const { direction } = gateMetric(subject.metric);
  return { direction, range, margin, alpha, seed: seedOf(seed, 'compare', ...place) };
}

/** The model ahead of the other first, or the first of the two if neither is. */
export interface OrientedPair extends PairResult {
  readonly ahead: ComparedModel;
  readonly behind: ComparedModel;
}

/** Every pair with the better model first, the most decisive first: by Holm's p, p, then size of the difference. */
export function decisiveFirst({ pairs, models, options: { direction, range } }: Comparison): OrientedPair[] {
  const sign = direction === 'higher' ? 1 : -1;
  return pairs
    .map((pair) => (sign * pair.difference < 0 ? reversed(pair, range) : pair))
    .map((pair) => ({
      ...pair,
      ahead: models[pair.first] as ComparedModel,
      behind: models[pair.second] as ComparedModel,
    }))
    .toSorted((a, b) => a.pHolm - b.pHolm || a.p - b.p || Math.abs(b.difference) - Math.abs(a.difference));
}

const opposite = { better: 'worse', worse: 'better', no_change: 'no_change', inconclusive: 'inconclusive' } as const;

function reversed(pair: PairResult, { kind }: TaskRange): PairResult {
  const { first, second, difference, interval, better, worse, verdict } = pair;
  // A change in percent of the other model's time.
  const negated = (value: number): number => (kind === 'logTime' ? 100 * (1 / (1 + value / 100) - 1) : 0 - value);
  return {
    ...pair,
    ...{ first: second, second: first, better: worse, worse: better, verdict: opposite[verdict] },
    ...{ difference: negated(difference), interval: { lo: negated(interval.hi), hi: negated(interval.lo) } },
  };
}
