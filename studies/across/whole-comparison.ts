/** Compares models by a metric that belongs to all tasks together. */
import type { WholeTasks } from '../../analysis/gate/compared.ts';
import {
  compareTogether,
  type Comparison,
  type ComparisonOptions,
  type ModelValues,
} from '../../domain/compare/comparison.ts';
import { nameList } from '../../domain/name-list.ts';

/** Of the models that have a value of all tasks together. */
export function wholeComparison(
  place: Pick<ModelValues, 'study' | 'subject' | 'variant' | 'models'>,
  together: WholeTasks,
  options: ComparisonOptions,
): WholeComparison {
  const { taskIds, models, own, unjudged } = together;
  const known = models.flatMap((whole, model) => (whole === null ? [] : [{ whole, model }]));
  const kept = <T>(all: readonly T[]): T[] => known.map(({ model }) => all[model] as T);
  // Its range serves only to show values as they are.
  const range = { kind: 'assumed', least: 1 } as const;
  const values = {
    ...{ ...place, models: kept(place.models), taskIds, ownTasks: kept(own), values: [], samples: null, range },
    ...(unjudged && { unjudged: kept(unjudged) }),
  };
  const wholes = known.map(({ whole }) => whole);
  return {
    comparison: wholes.length > 1 ? [compareTogether(values, wholes, options)] : [],
    left: leftOut(place.models, together),
  };
}

interface WholeComparison {
  readonly comparison: readonly Comparison[];
  /** What is said of the models that have no value. */
  readonly left: readonly string[];
}

function leftOut(named: ModelValues['models'], { models, why }: WholeTasks): string[] {
  const ofJudged = named.flatMap(({ name }, model) => (why[model] == null ? [] : [`${name} ${why[model]}`]));
  const unjudged = named.flatMap(({ name }, model) => (models[model] === null && why[model] == null ? [name] : []));
  return [...ofJudged, ...(unjudged.length === 0 ? [] : [noneJudged(unjudged)])];
}

/** What is said of models of which nothing is known. */
export const noneJudged = (names: readonly string[]): string => `no answer of ${nameList(names)} could be judged`;
