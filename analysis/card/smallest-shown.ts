/** How fine a metric tells models apart: the smallest difference between two of them that is shown. */
import { type CardMetric, unitAfter } from '../../domain/card/card-metric.ts';
import { counted } from '../../domain/counted.ts';
import { numberOf, textOf } from '../../domain/metrics/row-order.ts';
import { groupsIn } from '../../domain/statistics/ranks/compact-letters.ts';
import type { Row } from '../../schemas/tables.ts';

/** Null if none is shown. @param rows of the ranked models of one metric */
export function smallestShown(
  metric: Pick<CardMetric, 'text' | 'unit' | 'saidUnit'>,
  rows: readonly Row[],
): { difference: string; tasks: string } | null {
  const models = rows.map((row) => ({
    value: numberOf(row, 'estimate'),
    groups: new Set(groupsIn(textOf(row, 'letters'))),
  }));
  let smallest = Infinity;
  for (const [place, one] of models.entries())
    for (const other of models.slice(0, place))
      if (one.groups.isDisjointFrom(other.groups)) smallest = Math.min(smallest, Math.abs(one.value - other.value));
  const [first] = rows;
  if (first === undefined || smallest === Infinity) return null;
  // A difference of shares in % is one in points.
  const unit = metric.unit === '%' ? ' points' : unitAfter(metric);
  return { difference: `${metric.text(smallest)}${unit}`, tasks: counted(numberOf(first, 'n_tasks'), 'task') };
}
