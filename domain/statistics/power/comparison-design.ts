/** How many tasks, repetitions and samples a comparison needs, and what fewer can see. */
import { type ComparisonSize, comparisonPower, type ComparisonTruth, type PowerOf } from './comparison-power.ts';

/** What one model charges, USD. */
export interface AnswerPrice {
  /** For reading the prompt of one request. */
  readonly prompt: number;
  /** For writing one answer. */
  readonly answer: number;
  /** The most answers that one request may ask for. */
  readonly samplesPerRequest: number;
}

export interface DesignLimits {
  /** Tasks that the benchmark has; null: as many as needed. */
  readonly tasks: number | null;
  /** The most answers per task, repetitions x samples. */
  readonly answers: number;
}

export interface Design extends ComparisonSize {
  /** Probability that the comparison finds the difference. */
  readonly power: number;
  /** Of both models together; null if a price is unknown. */
  readonly usd: number | null;
}

/** No larger number of tasks is considered. */
export const mostTasks = 1_000_000;

export function usdOf({ tasks, repetitions, samples }: ComparisonSize, prices: readonly AnswerPrice[]): number {
  const perPrompt = ({ prompt, answer, samplesPerRequest }: AnswerPrice): number =>
    prompt * Math.ceil(samples / samplesPerRequest) + answer * samples;
  return tasks * repetitions * prices.reduce((sum, price) => sum + perPrompt(price), 0);
}

/** @param prices of the two models; null if unknown */
export const designOf = (size: ComparisonSize, powerOf: PowerOf, prices: readonly AnswerPrice[] | null): Design => ({
  ...size,
  power: powerOf(size),
  usd: prices === null ? null : usdOf(size, prices),
});

/**
 * The cheapest design with this power; without prices, the one with the fewest answers. Several samples are considered
 * only if a request may ask for several: otherwise repetitions cost the same and say at least as much. Null if all
 * tasks with the most answers have less power.
 */
export function cheapestDesign(
  powerOf: PowerOf,
  power: number,
  limits: DesignLimits,
  prices: readonly AnswerPrice[] | null,
): Design | null {
  const several = (prices ?? []).some(({ samplesPerRequest }) => samplesPerRequest > 1);
  const designs = splits(limits.answers, several).flatMap((split) => {
    const tasks = fewestTasks(split, powerOf, power, limits.tasks ?? mostTasks);
    return tasks === null ? [] : [designOf({ ...split, tasks }, powerOf, prices)];
  });
  const effort = (design: Design): number => design.usd ?? design.tasks * design.repetitions * design.samples;
  const [first, ...others] = designs;
  if (first === undefined) return null;
  // In the order of `splits`, so that of equally cheap ones the one with the fewest answers per task counts.
  return others.reduce((best, one) => (effort(one) < effort(best) * (1 - 1e-9) ? one : best), first);
}

type Split = Omit<ComparisonSize, 'tasks'>;

/** By answers per task, fewer samples first. */
function splits(mostAnswers: number, several: boolean): Split[] {
  const all: Split[] = [];
  for (let samples = 1; samples <= (several ? mostAnswers : 1); samples += 1)
    for (let repetitions = 1; repetitions * samples <= mostAnswers; repetitions += 1)
      all.push({ repetitions, samples });
  return all.toSorted((a, b) => a.repetitions * a.samples - b.repetitions * b.samples || a.samples - b.samples);
}

/** Null if `most` tasks are too few. */
export function fewestTasks(split: Split, powerOf: PowerOf, power: number, most: number): number | null {
  const reaches = (tasks: number): boolean => powerOf({ ...split, tasks }) >= power;
  let [below, enough] = [0, Math.min(most, 64)];
  while (!reaches(enough)) {
    if (enough === most) return null;
    [below, enough] = [enough, Math.min(most, 2 * enough)];
  }
  while (enough - below > 1) {
    const middle = Math.floor((below + enough) / 2);
    if (reaches(middle)) enough = middle;
    else below = middle;
  }
  return enough;
}

/** The smallest difference, 0 to 1, that a comparison of this size finds with this power; null if it finds none. */
export function smallestDifference(
  size: ComparisonSize,
  { spread, alpha }: Omit<ComparisonTruth, 'difference'>,
  power: number,
): number | null {
  const finds = (difference: number): boolean => comparisonPower({ spread, difference, alpha })(size) >= power;
  let [missed, found] = [0, 1];
  if (!finds(found)) return null;
  while (found - missed > 1e-6) {
    const middle = (found + missed) / 2;
    if (finds(middle)) found = middle;
    else missed = middle;
  }
  return found;
}
