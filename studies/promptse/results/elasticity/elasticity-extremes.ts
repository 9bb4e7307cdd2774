/**
 * What a task's area and excess may be with the answers that could not be judged: of each prompt's score the least and
 * the most, and from these by interval arithmetic. Bounds that always hold, if not always the closest.
 */
import type { Row } from '../../../../schemas/tables.ts';
import type { OpenValues, ValueByTask } from '../../../../analysis/gate/compared.ts';
import { numberOf, textOf } from '../../../../domain/metrics/row-order.ts';
import type { Interval } from '../../../../domain/statistics/intervals/interval.ts';
import { mean } from '../../../../domain/statistics/spread.ts';
import { type ByDistance, distances } from '../../distances.ts';
import { aucE, aucENormalized } from './auc-e.ts';
import { type Answers, meanDifference, meanDifferenceWithin } from './dealt-answers.ts';
import { allCounts, lightCounts, type Method } from './elasticity-rows.ts';
import type { ElasticityValues } from './elasticity-values.ts';

/** Answers of which some could not be judged. */
interface OpenAnswers extends Answers {
  /** Number of these; `count` has the others. */
  readonly open: number;
}

export type OpenElasticities = Readonly<Record<keyof ElasticityValues, OpenValues>>;

export interface ExtremesQuestion {
  readonly method: Method;
  /** Of what was judged. */
  readonly values: ElasticityValues;
  /** The study's settings; `lightSamples` is absent if all samples count. */
  readonly logprobs: boolean;
  readonly lightSamples?: number | undefined;
}

/**
 * Of the tasks that have an answer to the original and at every distance.
 * @param scores rows of table `prompt_scores` of one study and model
 */
export function elasticityExtremes(
  scores: readonly Row[],
  { method, values, logprobs, lightSamples }: ExtremesQuestion,
): OpenElasticities {
  const counted = scores.filter((row) => row['variant'] === 'original' || row['distance'] !== null);
  const unjudged = counted.reduce((sum, row) => sum + excludedIn(row), 0);
  const known = (own: ValueByTask): OpenValues => ({ values: own, least: own, most: own, unjudged: 0 });
  if (unjudged === 0 || !isMeasured(method, counted, logprobs))
    return { normalized: known(values.normalized), excess: known(values.excess) };
  const question = { method, lightSamples, dealt: rememberedRange() };
  const found = [...Map.groupBy(counted, (row) => textOf(row, 'task_id'))].map(([id, rows]) => ({
    id,
    ranges: rows.some((row) => excludedIn(row) > 0) ? taskRanges(rows, question) : null,
  }));
  const of = (area: keyof ElasticityValues): OpenValues => {
    const ranges = found.flatMap(({ id, ranges: own }): [string, Interval][] => {
      const value = values[area].get(id);
      const range = own === null ? null : own[area];
      if (value === undefined) return range === null ? [] : [[id, range]];
      return [[id, { lo: Math.min(value, range?.lo ?? value), hi: Math.max(value, range?.hi ?? value) }]];
    });
    return {
      ...{ values: values[area], unjudged },
      least: new Map(ranges.map(([id, { lo }]) => [id, lo])),
      most: new Map(ranges.map(([id, { hi }]) => [id, hi])),
    };
  };
  return { normalized: of('normalized'), excess: of('excess') };
}

/** Without log-probabilities the full method has no scores. */
const isMeasured = (method: Method, rows: readonly Row[], logprobs: boolean): boolean =>
  method === 'light' ||
  rows.some((row) => typeof row['soft_exec'] === 'number') ||
  (logprobs && rows.every((row) => row['n_samples'] === 0));

const excludedIn = (row: Row): number => (row['n_excluded'] == null ? 0 : numberOf(row, 'n_excluded'));

interface TaskQuestion {
  readonly method: Method;
  readonly lightSamples?: number | undefined;
  readonly dealt: DealtRange;
}

/** Of a task, or of one distance; null if it has no such value. */
type Ranges = Readonly<Record<keyof ElasticityValues, Interval | null>>;

function taskRanges(rows: readonly Row[], question: TaskQuestion): Ranges {
  const originals = rows.filter((row) => row['variant'] === 'original');
  const found = distances.map((distance) => {
    const variants = rows.filter((row) => row['distance'] === distance);
    return question.method === 'full' ? fullRanges(originals, variants) : lightRanges(originals, variants, question);
  });
  return {
    normalized: areaRange(
      found.map(({ normalized }) => normalized),
      aucENormalized,
    ),
    excess: areaRange(
      found.map(({ excess }) => excess),
      aucE,
    ),
  };
}

function areaRange(
  ranges: readonly (Interval | null)[],
  area: (values: ByDistance<number>) => number,
): Interval | null {
  const known = ranges.filter((range) => range !== null);
  if (known.length < distances.length) return null;
  const [lo, hi] = [known.map((range) => range.lo), known.map((range) => range.hi)];
  return { lo: area(lo as unknown as ByDistance<number>), hi: area(hi as unknown as ByDistance<number>) };
}

const isBaseline = (row: Row): boolean => row['repetition'] === 0;

