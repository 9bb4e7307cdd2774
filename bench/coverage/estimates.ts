/**
 * Estimates of single studies other than plain means: differences by theme, the sufficient level, STDEV, changes,
 * ratios, costs.
 */
import { trajectoryInterval } from '../../studies/promptse/results/affect/trajectory.ts';
import { distanceInterval } from '../../domain/statistics/intervals/distance-interval.ts';
import { kolmogorovSmirnov } from '../../domain/statistics/tests/kolmogorov-smirnov.ts';
import { normalTail } from '../../domain/statistics/special.ts';
import { varianceInterval } from '../../domain/statistics/intervals/variance-interval.ts';
import { costPerSolved } from '../../domain/metrics/cost-per-solved.ts';
import { percentInterval, ratioOfTimes } from '../../domain/metrics/nfr-intervals.ts';
import { sufficientLevel } from '../../studies/specificity/results/sufficient-level.ts';
import { type LabelledPrompt, themePassingRows } from '../../studies/specificity/results/theme-rows.ts';
import { deviationInterval } from '../../domain/statistics/intervals/deviation-interval.ts';
import type { Row } from '../../schemas/tables.ts';
import type { Random } from './random.ts';

/** `hi` is null for an interval without an upper end. */
export interface Range {
  readonly lo: number;
  readonly hi: number | null;
}

