/** The models of a comparison in the order of their scores: score, rank, rank interval, posterior rank, letters. */
import { type Extremes, openShare } from '../metrics/sides/extremes.ts';
import { judgedValues } from '../metrics/sides/filled.ts';
import { type TaskRange, valueBounds } from '../metrics/task-range.ts';
import { seedOf } from '../random.ts';
import { boundedMeanInterval } from '../statistics/intervals/bounded-mean.ts';
import { hullOf, type Interval } from '../statistics/intervals/interval.ts';
import { jointPlaces } from '../statistics/intervals/joint-places.ts';
import { compactGroups, groupsByItem, groupText } from '../statistics/ranks/compact-letters.ts';
import { type PosteriorRank, posteriorRanks } from '../statistics/ranks/posterior-ranks.ts';
import { placesOf } from '../statistics/ranks/ranks.ts';
import { mean } from '../statistics/spread.ts';
import type { PairVerdict } from './pair-verdicts.ts';
import type { PairOptions } from './pairs.ts';

/** Without the posterior rank, which takes longest. */
export interface PlainStanding {
  /** Index of the model. */
  readonly model: number;
  /** Mean over the tasks with a judged answer, for times the geometric mean in ms. */
  readonly value: number;
  /** With all that answers that could not be judged allow, over all tasks. */
  readonly interval: Interval;
  /** 1 is best; ties share the mean of their ranks. */
  readonly rank: number;
  /** Holds for all models together. */
  readonly rankInterval: Interval;
  /** Two models share a letter exactly if they do not differ in this family of tests. */
  readonly letters: string;
}

export interface Standing extends PlainStanding {
  /** By a hierarchical model of all means; null if the tasks do not allow one, or too many answers were not judged. */
  readonly posterior: PosteriorRank | null;
}

type StandingOptions = Omit<PairOptions, 'margin'>;

export interface StandingValues {
  /** By model, then by task. */
  readonly values: readonly (readonly number[])[];
  /** Null where no answer was judged; absent if all were. */
  readonly judged?: readonly (readonly (number | null)[])[];
  /** What the values may be with the answers that could not be judged; absent if all were. */
  readonly extremes?: Extremes;
}

function isOpen({ least, most }: Extremes, range: TaskRange): boolean {
  const width = range.kind === 'bounded' ? range.hi - range.lo : 0;
  return least.some((own, model) => (mean(most[model] ?? []) ?? 0) - (mean(own) ?? 0) > openShare * width);
}

/** As `plainStandings`, with posterior ranks; without, if answers that could not be judged may change them. */
export function standingsOf(
  standing: StandingValues,
  pairs: readonly PairVerdict[],
  options: StandingOptions,
): Standing[] {
  const { values, extremes } = standing;
  const { range, alpha, seed } = options;
  const width = range.kind === 'bounded' ? range.hi - range.lo : null;
  const asked = { seed: seedOf(seed, 'posterior ranks'), level: 1 - alpha, width };
  const posterior =
    extremes !== undefined && isOpen(extremes, range) ? null : posteriorRanks(goodValues(values, options), asked);
  return plainStandings(standing, pairs, options).map((plain) => ({
    ...plain,
    posterior: posterior?.[plain.model] ?? null,
  }));
}

/** Best model first; ties in the order given. @param standing at least one task */
export function plainStandings(
  standing: StandingValues,
  pairs: readonly PairVerdict[],
  options: StandingOptions,
): PlainStanding[] {
  const { values } = standing;
  const { range, alpha, seed } = options;
  const level = 1 - alpha;
  const means = values.map((own) => mean(own) as number);
  const scores = goodValues(values, options);
  const ranks = placesOf(scores.map((own) => mean(own) as number));
  // As for letters: models that differ by no more than a margin share their places.
  const apart = pairs.filter(({ verdict }) => verdict !== 'no_change');
  const { places } = jointPlaces(scores, apart, { seed: seedOf(seed, 'ranks'), level });
  const order = ranks.map((_, model) => model).toSorted((a, b) => (ranks[a] as number) - (ranks[b] as number) || a - b);
  const letters = lettersOf(order, pairs);
  return order.map((model, place) => ({
    model,
    value: shownValue(range, means[model] as number),
    interval: modelInterval(standing, model, range, level),
    rank: ranks[model] as number,
    rankInterval: places[model] as Interval,
    letters: letters[place] as string,
  }));
}

/** On a scale where more is better. */
const goodValues = (values: readonly (readonly number[])[], { direction }: StandingOptions): readonly number[][] =>
  values.map((own) => own.map((value) => (direction === 'higher' ? value : -value)));

const shownValue = ({ kind }: TaskRange, value: number): number => (kind === 'logTime' ? Math.exp(value) : value);

/** Of the judged answers, widened to all that the others of the model allow. */
export function modelInterval(
  { values, judged = values, extremes }: StandingValues,
  model: number,
  range: TaskRange,
  level: number,
): Interval {
  const own = valueInterval(judgedValues(judged[model] ?? []), range, level);
  if (extremes === undefined) return own;
  const [least, most] = [extremes.least[model] ?? [], extremes.most[model] ?? []];
  const { lo } = valueInterval(least, range, level);
  return hullOf(own, { lo, hi: valueInterval(most, range, level).hi });
}

function valueInterval(values: readonly number[], range: TaskRange, level: number): Interval {
  const { lo, hi } = boundedMeanInterval(values, valueBounds(range, values), { level }) as Interval;
  // Assumed bounds are those of a change: a density or a time itself is at least 0.
  const least = range.kind === 'assumed' ? Math.max(0, lo) : lo;
  return { lo: shownValue(range, least), hi: shownValue(range, hi) };
}

/** By place in the order: the letters of the groups that differ nowhere within. */
export function lettersOf(order: readonly number[], pairs: readonly PairVerdict[]): string[] {
  const models = order.length;
  const differing = new Set(
    pairs
      .filter(({ verdict }) => verdict === 'better' || verdict === 'worse')
      .flatMap(({ first, second }) => [first * models + second, second * models + first]),
  );
  const groups = compactGroups(models, (a, b) => differing.has((order[a] as number) * models + (order[b] as number)));
  return groupsByItem(groups, models).map((own) => groupText(own, groups.length));
}
