/** The entries of a card: one metric of several models, each with its interval and its rank among them. */
import { pairVerdicts } from '../compare/pair-verdicts.ts';
import { plainStandings } from '../compare/standings.ts';
import { endsOf, type Extremes, openSides } from '../metrics/sides/extremes.ts';
import { filledValues, judgedValues } from '../metrics/sides/filled.ts';
import { seedOf } from '../random.ts';
import { boundedMeanMethod, openMethod } from '../statistics/intervals/bounded-mean.ts';
import { hullOf, type Interval } from '../statistics/intervals/interval.ts';
import { atMostMethod, type CardMeasure, type ModelEstimate } from './card-measure.ts';
import type { ModelMeasure, TaskMeasure } from './card-measure.ts';
import { type CardRank, estimateRanks } from './estimate-ranks.ts';

export interface CardEntry {
  /** Index of the model. */
  readonly model: number;
  /** Null if it is undefined. */
  readonly value: number | null;
  readonly interval: ModelEstimate['interval'];
  readonly method: string;
  /** Tasks that all ranked models share and of which this one's answers were judged; and tasks of this model. */
  readonly tasks: number;
  readonly ownTasks: number;
  /** Tasks that all ranked models share, judged or not; null of an estimate that is no mean over tasks. */
  readonly sharedTasks: number | null;
  /** Null without a value. */
  readonly rank: CardRank | null;
  readonly reason: string | null;
}

export interface EntryOptions {
  readonly alpha: number;
  readonly seed: number;
}

const pairRankMethod = 'Holm over exact tests of all pairs, with answers that could not be judged at their worst';
/** As earlier programs stored it, which left such answers out of all models' entries. */
export const earlierRankMethod = 'Holm over exact tests of all pairs';

const noSharedValue = 'it has no value on the shared tasks';

/** One entry per model that the metric applies to. @param changed tasks that differ between runs: not used */
export const cardEntries = (measure: CardMeasure, changed: ReadonlySet<string>, options: EntryOptions): CardEntry[] =>
  'values' in measure ? taskEntries(measure, changed, options) : modelEntries(measure, options);

/** Models without any task are left out of the tasks that all share. */
function taskEntries(measure: TaskMeasure, changed: ReadonlySet<string>, options: EntryOptions): CardEntry[] {
  const present = measure.values.flatMap((own, model) => (own.size > 0 ? [model] : []));
  const matrix = matrixOf(measure, present, changed);
  // Of a model whose shared tasks have unjudged answers only, nothing is known there.
  const places = present.flatMap((_, place) => (hasJudged(matrix.judged[place]) ? [place] : []));
  const known = places.map((place) => present[place] as number);
  const absent = measure.values.flatMap((own, model) =>
    known.includes(model) ? [] : [withoutValue(measure, model, own.size, matrix.taskIds.length)],
  );
  return known.length === 0 ? absent : [...rankedEntries(measure, known, ofPlaces(matrix, places), options), ...absent];
}

const hasJudged = (own: readonly (number | null)[] = []): boolean => own.some((value) => value !== null);

function withoutValue(measure: TaskMeasure, model: number, tasksWithValue: number, shared: number): CardEntry {
  const ownTasks = measure.ownTasks?.[model] ?? tasksWithValue;
  const ofShared = shared === 0 ? 'the models share no task with a value' : noSharedValue;
  const reason = ownTasks === 0 ? 'no task has a value' : ofShared;
  return {
    ...{ model, value: null, interval: null, method: boundedMeanMethod, tasks: 0, ownTasks, rank: null },
    sharedTasks: shared,
    reason: measure.whyNone?.[model] ?? reason,
  };
}

