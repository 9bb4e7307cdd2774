/** Each task's area under its elasticity curve and its excess over the floor, for comparisons task by task. */
import type { Row } from '../../../../schemas/tables.ts';
import { aucE, aucENormalized } from './auc-e.ts';
import { type ByDistance, distances } from '../../distances.ts';
import type { ValueByTask } from '../../../../analysis/gate/compared.ts';
import { numberOf, textOf } from '../../../../domain/metrics/row-order.ts';

export interface ElasticityValues {
  readonly normalized: ValueByTask;
  /** Of the published area, as in `auc_e_excess`; without tasks whose original was drawn only once. */
  readonly excess: ValueByTask;
}

/**
 * From rows of table `elasticity` of one study, model and method.
 * Excludes tasks without an elasticity at every distance.
 */
export function elasticityValues(rows: readonly Row[]): ElasticityValues {
  const curves = [...Map.groupBy(rows, (row) => textOf(row, 'task_id'))].map(([task, own]) => ({
    task,
    elasticity: columnOf(own, 'elasticity'),
    excess: columnOf(own, 'excess'),
  }));
  return {
    normalized: new Map(
      curves.flatMap(({ task, elasticity }) => (elasticity === null ? [] : [[task, aucENormalized(elasticity)]])),
    ),
    excess: new Map(curves.flatMap(({ task, excess }) => (excess === null ? [] : [[task, aucE(excess)]]))),
  };
}

/** Null if the task lacks the value at some distance. */
function columnOf(rows: readonly Row[], column: string): ByDistance<number> | null {
  const values = distances.map((distance) => {
    const row = rows.find((one) => one['distance'] === distance);
    return row === undefined || row[column] === null ? null : numberOf(row, column);
  });
  return values.includes(null) ? null : (values as unknown as ByDistance<number>);
}
