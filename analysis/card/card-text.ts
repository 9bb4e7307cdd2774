/** The estimate in a row of `cards` as text. */
import type { CardMetric } from '../../domain/card/card-metric.ts';
import { numberOf, numberOrNull } from '../../domain/metrics/row-order.ts';
import type { Row } from '../../schemas/tables.ts';

/** Without its unit. Only for rows with an estimate. */
export const valueText = (row: Row, metric: CardMetric): string =>
  row['named'] === null ? metric.text(numberOf(row, 'estimate')) : String(row['named']);

/** `54.0 – 69.8`; null without an interval. A cost that has no upper end goes up to ∞. */
export function rangeText(row: Row, metric: CardMetric): string | null {
  const [lo, hi] = [numberOrNull(row, 'estimate_lo'), numberOrNull(row, 'estimate_hi')];
  if (lo === null) return null;
  if (row['named_lo'] !== null) return `${String(row['named_lo'])} – ${String(row['named_hi'])}`;
  return `${metric.text(lo)} – ${hi === null ? '∞' : metric.text(hi)}`;
}
