/** Whether repetitions of a study agree: equal verdicts, Fleiss' kappa, and flaky tasks. */
import { shareBounds } from '../../../domain/metrics/score-intervals.ts';
import { boundedMeanInterval } from '../../../domain/statistics/intervals/bounded-mean.ts';
import { disagreementRatioInterval } from '../../../domain/statistics/intervals/disagreement-ratio.ts';
import type { Interval } from '../../../domain/statistics/intervals/interval.ts';
import { mean } from '../../../domain/statistics/spread.ts';

/** Samples of one task in one repetition: those that count, and those that passed. */
export interface SampleCount {
  readonly counted: number;
  readonly passed: number;
}

interface Kappa {
  readonly value: number | null;
  readonly interval: Interval | null;
  /** Why the value is null. */
  readonly reason: string | null;
}

const withSamples = (least: number) => (count: SampleCount) => count.counted >= least;

/** Null if fewer than two samples count. */
export function isFlaky(repetitions: readonly SampleCount[]): boolean | null {
  const counted = repetitions.reduce((sum, one) => sum + one.counted, 0);
  const passed = repetitions.reduce((sum, one) => sum + one.passed, 0);
  return counted < 2 ? null : passed > 0 && passed < counted;
}

/** Whether the task was solved in some repetitions only. Null if samples count in fewer than two repetitions. */
export function isFlakyAcross(repetitions: readonly SampleCount[]): boolean | null {
  const used = repetitions.filter(withSamples(1));
  const solved = used.filter(({ passed }) => passed > 0).length;
  return used.length < 2 ? null : solved > 0 && solved < used.length;
}

/**
 * The probability that a random sample of one repetition and one of another have equal verdicts, as the mean over all
 * pairs of repetitions. Null if samples count in fewer than two. Example: 2 of 2 passed and 1 of 2: 0.5.
 */
export function agreementAcross(repetitions: readonly SampleCount[]): number | null {
  const used = repetitions.filter(withSamples(1));
  return mean(used.flatMap((one, place) => used.slice(place + 1).map((other) => equalShare(one, other))));
}

const equalShare = (one: SampleCount, other: SampleCount): number =>
  (one.passed * other.passed + (one.counted - one.passed) * (other.counted - other.passed)) /
  (one.counted * other.counted);

/**
 * The same for two different samples of one repetition, as the mean over the repetitions with at least two samples.
 * Null if there is none. Example: 1 of 3 passed: 1/3.
 */
export const agreementWithin = (repetitions: readonly SampleCount[]): number | null =>
  mean(
    repetitions.filter(withSamples(2)).map(({ counted, passed }) => {
      const failed = counted - passed;
      return (passed * (passed - 1) + failed * (failed - 1)) / (counted * (counted - 1));
    }),
  );

/**
 * Fleiss' kappa (1971) of the repetitions as raters, whose subjects are the samples of each task; which sample of one
 * repetition is paired with which of another is arbitrary, so this is its mean over all ways to pair them. With one
 * sample a task it is Fleiss' kappa itself. Tasks are clusters, weighted equally. The interval is over tasks.
 */
export function fleissKappa(tasks: readonly (readonly SampleCount[])[]): Kappa {
  const used = tasks.map((repetitions) => repetitions.filter(withSamples(1))).filter(({ length }) => length >= 2);
  if (used.length === 0)
    return { value: null, interval: null, reason: 'no task has samples in at least two repetitions' };
  const apart = used.map((repetitions) => 1 - (agreementAcross(repetitions) as number));
  const shares = used.map((repetitions) => mean(repetitions.map(({ counted, passed }) => passed / counted)) as number);
  const share = mean(shares) as number;
  const expected = 2 * share * (1 - share);
  if (shares.every((one) => one === 0) || shares.every((one) => one === 1))
    return { value: null, interval: null, reason: `every sample ${shares[0] === 0 ? 'failed' : 'passed'}` };
  const ratio = (mean(apart) as number) / expected;
  const found = disagreementRatioInterval(
    ratio,
    expected,
    boundedMeanInterval(apart, shareBounds) as Interval,
    boundedMeanInterval(shares, shareBounds) as Interval,
  );
  return { value: 1 - ratio, interval: { lo: Math.max(-1, 1 - found.hi), hi: 1 - found.lo }, reason: null };
}