/** At one distance: the elasticity, and its excess over that of all pairs of draws of the original. */
function fullRanges(originals: readonly Row[], variants: readonly Row[]): Ranges {
  const [score = null] = originals.filter(isBaseline).map(softRange);
  const scores = variants.flatMap((row) => softRange(row) ?? []);
  const distance = score && meanRange(scores.map((own) => apart(score, own)));
  const draws = originals.flatMap((row) => softRange(row) ?? []);
  const byChance = meanRange(
    draws.flatMap((first, index) => draws.slice(index + 1).map((second) => apart(first, second))),
  );
  return { normalized: distance && minus(one, distance), excess: distance && byChance && minus(byChance, distance) };
}

/** An answer that could not be judged may weigh more than all others. Null without log-probabilities, or answers. */
function softRange(row: Row): Interval | null {
  const score = row['soft_exec'];
  if (typeof score !== 'number' && numberOf(row, 'n_samples') > 0) return null;
  if (excludedIn(row) > 0) return { lo: 0, hi: 1 };
  return typeof score === 'number' ? { lo: score, hi: score } : null;
}

/** At one distance. The excess is what `excessLight` has if all answers count. */
function lightRanges(originals: readonly Row[], variants: readonly Row[], question: TaskQuestion): Ranges {
  const light = (row: Row): OpenAnswers => lightAnswers(row, question.lightSamples);
  const own = openSum(originals.filter(isBaseline).map(light));
  const [score, rate] = [shareRange(own), meanRange(variants.flatMap((row) => shareRange(light(row)) ?? []))];
  if (score === null || rate === null) return { normalized: null, excess: null };
  const all = openSum(originals.map((row) => ({ ...allCounts(row), open: excludedIn(row) })));
  return {
    normalized: minus(one, apart(score, rate)),
    excess: originals.length < 2 ? null : question.dealt([own, all, openSum(variants.map(light))]),
  };
}

/** The first samples of a prompt; tables of older programs only have all of them. */
function lightAnswers(row: Row, lightSamples: number | undefined): OpenAnswers {
  const counts = lightCounts(row);
  const asked = numberOf(row, 'n_samples') + excludedIn(row);
  const first = row['light_samples'] == null ? asked : Math.min(asked, lightSamples ?? asked);
  return { ...counts, open: Math.max(0, first - counts.count) };
}

const openSum = (some: readonly OpenAnswers[]): OpenAnswers => ({
  passed: some.reduce((sum, { passed }) => sum + passed, 0),
  count: some.reduce((sum, { count }) => sum + count, 0),
  open: some.reduce((sum, { open }) => sum + open, 0),
});

function shareRange({ passed, count, open }: OpenAnswers): Interval | null {
  const asked = count + open;
  return asked === 0 ? null : { lo: passed / asked, hi: (passed + open) / asked };
}

type DealtRange = (
  answers: readonly [baseline: OpenAnswers, originals: OpenAnswers, variants: OpenAnswers],
) => Interval | null;

/** Many tasks have the same numbers of answers. */
function rememberedRange(): DealtRange {
  const known = new Map<string, Interval | null>();
  return (answers) => {
    const key = JSON.stringify(answers);
    const found = known.get(key);
    if (found !== undefined) return found;
    const range = dealtRange(answers);
    known.set(key, range);
    return range;
  };
}

/** Over all numbers of answers that may pass; those of the baseline as if they were others than the originals'. */
function dealtRange([baseline, originals, variants]: Parameters<DealtRange>[0]): Interval | null {
  const [bases, all, others] = [allAnswers(baseline), allAnswers(originals), allAnswers(variants)];
  const size = baseline.count + baseline.open;
  const samples = Math.min(originals.count + originals.open - size, variants.count + variants.open);
  if (samples < 1) return null;
  const byChance = ends(all.map((one) => meanDifferenceWithin(one, size, samples)));
  const distance = ends(bases.flatMap((base) => others.map((other) => meanDifference(base, other, samples))));
  return minus(byChance, distance);
}

const allAnswers = ({ passed, count, open }: OpenAnswers): Answers[] =>
  Array.from({ length: open + 1 }, (_, more) => ({ passed: passed + more, count: count + open }));

const one: Interval = { lo: 1, hi: 1 };

const minus = (first: Interval, second: Interval): Interval => ({
  lo: first.lo - second.hi,
  hi: first.hi - second.lo,
});

/** Least and most of the distance between a value of each. */
const apart = (first: Interval, second: Interval): Interval => ({
  lo: Math.max(0, first.lo - second.hi, second.lo - first.hi),
  hi: Math.max(first.hi - second.lo, second.hi - first.lo),
});

function ends(values: readonly number[]): Interval {
  const range = { lo: Infinity, hi: -Infinity };
  for (const value of values) {
    range.lo = Math.min(range.lo, value);
    range.hi = Math.max(range.hi, value);
  }
  return range;
}

function meanRange(ranges: readonly Interval[]): Interval | null {
  const [lo, hi] = [mean(ranges.map((range) => range.lo)), mean(ranges.map((range) => range.hi))];
  return lo === null || hi === null ? null : { lo, hi };
}
