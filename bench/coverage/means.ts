/** Means over tasks as in the studies: tasks differ in difficulty, and samples of the same task are dependent. */
import { boundedMeanInterval } from '../../domain/statistics/intervals/bounded-mean.ts';
import { clusteredInterval } from '../../domain/statistics/intervals/clustered-interval.ts';
import { geometricMean } from '../../domain/statistics/geometric-mean.ts';
import type { Interval } from '../../domain/statistics/intervals/interval.ts';
import { shareInterval } from '../../domain/statistics/intervals/share-interval.ts';
import type { Random } from './random.ts';

export interface Simulated<Task> {
  readonly name: string;
  readonly method: string;
  /** One task under a model of ability `p`. */
  readonly task: (random: Random, p: number) => Task;
  /** The task's part of the estimate, which estimates the mean of this value's expectation. */
  readonly value: (task: Task) => number;
  readonly interval: (tasks: readonly Task[]) => Interval | null;
}

/** How similar tasks are: at 1.5 most are nearly always or nearly never solved. */
const alike = 1.5;

const passes = (random: Random, chance: number, samples: number): number[] =>
  Array.from({ length: samples }, () => Number(random.uniform() < chance));
const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** SoftExec of some samples, one list of log-probabilities each. */
function softScore(random: Random, chance: number, samples: number): number {
  const weights = Array.from({ length: samples }, () => Math.exp(2 * random.normal()));
  const passed = passes(random, chance, samples);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.reduce((sum, weight, index) => sum + weight * (passed[index] as number), 0) / total;
}

/** The task's probability under another wording, slightly higher or lower. */
const reworded = (random: Random, chance: number, by: number): number =>
  Math.max(0, Math.min(1, chance + by * random.normal()));

function elasticity(random: Random, chance: number, by: number): number {
  const original = softScore(random, chance, 5);
  return 1 - mean([1, 2, 3].map(() => Math.abs(original - softScore(random, reworded(random, chance, by), 5))));
}

const identity = (value: number): number => value;
const unit = { lo: 0, hi: 1 };
const gaffke = 'Gaffke';

const share: Simulated<number> = {
  name: 'share of tasks',
  method: 'Clopper-Pearson',
  task: (random, p) => Number(random.uniform() < p),
  value: identity,
  interval: (tasks) => shareInterval(tasks.filter(Boolean).length, tasks.length),
};

const clustered: Simulated<readonly number[]> = {
  name: 'pass@1, 1 to 5 samples a task',
  method: gaffke,
  task: (random, p) => passes(random, random.beta(p, alike), 5),
  value: mean,
  // Samples are missing at random: which ones does not depend on their result.
  interval: (tasks) =>
    clusteredInterval(
      tasks.map((own, task) => own.slice(0, 1 + ((task * 3) % 5))),
      identity,
      unit,
    ),
};

const bounded = (name: string, bounds: Interval, task: Simulated<number>['task']): Simulated<number> => ({
  name,
  method: gaffke,
  task,
  value: identity,
  interval: (tasks) => boundedMeanInterval(tasks, bounds),
});

const twoThirds = { lo: 0, hi: 2 / 3 };

export const simulatedMeans = [
  share,
  clustered,
  bounded('SoftExec, 5 samples', unit, (random, p) => softScore(random, random.beta(p, alike), 5)),
  bounded('elasticity', unit, (random, p) => elasticity(random, random.beta(p, alike), 0.2)),
  bounded('AUC-E', twoThirds, (random, p) => {
    const chance = random.beta(p, alike);
    return (
      (elasticity(random, chance, 0.1) + 4 * elasticity(random, chance, 0.2) + elasticity(random, chance, 0.3)) / 9
    );
  }),
  bounded('detail curve, 3 orders of 4 samples', unit, (random, p) => {
    const chance = random.beta(p, alike);
    return mean([1, 2, 3].map(() => mean(passes(random, reworded(random, chance, 0.15), 4))));
  }),
  bounded('paired difference of pass rates', { lo: -1, hi: 1 }, (random, p) => {
    const chance = random.beta(p, alike);
    return mean(passes(random, chance, 3)) - mean(passes(random, reworded(random, chance, 0.1), 3));
  }),
] as const;

/** @param p sets the spread of the ratios */
export const geometric: Simulated<readonly number[]> = {
  name: 'ratios of lengths or times, 3 a task',
  method: "Student's t of logarithms",
  task: (random, p) => {
    const own = 2 * p * random.normal();
    return [1, 2, 3].map(() => Math.exp(own + 0.3 * random.normal()));
  },
  value: (task) => mean(task.map(Math.log)),
  interval: (tasks) => {
    const found = geometricMean(tasks)?.interval;
    return found ? { lo: Math.log(found.lo), hi: Math.log(found.hi) } : null;
  },
};