function rankedEntries(
  measure: TaskMeasure,
  present: readonly number[],
  { taskIds, judged, extremes }: Matrix,
  { alpha, seed }: EntryOptions,
): CardEntry[] {
  const { metric, condition, range, values, ownTasks, intervalOf } = measure;
  const shared = judged.map((own, place) => filledValues(own, extremes === null ? undefined : endsOf(extremes, place)));
  const { direction } = metric;
  const asked = { direction, range, alpha, seed: seedOf(seed, 'card', metric.name, condition) };
  const verdicts = pairVerdicts(shared, asked, extremes);
  const [better, worse] = [present.map(() => 0), present.map(() => 0)];
  const count = (counts: number[], place: number): void => {
    counts[place] = (counts[place] as number) + 1;
  };
  for (const { first, second, verdict } of verdicts) {
    if (verdict === 'inconclusive') continue;
    const [ahead, behind] = verdict === 'better' ? [first, second] : [second, first];
    count(worse, ahead);
    count(better, behind);
  }
  const isOpen = extremes === null ? [] : openSides(extremes);
  const standing = { values: shared, judged, ...(extremes && { extremes }) };
  return plainStandings(standing, verdicts, asked).map(
    ({ model: place, value, interval, rank, rankInterval, letters }) => {
      const model = present[place] as number;
      const own = intervalOf === undefined ? interval : intervalOf(model, taskIds, 1 - alpha);
      return {
        ...{ model, value },
        interval: isOpen[place] === true ? widened(own, interval) : own,
        method: isOpen[place] === true ? openMethod : boundedMeanMethod,
        ...{ tasks: judgedValues(judged[place] ?? []).length, sharedTasks: taskIds.length },
        ...{ ownTasks: ownTasks?.[model] ?? values[model]?.size ?? 0, reason: null },
        rank: {
          ...{ rank, interval: rankInterval, letters, models: present.length, method: pairRankMethod },
          ...{ better: better[place] as number, worse: worse[place] as number },
        },
      };
    },
  );
}

const widened = (own: Interval | null, open: Interval): Interval => (own === null ? open : hullOf(own, open));

/** By model, then by task. */
interface Matrix {
  readonly taskIds: readonly string[];
  /** Null where no answer was judged. */
  readonly judged: readonly (readonly (number | null)[])[];
  readonly extremes: Extremes | null;
}

/** The unchanged tasks that all these models have a value for, or have answered if some answers were not judged. */
function matrixOf({ values, extremes }: TaskMeasure, models: readonly number[], changed: ReadonlySet<string>): Matrix {
  const known = models.map((model) => (extremes?.least ?? values)[model] ?? new Map<string, number>());
  const taskIds = [...(known[0]?.keys() ?? [])].filter(
    (task) => !changed.has(task) && known.every((own) => own.has(task)),
  );
  const rowsOf = (maps: readonly ReadonlyMap<string, number>[]) =>
    models.map((model) => taskIds.map((task) => maps[model]?.get(task) as number));
  return {
    taskIds,
    judged: models.map((model) => taskIds.map((task) => values[model]?.get(task) ?? null)),
    extremes: extremes === undefined ? null : { least: rowsOf(extremes.least), most: rowsOf(extremes.most) },
  };
}

/** Of the models in these places, on the same tasks. */
function ofPlaces({ taskIds, judged, extremes }: Matrix, places: readonly number[]): Matrix {
  const kept = <T>(all: readonly T[]): T[] => places.map((place) => all[place] as T);
  return {
    ...{ taskIds, judged: kept(judged) },
    extremes: extremes && { least: kept(extremes.least), most: kept(extremes.most) },
  };
}

function modelEntries(measure: ModelMeasure, { alpha }: EntryOptions): CardEntry[] {
  const { metric, method, estimates, pairs, isUnranked = false } = measure;
  const found = estimates(1 - alpha);
  const ranks = isUnranked ? [] : estimateRanks(found, estimates, { direction: metric.direction, alpha }, pairs);
  return found.flatMap((one, model) =>
    one === null
      ? []
      : [
          {
            ...{ model, value: one.value, interval: one.interval, rank: ranks[model] ?? null },
            method: one.isAtMost === true ? `${method}${atMostMethod}` : method,
            ...{ tasks: one.tasks, ownTasks: one.ownTasks, sharedTasks: null, reason: one.reason },
          },
        ],
  );
}
