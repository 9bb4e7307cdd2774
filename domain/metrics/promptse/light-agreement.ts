/** RQ3: how near PromptSELight comes to PromptSE, over models and over tasks. */
import { agreement, type Agreement } from '../../statistics/agreement.ts';
import { kendall } from '../../statistics/kendall.ts';
import { pearson } from '../../statistics/pearson.ts';
import { quantile } from '../../statistics/quantile.ts';
import { placesOf } from '../../statistics/ranks.ts';
import { spearman } from '../../statistics/spearman.ts';
import type { TestResult } from '../../statistics/test-result.ts';
import { groupOf, groupsOf, type ModelFacts } from './groups.ts';

export interface Closeness {
  readonly pearson: TestResult;
  readonly spearman: TestResult;
  readonly kendall: TestResult;
  /** Errors of the light value as a prediction of the full one; null without pairs. */
  readonly errors: Agreement | null;
}

interface Pair {
  readonly light: number;
  readonly full: number;
}

export function closeness(pairs: readonly Pair[]): Closeness {
  const [light, full] = [pairs.map((pair) => pair.light), pairs.map((pair) => pair.full)];
  return {
    pearson: pearson(light, full),
    spearman: spearman(light, full),
    kendall: kendall(light, full),
    errors: agreement(light, full),
  };
}

/** A model's AUC-E by both methods, and its elasticities by both, a pair per task and distance. */
export interface ModelPair extends ModelFacts {
  readonly passAt1: number;
  readonly published: Pair;
  readonly normalized: Pair;
  readonly tasks: readonly Pair[];
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
  /** Models by AUC-E: their places by both methods, those that differ most first. */
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
      ...(['low', 'middle', 'high'] as const).map((name) => within('performance', name, (one) => performance.get(one.model) === name)),
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
  overModels: models.length < 2 ? null : closeness(models.map(({ published }) => published)),
  overModelsNormalized: models.length < 2 ? null : closeness(models.map(({ normalized }) => normalized)),
  overTasks: closeness(models.flatMap(({ tasks }) => tasks)),
});

/** Thirds of the models by pass@1. */
function tercilesOf(models: readonly ModelPair[]): Map<string, 'low' | 'middle' | 'high'> {
  if (models.length === 0) return new Map();
  const sorted = Float64Array.from(models, ({ passAt1 }) => passAt1).sort();
  const [first, second] = [quantile(sorted, 1 / 3), quantile(sorted, 2 / 3)];
  return new Map(models.map(({ model, passAt1 }) => [model, passAt1 <= first ? 'low' : passAt1 <= second ? 'middle' : 'high']));
}

function driftOf(models: readonly ModelPair[]): LightAgreement['drift'] {
  const [full, light] = [placesOf(models.map(({ published }) => published.full)), placesOf(models.map(({ published }) => published.light))];
  const places = models.map(({ model }, index) => ({ model, full: full[index] as number, light: light[index] as number }));
  return places.filter((one) => one.full !== one.light).toSorted((a, b) => Math.abs(b.full - b.light) - Math.abs(a.full - a.light));
}
