/**
 * Coefficients other than means, over values with a known truth: correlations, R², agreement of labels, the
 * calibration error.
 */
import { calibrationEstimate, type TaskBin } from '../../studies/promptse/results/calibration/calibration.ts';
import { explainedInterval } from '../../studies/promptse/results/questions/light-agreement.ts';
import { agreementColumns, type LabelledUnit } from '../../studies/specificity/results/theme-agreement.ts';
import { correlationInterval } from '../../domain/statistics/intervals/correlation-interval.ts';
import { kendallTau } from '../../domain/statistics/ranks/kendall.ts';
import { pearsonR } from '../../domain/statistics/ranks/pearson.ts';
import { spearmanRho } from '../../domain/statistics/ranks/spearman.ts';
import type { Row } from '../../schemas/tables.ts';
import type { Range, SimulatedEstimate } from './estimates.ts';
import type { Random } from './random.ts';

const jackknife = 'jackknife, Student’s t';

/** Values are around the middle of their range; correlations and R² do not depend on it. */
const middle = 50;

/**
 * A pair of a light and a full value for each model; the full value is `slope` times the light one plus noise plus
 * `away`.
 */
const pairsOf = (
  random: Random,
  models: number,
  { slope, noise, away }: { slope: number; noise: number; away: number },
) =>
  Array.from({ length: models }, (_, model) => {
    const own = random.normal();
    return { light: middle + own, full: middle + slope * own + noise * random.normal() + away, cluster: String(model) };
  });

type Name = 'pearson' | 'spearman' | 'kendall';
const correlated = (name: Name, truth: (r: number) => number): SimulatedEstimate => ({
  name: `${name} of pairs (p: their correlation)`,
  method: jackknife,
  sizes: fewModels,
  truth: (_random, r) => truth(r),
  interval: (random, r, n) => overPairs(name, pairsOf(random, n, alike(r))),
});

const correlations = { pearson: pearsonR, spearman: spearmanRho, kendall: kendallTau };
/** The estimates of `closeness` for them, without its tests. */
const overPairs = (name: Name, pairs: readonly { light: number; full: number }[]): Range | null =>
  correlationInterval(pairs, (some) => correlations[name](...sidesOf(some)));

const fewModels = [5, 8, 14, 40];
const alike = (r: number) => ({ slope: r, noise: Math.sqrt(1 - r ** 2), away: 0 });
const rhoOf = (r: number): number => (6 / Math.PI) * Math.asin(r / 2);

/** Correlations of 0.97 to 0.999, as between scores of the same models under two settings. */
const nearly = (p: number): number => 1 - (1 - p) / 30;
const nearOne: SimulatedEstimate = {
  name: 'spearman near 1 (their correlation: 1 - (1 - p) / 30)',
  method: jackknife,
  sizes: fewModels,
  truth: (_random, p) => rhoOf(nearly(p)),
  interval: (random, p, n) => overPairs('spearman', pairsOf(random, n, alike(nearly(p)))),
};

/** Scores in steps; the best models share the highest. */
const tiedPairs = (random: Random, r: number, models: number) =>
  pairsOf(random, models, alike(r)).map(({ light, full, cluster }) => ({
    light: stepped(light),
    full: stepped(full),
    cluster,
  }));
const stepped = (value: number): number => Math.min(middle + 1, Math.round(1.5 * value) / 1.5);
const tied: SimulatedEstimate = {
  name: 'spearman with ties (p: correlation before rounding)',
  method: jackknife,
  sizes: fewModels,
  truth: (random, r) => spearmanRho(...sidesOf(tiedPairs(random, r, 50_000))) as number,
  interval: (random, r, n) => {
    const pairs = tiedPairs(random, r, n);
    return spearmanRho(...sidesOf(pairs)) === null ? undefined : overPairs('spearman', pairs);
  },
};
const sidesOf = (pairs: readonly { light: number; full: number }[]): [number[], number[]] => [
  pairs.map(({ light }) => light),
  pairs.map(({ full }) => full),
];

