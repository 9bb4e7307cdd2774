/** The estimate in a row of `cards` as text. */
import type { CardMetric } from '../../domain/card/card-metric.ts';
import { atMostMethod } from '../../domain/card/card-measure.ts';
import { numberOf, numberOrNull, textOf } from '../../domain/metrics/row-order.ts';
import type { Row } from '../../schemas/tables.ts';

/** Without its unit; `at most $1.85` if it is partly an estimate. Only for rows with an estimate. */
export function valueText(row: Row, metric: CardMetric): string {
  if (row['named'] !== null) return String(row['named']);
  const text = metric.text(numberOf(row, 'estimate'));
  return textOf(row, 'method').endsWith(atMostMethod) ? `at most ${text}` : text;
}

/** `54.0 – 69.8`; null without an interval. A cost that has no upper end goes up to ∞. */
export function rangeText(row: Row, metric: CardMetric): string | null {
  const [lo, hi] = [numberOrNull(row, 'estimate_lo'), numberOrNull(row, 'estimate_hi')];
  if (lo === null) return null;
  if (row['named_lo'] !== null) return `${String(row['named_lo'])} – ${String(row['named_hi'])}`;
  const endText = (end: number): string => metric.endText?.(end) ?? metric.text(end);
  return `${endText(lo)} – ${hi === null ? '∞' : endText(hi)}`;
}
