/** Which rows of `cards` a page shows: one for each model and metric, since a metric may be of several studies. */
import type { CardMetric } from '../../domain/card/card-metric.ts';
import { cardTraits } from '../../domain/card/card-metric.ts';
import { numberOf, textOf } from '../../domain/metrics/row-order.ts';
import type { Row } from '../../schemas/tables.ts';

/** One metric in the study that shows it for the most models, on the most tasks. */
export interface MainMetric {
  readonly metric: CardMetric;
  readonly study: string;
  readonly condition: string;
  readonly tasks: number;
  /** By model, as `modelKey` names it. */
  readonly rows: ReadonlyMap<string, Row>;
}

/** In the order of traits; metrics without any value are omitted. */
export function mainMetrics(cards: readonly Row[], metrics: readonly CardMetric[]): MainMetric[] {
  const valued = Map.groupBy(
    cards.filter((row) => row['estimate'] !== null),
    (row) => textOf(row, 'metric'),
  );
  const found = metrics.flatMap((metric) => mainMetric(metric, valued.get(metric.name) ?? []) ?? []);
  return found.toSorted((a, b) => cardTraits.indexOf(a.metric.trait) - cardTraits.indexOf(b.metric.trait));
}

/** Models that the study lacks have the row of another: a new version is compared with its own older one. */
function mainMetric(metric: CardMetric, rows: readonly Row[]): MainMetric | null {
  const groups = [...Map.groupBy(rows, (row) => JSON.stringify([row['study'], row['condition']])).values()];
  // A model has fewer where some of its answers could not be judged.
  const tasksOf = (own: readonly Row[]): number => Math.max(0, ...own.map((row) => numberOf(row, 'n_tasks')));
  const sorted = groups.toSorted((a, b) => b.length - a.length || tasksOf(b) - tasksOf(a));
  const [most] = sorted;
  const first = most?.[0];
  if (most === undefined || first === undefined) return null;
  return {
    metric,
    ...{ study: textOf(first, 'study'), condition: textOf(first, 'condition'), tasks: tasksOf(most) },
    rows: new Map(sorted.toReversed().flatMap((own) => own.map((row) => [modelKey(row), row] as const))),
  };
}

export const modelKey = (row: Row): string => JSON.stringify([row['run'], row['model']]);
