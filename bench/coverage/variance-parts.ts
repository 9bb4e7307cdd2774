/** Variance parts of answers: two models, three samples of each task. */
import { stdevParts } from '../../domain/metrics/variance/stdev-parts.ts';
import { standardDeviation } from '../../domain/statistics/spread.ts';
import { observedSpread } from '../../domain/statistics/power/observed-spread.ts';
import { taskSums } from '../../domain/statistics/variance/answer-groups.ts';
import { partEstimates } from '../../domain/statistics/variance/part-estimates.ts';
import type { PartName } from '../../domain/statistics/variance/variance-parts.ts';
import type { SimulatedEstimate } from './estimates.ts';
import type { Random } from './random.ts';

const method = 'jackknife';
/** A model's rate over tasks has a beta distribution of this sum. */
const alike = 2;
/** In this share of the tasks both models have the same rate. */
const together = 0.5;
const between = (p: number): number => (p * (1 - p)) / (alike + 1);

const truths: Readonly<Partial<Record<PartName, (p: number) => number>>> = {
  task: (p) => together * between(p),
  model_task: (p) => (1 - together) * between(p),
  sample: (p) => p * (1 - p) - between(p),
};

const samplesOf = (random: Random, rate: number): number[][] => [[0, 1, 2].map(() => Number(random.uniform() < rate))];

const intervalOf = (part: PartName, tasks: ReturnType<typeof taskSums>[]) =>
  partEstimates(tasks, 2, 1)?.find((one) => one.part === part)?.interval ?? null;

const parts = Object.entries(truths).map(
  ([part, truth]): SimulatedEstimate => ({
    name: `variance part ${part}, 2 models x 3 samples`,
    method,
    truth: (_random, p) => truth(p),
    interval: (random, p, n) =>
      intervalOf(
        part as PartName,
        Array.from({ length: n }, () => {
          const rate = random.beta(p, alike);
          const other = random.uniform() < together ? rate : random.beta(p, alike);
          return taskSums([[samplesOf(random, rate)], [samplesOf(random, other)]]);
        }),
      ),
  }),
);

/** The second model passes four fifths of what the first one does. */
const models: SimulatedEstimate = {
  name: 'variance part model, 2 models x 3 samples',
  method,
  truth: (_random, p) => (0.2 * p) ** 2 / 2,
  interval: (random, p, n) =>
    intervalOf(
      'model',
      Array.from({ length: n }, () => {
        const rate = random.beta(p, alike);
        return taskSums([[samplesOf(random, rate)], [samplesOf(random, 0.8 * rate)]]);
      }),
    ),
};

/** Ten phrasings that lower a task's rate to 80 to 98 % of itself. */
const factors = Array.from({ length: 10 }, (_, index) => 0.8 + 0.02 * index);
const phrasing: SimulatedEstimate = {
  name: 'STDEV over 10 phrasings that differ, its part by phrasing',
  method,
  truth: (_random, p) => standardDeviation(factors.map((factor) => factor * p)) as number,
  interval: (random, p, n) => {
    const tasks = Array.from({ length: n }, () => {
      const rate = random.beta(p, alike);
      return factors.map((factor) => ({ numerator: Number(random.uniform() < factor * rate), denominator: 1 }));
    });
    return stdevParts(tasks, 1)?.phrasing.interval ?? null;
  },
};

interface PairKind {
  /** In this share of the tasks both models have the same rate. */
  readonly together: number;
  readonly samples: number;
}

/** Two models whose rates have the same distribution over tasks. */
const pairOf = (random: Random, p: number, n: number, { together: share, samples }: PairKind) =>
  Array.from({ length: n }, () => {
    const rate = random.beta(p, alike);
    const other = random.uniform() < share ? rate : random.beta(p, alike);
    const answers = (one: number) => [[Array.from({ length: samples }, () => Number(random.uniform() < one))]];
    return taskSums([answers(rate), answers(other)]);
  });

const correlation = (kind: PairKind): SimulatedEstimate => ({
  name: `correlation of two models, ${kind.together} of the tasks alike, ${answersText(kind)}`,
  method,
  truth: () => kind.together * (kind.samples === 1 ? answersAlike : 1),
  interval: (random, p, n) => observedSpread(pairOf(random, p, n, kind), 2)?.correlation?.interval ?? undefined,
});

const share = (part: 'task' | 'sample', kind: PairKind): SimulatedEstimate => ({
  name: `share of ${part}, ${kind.together} of the tasks alike, ${answersText(kind)}`,
  method,
  truth: () => (part === 'task' ? kind.together * answersAlike : 1 - kind.together * answersAlike),
  interval: (random, p, n) =>
    partEstimates(pairOf(random, p, n, kind), 2, 1)?.find((one) => one.part === part)?.shareInterval ?? undefined,
});

/** The correlation of two answers from one rate: `between(p)` divided by p (1 - p). */
const answersAlike = 1 / (alike + 1);
const answersText = ({ samples }: PairKind): string => (samples === 1 ? 'one answer' : `${samples} samples`);
const [hardly, half, nearly] = [
  { together: 0.1, samples: 1 },
  { together: 0.5, samples: 1 },
  { together: 0.95, samples: 3 },
];

export const variancePartEstimates: readonly SimulatedEstimate[] = [
  ...parts,
  ...[models, phrasing],
  ...[correlation(hardly), correlation(half), correlation(nearly)],
  ...[share('task', hardly), share('sample', hardly)],
];
