/** How fine a metric tells models apart: the smallest difference between two of them that is shown. */
import { type CardMetric, unitAfter } from '../../domain/card/card-metric.ts';
import { counted } from '../../domain/counted.ts';
import { numberOf, textOf } from '../../domain/metrics/row-order.ts';
import { groupsIn } from '../../domain/statistics/ranks/compact-letters.ts';
import type { Row } from '../../schemas/tables.ts';

/**
 * Null if none is shown. Without a number of tasks where the models have different ones: a pair is compared on those of
 * both.
 * @param rows of the ranked models of one metric
 */
export function smallestShown(
  metric: Pick<CardMetric, 'text' | 'unit' | 'saidUnit'>,
  rows: readonly Row[],
): { difference: string; tasks: string | null } | null {
  const models = rows.map((row) => ({
    value: numberOf(row, 'estimate'),
    groups: new Set(groupsIn(textOf(row, 'letters'))),
  }));
  let smallest = Infinity;
  for (const [place, one] of models.entries())
    for (const other of models.slice(0, place))
      if (one.groups.isDisjointFrom(other.groups)) smallest = Math.min(smallest, Math.abs(one.value - other.value));
  if (smallest === Infinity) return null;
  const [tasks = 0, ...others] = new Set(rows.map((row) => numberOf(row, 'n_tasks')));
  // A difference of shares in % is one in points.
  const unit = metric.unit === '%' ? ' points' : unitAfter(metric);
  return { difference: `${metric.text(smallest)}${unit}`, tasks: others.length === 0 ? counted(tasks, 'task') : null };
}
