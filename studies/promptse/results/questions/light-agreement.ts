/** RQ3: how well PromptSELight predicts PromptSE, over models and over tasks. */
import { agreement, type Agreement } from '../../../../domain/statistics/agreement.ts';
import { correlationInterval } from '../../../../domain/statistics/intervals/correlation-interval.ts';
import type { Interval } from '../../../../domain/statistics/intervals/interval.ts';
import { jackknifeInterval, logScale } from '../../../../domain/statistics/intervals/jackknife.ts';
import { kendall } from '../../../../domain/statistics/ranks/kendall.ts';
import { type KeptPairs, keptPairs } from '../../../../domain/statistics/ranks/kept-pairs.ts';
import { pearson } from '../../../../domain/statistics/ranks/pearson.ts';
import { quantile } from '../../../../domain/statistics/quantile.ts';
import { placesOf } from '../../../../domain/statistics/ranks/ranks.ts';
import { ratioEstimate } from '../../../../domain/statistics/intervals/ratio-estimate.ts';
import { spearman } from '../../../../domain/statistics/ranks/spearman.ts';
import type { TestResult } from '../../../../domain/statistics/tests/test-result.ts';
import { aucE } from '../elasticity/auc-e.ts';
import { groupOf, groupsOf, type ModelFacts } from '../../../../domain/metrics/model-groups.ts';

export interface Closeness {
  readonly pearson: TestResult;
  readonly spearman: TestResult;
  readonly kendall: TestResult;
  /** Errors of the light value as a prediction of the full one; null without pairs. */
  readonly errors: Agreement | null;
  /** Over models, or over tasks. */
  readonly intervals: Readonly<Record<ClosenessName, Interval | null>>;
  /** Number of models, or of tasks. */
  readonly clusters: number;
}

export type ClosenessName = 'pearson' | 'spearman' | 'kendall' | 'mae' | 'rmse' | 'r2' | 'smape';

interface Pair {
  readonly light: number;
  readonly full: number;
}

/** Pairs of one cluster may depend on one another, such as elasticities of a task at all distances and models. */
export interface ClusteredPair extends Pair {
  readonly cluster: string;
}

/** @param greatest upper limit of light and full values; the lower limit is 0 */
export function closeness(pairs: readonly ClusteredPair[], greatest: number): Closeness {
  const [light, full] = sides(pairs);
  const clusters = [...Map.groupBy(pairs, ({ cluster }) => cluster).values()];
  return {
    pearson: pearson(light, full),
    spearman: spearman(light, full),
    kendall: kendall(light, full),
    errors: agreement(light, full),
    intervals: intervalsOf(clusters, greatest),
    clusters: clusters.length,
  };
}

const sides = (pairs: readonly Pair[]): [light: number[], full: number[]] => [
  pairs.map(({ light }) => light),
  pairs.map(({ full }) => full),
];

type Clusters = readonly (readonly Pair[])[];

/**
 * Mean errors by Gaffke's bounds, all others by the jackknife: correlations on Fisher's scale, 1 -
 * R² on a logarithmic scale.
 */
function intervalsOf(clusters: Clusters, greatest: number): Closeness['intervals'] {
  const all = keptClusters(clusters);
  const { places, statistics, over } = all;
  const correlation = (of: (kept: Uint8Array) => number | null): Interval | null =>
    correlationInterval(places, over(of));
  const errorOf = (value: (pair: Pair) => number, hi: number): Interval | null =>
    ratioEstimate(
      clusters.map((own) => ({ sum: own.reduce((sum, pair) => sum + value(pair), 0), n: own.length })),
      { lo: 0, hi },
    )?.interval ?? null;
  const squares = errorOf(({ light, full }) => (full - light) ** 2, greatest ** 2);
  return {
    pearson: correlation(statistics.pearsonR),
    spearman: correlation(statistics.spearmanRho),
    kendall: correlation(statistics.kendallTau),
    mae: errorOf(({ light, full }) => Math.abs(full - light), greatest),
    rmse: squares && { lo: Math.sqrt(squares.lo), hi: Math.sqrt(squares.hi) },
    r2: explainedOver(all),
    smape: errorOf((pair) => agreement([pair.light], [pair.full])?.smape ?? 0, 2),
  };
}

/** Interval of R². @param clusters the pairs of each model, or of each task */
export const explainedInterval = (clusters: Clusters): Interval | null => explainedOver(keptClusters(clusters));

function explainedOver({ places, statistics, over }: KeptClusters): Interval | null {
  const options = { scale: logScale, bounds: { lo: 0, hi: Number.MAX_VALUE } };
  const rest = jackknifeInterval(places, over(statistics.unexplained), options);
  return rest === null || rest.hi === Number.MAX_VALUE ? null : { lo: 1 - rest.hi, hi: 1 - rest.lo };
}

