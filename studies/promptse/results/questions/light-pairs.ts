/** RQ3: what the two methods say of each model, over the same tasks. */
import { numberOf, textOf } from '../../../../domain/metrics/row-order.ts';
import { mean } from '../../../../domain/statistics/spread.ts';
import type { Row } from '../../../../schemas/tables.ts';
import { factsOf } from './deltas.ts';
import type { ClusteredPair, ModelPair } from './light-agreement.ts';
import { byModel, scored, taskAreas } from './task-areas.ts';

/** Models with an AUC-E by both methods, each over the tasks that have both. */
export function lightPairs(summaries: readonly Row[], elasticities: readonly Row[]): ModelPair[] {
  const light = new Map(scored(summaries, 'light').map((row) => [row['model'], row]));
  const ofModel = byModel(elasticities);
  return scored(summaries, 'full').flatMap((full) => {
    const other = light.get(full['model'] ?? null);
    const own = ofModel.get(textOf(full, 'model')) ?? [];
    const areas = other && areasOfBoth(own, other, full);
    if (areas === undefined || areas === null) return [];
    const { published, normalized } = areas;
    return { ...factsOf(full), passAt1: numberOf(full, 'pass_at_1'), published, normalized, tasks: taskPairs(own) };
  });
}

interface AreasOfBoth {
  readonly published: MethodPair;
  readonly normalized: MethodPair;
}
type MethodPair = Readonly<Record<'light' | 'full', number>>;

/** As summarized, unless a task has only one of them; null if no task has both. */
function areasOfBoth(elasticities: readonly Row[], light: Row, full: Row): AreasOfBoth | null {
  const [lights, fulls] = (['light', 'full'] as const).map((method) =>
    taskAreas(elasticities.filter((row) => row['method'] === method)),
  ) as [Map<string, number>, Map<string, number>];
  const shared = [...fulls.keys()].filter((task) => lights.has(task));
  const pair = (column: string): MethodPair => ({ light: numberOf(light, column), full: numberOf(full, column) });
  if (shared.length === lights.size && shared.length === fulls.size)
    return { published: pair('auc_e'), normalized: pair('auc_e_normalized') };
  if (shared.length === 0) return null;
  const meanOf = (areas: ReadonlyMap<string, number>): number =>
    mean(shared.map((task) => areas.get(task) as number)) as number;
  const published = { light: meanOf(lights), full: meanOf(fulls) };
  return { published, normalized: { light: 1.5 * published.light, full: 1.5 * published.full } };
}

/** A model's elasticities of both methods, by task and distance. */
function taskPairs(rows: readonly Row[]): ClusteredPair[] {
  const place = (row: Row): string => JSON.stringify([row['task_id'], row['distance']]);
  const defined = rows.filter((row) => row['elasticity'] !== null);
  const light = new Map(
    defined.filter((row) => row['method'] === 'light').map((row) => [place(row), numberOf(row, 'elasticity')]),
  );
  return defined.flatMap((row) => {
    const other = row['method'] === 'full' ? light.get(place(row)) : undefined;
    return other === undefined
      ? []
      : [{ light: other, full: numberOf(row, 'elasticity'), cluster: textOf(row, 'task_id') }];
  });
}