/** Light predicts full with an R² of p; the error is noise alone, or in equal parts noise and a constant shift. */
const explained = (name: string, distant: boolean): SimulatedEstimate => {
  const partsOf = (p: number): { slope: number; noise: number; away: number } => {
    // 1 - R² is (noise² + away²) / (1 + noise²).
    const noise = distant ? Math.sqrt((1 - p) / (1 + p)) : Math.sqrt((1 - p) / p);
    return { slope: 1, noise, away: distant ? noise : 0 };
  };
  return {
    name,
    method: jackknife,
    sizes: [5, 8, 14, 60],
    truth: (_random, p) => p,
    interval: (random, p, n) => explainedInterval(pairsOf(random, n, partsOf(p)).map((pair) => [pair])),
  };
};

/** Three runs label seven summaries of each task, right in nine of ten; all summaries of a task share the theme. */
function labelled(random: Random, share: number, tasks: number): Row {
  const units = Array.from({ length: tasks }, (_, task) => {
    const has = random.uniform() < share;
    return Array.from(
      { length: 7 },
      (): LabelledUnit => ({
        taskId: String(task),
        found: [0, 1, 2].map(() => (random.uniform() < 0.9 ? has : !has)),
      }),
    );
  });
  return agreementColumns(units.flat());
}

const agreed = (name: 'alpha' | 'kappa'): SimulatedEstimate => ({
  name: `${name} of a theme that a share p of the tasks has`,
  method: 'Gaffke, MOVER',
  truth: (random, p) => Number(labelled(random, p, 6000)[name]),
  interval: (random, p, n) => {
    const row = labelled(random, p, n);
    return row[name] === null ? undefined : ({ lo: row[`${name}_lo`], hi: row[`${name}_hi`] } as Range);
  },
});

const [bins, samples] = [10, 16];

/** A model whose confidence exceeds its accuracy by about 0.1. */
function sureness(random: Random, p: number, tasks: number): TaskBin[] {
  return Array.from({ length: tasks }, (_, task) => {
    const chance = random.beta(p, 1.5);
    const drawn = Array.from({ length: samples }, () => {
      const confidence = Math.min(1, Math.max(0, chance + 0.1 + 0.3 * (random.uniform() - 0.5)));
      const bin = Math.min(bins - 1, Math.floor(confidence * bins));
      return { bin, confidence, passed: Number(random.uniform() < chance) };
    });
    const sum = (own: typeof drawn, of: 'confidence' | 'passed'): number =>
      own.reduce((total, one) => total + one[of], 0);
    return [...Map.groupBy(drawn, ({ bin }) => bin)].map(([bin, own]) => ({
      ...{ task: String(task), bin, n: own.length },
      ...{ confidence: sum(own, 'confidence'), passed: sum(own, 'passed') },
    }));
  }).flat();
}

const rounds = 300;
const calibration: SimulatedEstimate = {
  name: 'ECE, 16 samples a task',
  method: 'bootstrap minus its bias',
  truth: (random, p, n) => {
    const values = Array.from({ length: rounds }, () => errorOf(sureness(random, p, n), n));
    return values.reduce((sum, value) => sum + value, 0) / rounds;
  },
  interval: (random, p, n) =>
    calibrationEstimate(sureness(random, p, n), { seed: Math.floor(1e9 * random.uniform()), resamples: 400 })
      ?.interval ?? null,
};

/** Independent implementation: the gaps of all bins over all samples. */
function errorOf(cells: readonly TaskBin[], tasks: number): number {
  const gaps = Array.from({ length: bins }, () => 0);
  for (const { bin, confidence, passed } of cells) gaps[bin] = (gaps[bin] as number) + passed - confidence;
  return gaps.reduce((sum, gap) => sum + Math.abs(gap), 0) / (tasks * samples);
}

export const coefficients: readonly SimulatedEstimate[] = [
  correlated('pearson', (r) => r),
  correlated('spearman', rhoOf),
  nearOne,
  tied,
  correlated('kendall', (r) => (2 / Math.PI) * Math.asin(r)),
  explained('R² with noise (p: its true value)', false),
  explained('R² with noise and a constant distance (p: its true value)', true),
  agreed('alpha'),
  agreed('kappa'),
  calibration,
];
