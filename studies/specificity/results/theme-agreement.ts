/** PartialOrderEval: agreement of the labelling runs on one theme, with intervals over tasks. */
import type { Row } from '../../../schemas/tables.ts';
import { boundedMeanInterval } from '../../../domain/statistics/intervals/bounded-mean.ts';
import { cohenKappa } from '../../../domain/statistics/cohen-kappa.ts';
import { disagreementRatioInterval } from '../../../domain/statistics/intervals/disagreement-ratio.ts';
import type { Interval } from '../../../domain/statistics/intervals/interval.ts';
import { krippendorffAlpha } from '../../../domain/statistics/krippendorff-alpha.ts';
import { shareBounds } from '../../../domain/metrics/score-intervals.ts';

/** Whether each labelling run found the theme in one summary of a task; null if its answer could not be read. */
export interface LabelledUnit {
  readonly taskId: string;
  readonly found: readonly (boolean | null)[];
}

/**
 * Alpha over all runs, kappa of the first two. Both coefficients, and the ends of their intervals, are 1 minus the
 * ratio of observed to expected disagreement.
 */
export function agreementColumns(units: readonly LabelledUnit[]): Row {
  const alpha = krippendorffAlpha(units.map(({ found }) => found));
  const paired = units.filter(({ found: [first = null, second = null] }) => first !== null && second !== null);
  const pairs = paired.map(({ found }) => [found[0] as boolean, found[1] as boolean] as const);
  const kappa = cohenKappa(pairs);
  const two = paired.map(({ taskId }, index) => ({ taskId, found: pairs[index] as readonly boolean[] }));
  return {
    ...columns('alpha', alpha, units, alphaChance(units)),
    ...columns('kappa', kappa, two, kappaChance(pairs)),
    n: pairs.length,
    reason: alpha === null ? reasonOf(units) : null,
  };
}

function columns(name: string, coefficient: number | null, units: readonly LabelledUnit[], expected: number): Row {
  const ratio = coefficient === null ? null : ratioInterval(1 - coefficient, expected, units);
  return {
    [name]: coefficient,
    [`${name}_lo`]: ratio && Math.max(-1, 1 - ratio.hi),
    [`${name}_hi`]: ratio && 1 - ratio.lo,
  };
}

/** Interval of the ratio of observed to expected disagreement. @param ratio its estimate */
function ratioInterval(ratio: number, expected: number, units: readonly LabelledUnit[]): Interval | null {
  const observed = overTasks(units, ({ yes, labels }) => (2 * yes * (labels - yes)) / (labels - 1));
  const share = overTasks(units, ({ yes }) => yes);
  return observed === null || share === null ? null : disagreementRatioInterval(ratio, expected, observed, share);
}

/** The interval of a mean over labels, over tasks because labels of one task may depend on one another. */
function overTasks(units: readonly LabelledUnit[], sum: (counts: LabelCounts) => number): Interval | null {
  const counted = units
    .map(({ taskId, found }) => ({ taskId, counts: countsOf(found) }))
    .filter(({ counts }) => counts.labels >= 2);
  const tasks = [...Map.groupBy(counted, ({ taskId }) => taskId).values()];
  const weights = tasks.map((own) => own.reduce((total, { counts }) => total + counts.labels, 0));
  const sums = tasks.map((own) => own.reduce((total, { counts }) => total + sum(counts), 0));
  return boundedMeanInterval(
    sums.map((total, index) => total / (weights[index] as number)),
    shareBounds,
    { weights },
  );
}

interface LabelCounts {
  readonly yes: number;
  readonly labels: number;
}

function countsOf(found: readonly (boolean | null)[]): LabelCounts {
  const read = found.filter((value) => value !== null);
  return { yes: read.filter(Boolean).length, labels: read.length };
}

/** The probability that two random labels differ, among all summaries with at least two labels. */
function alphaChance(units: readonly LabelledUnit[]): number {
  const counted = units.map(({ found }) => countsOf(found)).filter(({ labels }) => labels >= 2);
  const labels = counted.reduce((sum, one) => sum + one.labels, 0);
  const yes = counted.reduce((sum, one) => sum + one.yes, 0);
  return (2 * yes * (labels - yes)) / (labels * (labels - 1));
}

/** The probability that a random label of the first run and one of the second differ. */
function kappaChance(pairs: readonly (readonly [boolean, boolean])[]): number {
  const [first, second] = ([0, 1] as const).map(
    (place) => pairs.filter((pair) => pair[place]).length / pairs.length,
  ) as [number, number];
  return first * (1 - second) + second * (1 - first);
}

function reasonOf(units: readonly LabelledUnit[]): string {
  const all = units.map(({ found }) => countsOf(found));
  if (all.every(({ labels }) => labels < 2)) return 'no summary was labelled twice';
  return all.every(({ yes, labels }) => yes === labels) ? 'every run found it in every summary' : 'no run found it';
}