export interface SimulatedEstimate {
  readonly name: string;
  readonly method: string;
  /** Numbers of tasks or models; the usual ones if not given. */
  readonly sizes?: readonly number[];
  readonly truth: (random: Random, p: number, n: number) => number;
  /** Interval for a new random set; undefined if it has no estimate, null for an estimate without an interval. */
  readonly interval: (random: Random, p: number, n: number) => Range | null | undefined;
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
const shareOf = (random: Random, chance: number, count: number): number =>
  mean(Array.from({ length: count }, () => Number(random.uniform() < chance)));

const taxonomy = {
  version: 'v',
  categories: [{ id: '1', name: 'c', themes: [{ id: '1.1', name: 'n', meaning: 'm' }] }],
};
const key = { run: 'r', study: 's', benchmark: 'b', language: 'python' };

/**
 * Five summaries of each task. The theme raises the chance to pass by 0.15, and longer summaries have it more often.
 */
function passing(random: Random, p: number, tasks: number): Row {
  const [prompts, passes]: [LabelledPrompt[], Row[]] = [[], []];
  for (let task = 0; task < tasks; task += 1) {
    const [ease, often] = [random.beta(p, 4), random.uniform()];
    for (let level = 0; level < 5; level += 1) {
      const has = random.uniform() < 0.5 * often + 0.09 * level;
      const [taskId, variant] = [String(task), String(level)];
      prompts.push({ taskId, variant, level, runs: [new Set(has ? ['1.1'] : [])], simulated: true });
      const passed = random.uniform() < 0.85 * ease + (has ? 0.15 : 0);
      passes.push({ model: 'm', task_id: taskId, variant, passed, simulated: true });
    }
  }
  return themePassingRows(key, prompts, passes, taxonomy)[0] as Row;
}

const themeDifference: SimulatedEstimate = {
  name: 'pass rate with a theme minus without',
  method: 'Gaffke, MOVER',
  sizes: [5, 20, 60],
  truth: () => 0.15,
  interval: (random, p, n) => {
    const row = passing(random, p, n);
    return row['difference'] === null ? undefined : ({ lo: row['difference_lo'], hi: row['difference_hi'] } as Range);
  },
};

/** Pass rates of the levels, as shares of p; a task's difficulty is the same at every level. */
const curve = [0.1, 0.5, 0.7, 0.85, 0.95, 1];
const within = 0.02;
const sufficient: SimulatedEstimate = {
  name: 'lowest sufficient level (p: pass rate of the maximal prompt)',
  method: 'Gaffke, level by level',
  truth: (_random, p) => curve.findIndex((part) => part * p >= p - within),
  interval: (random, p, n) => {
    const eases = Array.from({ length: n }, () => random.uniform());
    const passed = (part: number, ease: number): number => Number(ease < part * p);
    return sufficientLevel(
      curve.map((part) => ({ isBar: part === 1, gaps: eases.map((ease) => passed(part, ease) - passed(1, ease)) })),
      within,
    );
  },
};

const phrasings = 10;
/** Ten phrasings with the same chance: they differ only by luck, with standard deviation sqrt(p (1 - p) / n). */
const deviation: SimulatedEstimate = {
  name: 'STDEV of pass@1 over 10 phrasings',
  method: 'chi-square, Bonett',
  truth: (_random, p, n) => Math.sqrt((p * (1 - p)) / n),
  interval: (random, p, n) => {
    const values = Array.from({ length: phrasings }, () => shareOf(random, p, n));
    return deviationInterval(values, 1 / n);
  },
};

/**
 * Phrasings that also differ in their chance: a beta distribution with mean p, whose spread is far larger than that of
 * luck if there are many tasks.
 */
const [alikeness, few] = [40, 5];
const spreadPhrasings = (count: number): SimulatedEstimate => ({
  name: `STDEV over ${count} phrasings that differ`,
  method: 'chi-square, Bonett',
  truth: (_random, p, n) => Math.sqrt(((p * (1 - p)) / n) * (1 + (n - 1) / (alikeness + 1))),
  interval: (random, p, n) =>
    deviationInterval(
      Array.from({ length: count }, () => shareOf(random, random.beta(p, alikeness), n)),
      1 / n,
    ),
});

/** A requirement lowers every task's pass rate to 0.9 of itself. */
const change: SimulatedEstimate = {
  name: 'change of pass@1 in percent',
  method: 'Gaffke, Fieller',
  truth: () => -10,
  interval: (random, p, n) => {
    const tasks = Array.from({ length: n }, () => {
      const chance = random.beta(p, 4);
      return [100 * shareOf(random, 0.9 * chance, phrasings), 100 * shareOf(random, chance, phrasings)] as const;
    });
    const [own, plain] = [tasks.map(([now]) => now), tasks.map(([, old]) => old)];
    const averages = { own: mean(own), plain: mean(plain) };
    return averages.plain === 0 ? undefined : percentInterval('pass_at_1', own, plain, averages);
  },
};

const times: SimulatedEstimate = {
  name: 'ratio of times (p: spread of its logarithm)',
  method: 'Gaffke of logarithms',
  truth: () => 1.3,
  interval: (random, p, n) =>
    ratioOfTimes(Array.from({ length: n }, () => Math.log(1.3) + p * random.normal())).interval,
};

/**
 * Twelve values of each task under two emotions, the second of which raises them by p / 2: normal, with standard
 * deviation 1 between tasks and 1 within.
 */
const distances: SimulatedEstimate = {
  name: 'distance D between two emotions (shifted by p / 2)',
  method: 'Bickel-Krieger band',
  sizes: [5, 20, 60],
  // Of two normal distributions with variance 2.
  truth: (_random, p) => 1 - 2 * normalTail(p / 4 / Math.SQRT2),
  interval: (random, p, n) => {
    const clusters = Array.from({ length: n }, () => {
      const own = random.normal();
      const drawn = (moved: number): number[] => Array.from({ length: 12 }, () => own + moved + random.normal());
      return { first: drawn(0), second: drawn(p / 2) };
    });
    const [first, second] = [clusters.flatMap((own) => own.first), clusters.flatMap((own) => own.second)];
    return distanceInterval(clusters, kolmogorovSmirnov(first, second).statistic as number, {
      seed: Math.floor(1e9 * random.uniform()),
      resamples: 200,
    });
  },
};

/**
 * Log-probabilities of the token at one position: most near 0, few far below; p is the share of tasks that are unsure.
 */
const trajectories: SimulatedEstimate = {
  name: 'mean log-probability of a token (p: share of unsure tasks)',
  method: 'Gaffke, assumed range',
  truth: (_random, p) => -(0.1 + 0.9 * p),
  interval: (random, p, n) =>
    trajectoryInterval(
      Array.from({ length: n }, () => {
        const scale = random.uniform() < p ? 1 : 0.1;
        const values = Array.from({ length: 6 }, () => scale * Math.log(1 - random.uniform()));
        return { sum: values.reduce((sum, value) => sum + value, 0), n: values.length };
      }),
    ),
};

/** |Δ pass| of a task's three emotions at one distance, correlated within a task. */
function alikeChanges(random: Random, p: number): number[] {
  const own = Math.min(0.999, Math.max(0.001, random.beta(p, 6)));
  return [1, 2, 3].map(() => random.beta(own, 6));
}
const variances: SimulatedEstimate = {
  name: 'variance of |Δ pass| (p: its mean)',
  method: 'Gaffke, squared deviations',
  truth: (random, p) => {
    const values = Array.from({ length: 100_000 }, () => alikeChanges(random, p)[0] as number);
    const middle = mean(values);
    return mean(values.map((value) => (value - middle) ** 2));
  },
  interval: (random, p, n) =>
    varianceInterval(
      Array.from({ length: n }, () => alikeChanges(random, p)),
      { lo: 0, hi: 1 },
    ),
};

/** Harder tasks cost more; costs are skewed. */
const costs: SimulatedEstimate = {
  name: 'cost per solved task',
  method: 'Gaffke, assumed range, MOVER',
  // E of exp(0.5 z) is exp(0.125).
  truth: (_random, p) => (Math.exp(0.125) * (2 - p)) / p,
  interval: (random, p, n) =>
    costPerSolved(
      Array.from({ length: n }, () => {
        const chance = random.beta(p, 4);
        return { cost: (2 - chance) * Math.exp(0.5 * random.normal()), solved: shareOf(random, chance, 3) };
      }),
    ).interval,
};

export const estimates: readonly SimulatedEstimate[] = [
  themeDifference,
  sufficient,
  deviation,
  spreadPhrasings(phrasings),
  spreadPhrasings(few),
  change,
  times,
  distances,
  trajectories,
  variances,
  costs,
];