/** Statistics over some of the clusters, for the jackknife. */
interface KeptClusters {
  /** Of all clusters. */
  readonly places: readonly number[];
  readonly statistics: KeptPairs;
  /** Takes a statistic of the clusters at these places. */
  readonly over: (of: (kept: Uint8Array) => number | null) => (some: readonly number[]) => number | null;
}

function keptClusters(clusters: Clusters): KeptClusters {
  const clusterOf = Int32Array.from(clusters.flatMap((own, place) => own.map(() => place)));
  const kept = new Uint8Array(clusterOf.length);
  return {
    places: clusters.map((_, place) => place),
    statistics: keptPairs(...sides(clusters.flat())),
    over: (of) => (some) => {
      const chosen = new Uint8Array(clusters.length);
      for (const place of some) chosen[place] = 1;
      for (let pair = 0; pair < kept.length; pair += 1) kept[pair] = chosen[clusterOf[pair] as number] as number;
      return of(kept);
    },
  };
}

/** A model's AUC-E by both methods, and its elasticities by both methods per task and distance. */
export interface ModelPair extends ModelFacts {
  readonly passAt1: number;
  readonly published: Pair;
  readonly normalized: Pair;
  readonly tasks: readonly ClusteredPair[];
}

export interface Stratum {
  readonly by: 'all' | 'model' | 'performance' | 'family' | 'size';
  readonly name: string;
  readonly models: number;
  /** Over models, AUC-E as published; null for fewer than two. */
  readonly overModels: Closeness | null;
  /** Over models, normalised AUC-E; null for fewer than two. */
  readonly overModelsNormalized: Closeness | null;
  /** Over tasks and distances of all its models. */
  readonly overTasks: Closeness;
}

export interface LightAgreement {
  readonly strata: readonly Stratum[];
  /** Models whose places by AUC-E differ between the methods, largest difference first. */
  readonly drift: readonly { readonly model: string; readonly full: number; readonly light: number }[];
}

export function lightAgreement(models: readonly ModelPair[]): LightAgreement {
  const performance = tercilesOf(models);
  const within = (by: Stratum['by'], name: string, belongs: (model: ModelPair) => boolean): Stratum =>
    stratumOf(by, name, models.filter(belongs));
  return {
    strata: [
      within('all', 'all models', () => true),
      ...models.map(({ model }) => within('model', model, (one) => one.model === model)),
      ...(['low', 'middle', 'high'] as const).map((name) =>
        within('performance', name, (one) => performance.get(one.model) === name),
      ),
      ...(['family', 'size'] as const).flatMap((by) =>
        groupsOf(models, by).map((name) => within(by, name, (one) => groupOf(one, by) === name)),
      ),
    ].filter((stratum) => stratum.models > 0),
    drift: driftOf(models),
  };
}

const stratumOf = (by: Stratum['by'], name: string, models: readonly ModelPair[]): Stratum => ({
  by,
  name,
  models: models.length,
  overModels:
    models.length < 2
      ? null
      : closeness(
          models.map(({ model, published }) => ({ ...published, cluster: model })),
          aucE([1, 1, 1]),
        ),
  overModelsNormalized:
    models.length < 2
      ? null
      : closeness(
          models.map(({ model, normalized }) => ({ ...normalized, cluster: model })),
          1,
        ),
  overTasks: closeness(
    models.flatMap(({ tasks }) => tasks),
    1,
  ),
});

/** Thirds of the models by pass@1. */
function tercilesOf(models: readonly ModelPair[]): Map<string, 'low' | 'middle' | 'high'> {
  if (models.length === 0) return new Map();
  const sorted = Float64Array.from(models, ({ passAt1 }) => passAt1).sort();
  const [first, second] = [quantile(sorted, 1 / 3), quantile(sorted, 2 / 3)];
  return new Map(
    models.map(({ model, passAt1 }) => [model, passAt1 <= first ? 'low' : passAt1 <= second ? 'middle' : 'high']),
  );
}

function driftOf(models: readonly ModelPair[]): LightAgreement['drift'] {
  const [full, light] = [
    placesOf(models.map(({ published }) => published.full)),
    placesOf(models.map(({ published }) => published.light)),
  ];
  const places = models.map(({ model }, index) => ({
    model,
    full: full[index] as number,
    light: light[index] as number,
  }));
  return places
    .filter((one) => one.full !== one.light)
    .toSorted((a, b) => Math.abs(b.full - b.light) - Math.abs(a.full - a.light));
}
