/** The power of a comparison of two models on the same tasks: sign flips over tasks, two-sided. */
import { normalQuantile, normalTail } from '../special.ts';
import { type AnswerSpread, type ModelPair, modelPair, taskKinds } from './answer-spread.ts';
import { mcnemarPower } from './mcnemar-power.ts';

/** What each model is asked. Answers per task: repetitions x samples. */
export interface ComparisonSize {
  readonly tasks: number;
  /** How often a task is asked again with a prompt of its own. */
  readonly repetitions: number;
  /** Answers to one prompt. */
  readonly samples: number;
}

export interface ComparisonTruth {
  readonly spread: AnswerSpread;
  /** True difference of the pass rates, 0 to 1. */
  readonly difference: number;
  /** Probability of a false alarm of the two-sided test. */
  readonly alpha: number;
}

/** The power of comparisons of any size. */
export type PowerOf = (size: ComparisonSize) => number;

/**
 * The probability that the sign-flip test of the tasks' differences finds the difference, in its direction. With one
 * answer per task it is the power of McNemar's exact test. With more, which may differ, it is a normal approximation of
 * sum d - w sqrt(sum d²), d being a task's difference: the test rejects where this is positive, w being the normal
 * quantile corrected for the kurtosis of the flips and half a step between possible sums.
 */
export function comparisonPower({ spread, difference, alpha }: ComparisonTruth): PowerOf {
  const pair = modelPair(spread, difference);
  const moments = momentsOf(pair);
  const both = pair.old * pair.now + pair.shared;
  return (size) =>
    size.repetitions * size.samples === 1 || pair.decided > nearlyDecided
      ? mcnemarPower(size.tasks, { gained: pair.now - both, lost: pair.old - both }, alpha)
      : flipPower(size, moments(effectiveAnswers(size, spread.runShare)), alpha);
}

/** Above this share between tasks, all answers to a task are the same, so that more of them change nothing. */
const nearlyDecided = 0.995;

/** Samples of a repetition are not independent, so that all answers together count as fewer. */
export const effectiveAnswers = (
  { repetitions, samples }: Pick<ComparisonSize, 'repetitions' | 'samples'>,
  runShare: number,
): number => (repetitions * samples) / (1 + (samples - 1) * runShare);

/** Raw moments of a task's difference: the means of d, d², d³ and d⁴. */
type Moments = readonly [number, number, number, number];

/** By answers per task. The first two are exact; the others are those of the kinds of tasks. */
function momentsOf(pair: ModelPair): (answers: number) => Moments {
  let made: ReturnType<typeof taskKinds> | undefined;
  const known = new Map<number, Moments>();
  return (answers) => {
    made ??= taskKinds(pair);
    const found = known.get(answers) ?? momentsWith(pair, made, answers);
    known.set(answers, found);
    return found;
  };
}

function momentsWith(pair: ModelPair, { kinds, shared }: ReturnType<typeof taskKinds>, answers: number): Moments {
  let [third, fourth] = [0, 0];
  for (const { weight, old, now } of kinds) {
    const [v, u] = [old * (1 - old), now * (1 - now)];
    const mean = now - old;
    // Cumulants of the difference of two means of `answers` trials.
    const spread = (u + v) / answers;
    const skew = (u * (1 - 2 * now) - v * (1 - 2 * old)) / answers ** 2;
    const peak = (u * (1 - 6 * u) + v * (1 - 6 * v)) / answers ** 3;
    third += weight * (skew + 3 * spread * mean + mean ** 3);
    fourth += weight * (peak + 3 * spread ** 2 + 4 * skew * mean + 6 * spread * mean ** 2 + mean ** 4);
  }
  const total = pair.old * (1 - pair.old) + pair.now * (1 - pair.now);
  const between = Math.max(0, pair.decided * total - 2 * shared);
  const first = pair.now - pair.old;
  return [first, first ** 2 + between + ((1 - pair.decided) * total) / answers, third, fourth];
}

function flipPower({ tasks, repetitions, samples }: ComparisonSize, moments: Moments, alpha: number): number {
  const [first, second, third, fourth] = moments;
  // Not even the same sign on every task is significant.
  if (second <= 0 || 2 ** (1 - tasks) > alpha) return 0;
  const z = normalQuantile(1 - alpha / 2);
  const peaked = fourth / second ** 2;
  const w = z - (peaked * (z ** 3 - 3 * z)) / (12 * tasks);
  const size = Math.sqrt(tasks * second);
  const squares = Math.max(0, fourth - second ** 2);
  const root = size - squares / (8 * second * size);
  const step = 1 / (repetitions * samples);
  const mean = tasks * first - w * root - step;
  const variance =
    tasks * (second - first ** 2) -
    (w * Math.sqrt(tasks) * (third - first * second)) / Math.sqrt(second) +
    (w ** 2 * squares) / (4 * second);
  return variance <= 0 ? Number(mean > 0) : normalTail(-mean / Math.sqrt(variance));
}
