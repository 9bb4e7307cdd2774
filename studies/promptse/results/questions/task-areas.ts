/** A task's AUC-E from its rows of table `elasticity`. */
import { numberOrNull, textOf } from '../../../../domain/metrics/row-order.ts';
import type { Row } from '../../../../schemas/tables.ts';
import { distances } from '../../distances.ts';
import { aucE } from '../elasticity/auc-e.ts';

/** Summary rows of models that have an AUC-E by the method. */
export const scored = (summaries: readonly Row[], method: 'full' | 'light'): Row[] =>
  summaries.filter((row) => row['method'] === method && row['auc_e'] !== null);

export const byModel = (rows: readonly Row[]): Map<string, Row[]> => Map.groupBy(rows, (row) => textOf(row, 'model'));

/** A task's values, by distance. */
export const valuesAt = (rows: readonly Row[], column: string): (number | null)[] =>
  distances.map((distance) => {
    const row = rows.find((one) => one['distance'] === distance);
    return row === undefined ? null : numberOrNull(row, column);
  });

/** Null if a distance has no value. */
export const areaOf = (values: readonly (number | null)[]): number | null =>
  values.every((value) => value !== null) ? aucE(values as [number, number, number]) : null;

/** By task with an elasticity at all distances: its AUC-E. */
export function taskAreas(rows: readonly Row[]): Map<string, number> {
  const tasks = [...Map.groupBy(rows, (row) => textOf(row, 'task_id'))];
  return new Map(
    tasks.flatMap(([task, own]): [string, number][] => {
      const area = areaOf(valuesAt(own, 'elasticity'));
      return area === null ? [] : [[task, area]];
    }),
  );
}
