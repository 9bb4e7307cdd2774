/** Where the variance of answers is: models, tasks, wordings, their interactions, repetitions and samples. */
import { rounding } from '../rounding.ts';
import type { TaskSums } from './answer-groups.ts';
import { type CrossedSizes, factorCount, isWithin, levelsOf, meanSquares, presentFactors } from './crossed-squares.ts';

export const partNames = [
  'task',
  'model',
  'model_task',
  'variant',
  'task_variant',
  'model_variant',
  'model_task_variant',
  'run',
  'sample',
] as const;
export type PartName = (typeof partNames)[number];

/** The interaction of everything that varies. */
export const widestPart = (models: number, wordings: number): PartName =>
  models > 1 ? (wordings > 1 ? 'model_task_variant' : 'model_task') : wordings > 1 ? 'task_variant' : 'task';

/** A part is null if the design cannot tell it from another one. */
export type VarianceParts = Readonly<Record<PartName, number | null>>;

/** In the order of their bits: `partNames[factors - 1]`. */
const effects = partNames.slice(0, 7);

/**
 * Moment estimates (analysis of variance, every factor random): the mean square of an effect contains its own variance
 * and that of every interaction with it, so that the parts follow from sums and differences of mean squares (Searle,
 * Casella and McCulloch 1992, chapter 4). Cells may have different numbers of repetitions and samples: they count by
 * their means, and what samples and repetitions add to these is subtracted. Estimates are unbiased, and may be
 * negative where the true variance is small. With one answer per cell, the interaction of all factors contains the
 * samples, and is given as `sample`. Null for fewer than two tasks.
 */
export function varianceParts(tasks: readonly TaskSums[], models: number, wordings: number): VarianceParts | null {
  if (tasks.length < 2) return null;
  const sizes: CrossedSizes = [tasks.length, models, wordings];
  const squares = meanSquares(
    tasks.map(({ means }) => means),
    sizes,
  );
  const all = presentFactors(sizes);
  const noise = noiseOf(tasks, models * wordings);
  const parts = Object.fromEntries(
    effects.map((name, index) => [name, squares.has(index + 1) ? partOf(index + 1, squares, sizes) : null]),
  ) as Record<PartName, number | null>;
  const last = effects[all - 1] as PartName;
  const rest = parts[last] as number;
  return noise === null
    ? { ...parts, [last]: null, run: null, sample: rest }
    : { ...parts, [last]: rest - noise.ofMeans, run: noise.run, sample: noise.sample };
}

function partOf(factors: number, squares: ReadonlyMap<number, number>, sizes: CrossedSizes): number {
  let sum = 0;
  for (const [others, square] of squares)
    if (isWithin(factors, others)) sum += ((factorCount(others) - factorCount(factors)) % 2 === 0 ? 1 : -1) * square;
  const part = (sum * levelsOf(factors, sizes)) / levelsOf(7, sizes);
  return Math.abs(part) <= rounding ? 0 : part;
}

interface Noise {
  readonly sample: number;
  /** Null if no cell has several repetitions, or no repetition has several samples. */
  readonly run: number | null;
  /** The mean variance of a cell's mean that comes from both. */
  readonly ofMeans: number;
}

/** Null if every cell has one answer. */
function noiseOf(tasks: readonly TaskSums[], cells: number): Noise | null {
  const sum = (value: (task: TaskSums) => number): number => tasks.reduce((total, task) => total + value(task), 0);
  const [samples, repetitions] = [
    sum(({ sampleFreedom }) => sampleFreedom),
    sum(({ repetitionFreedom }) => repetitionFreedom),
  ];
  if (samples === 0 && repetitions === 0) return null;
  const between = sum(({ betweenRepetitions }) => betweenRepetitions);
  const inMeans = {
    sample: sum(({ samplesInMeans }) => samplesInMeans) / (cells * tasks.length),
    run: sum(({ repetitionsInMeans }) => repetitionsInMeans) / (cells * tasks.length),
  };
  // Each repetition has one sample: the two cannot be told apart.
  if (samples === 0) {
    const sample = between / repetitions;
    return { sample, run: null, ofMeans: sample * inMeans.run };
  }
  const sample = sum(({ withinRepetitions }) => withinRepetitions) / samples;
  const run =
    repetitions === 0
      ? null
      : (between - sample * sum(({ samplesInRepetitions }) => samplesInRepetitions)) / repetitions;
  return { sample, run, ofMeans: sample * inMeans.sample + (run ?? 0) * inMeans.run };
}
