/** An estimate in a row of `cards` as a drawing: its value, its rank group, and a dot with its interval. */
import { numberOf, numberOrNull, textOf } from '../../domain/metrics/row-order.ts';
import type { Row } from '../../schemas/tables.ts';
import { type Html, html } from '../report/html.ts';
import { isOfMain, type MainMetric, otherStudyText } from './main-entries.ts';

/** A column's axis. */
export interface Axis {
  readonly lo: number;
  readonly hi: number;
  /** The place of a value between the ends, 0 to 1. */
  readonly at: (value: number) => number;
}

/** An interval reaches beyond the axis if it is longer than all values lie apart, so that the dots stay apart. */
const widest = 1.2;

/** From the least lower end to the greatest upper end, but not much further than the values themselves reach. */
export function axisOf({ rows }: MainMetric): Axis {
  const own = [...rows.values()];
  const values = own.map((row) => numberOf(row, 'estimate'));
  const [least, greatest] = [Math.min(...values), Math.max(...values)];
  const room = widest * (greatest - least || Math.abs(greatest) || 1);
  const ends = (name: string): number[] => own.flatMap((row) => numberOrNull(row, name) ?? []);
  const lo = Math.max(least - room, Math.min(least, ...ends('estimate_lo')));
  const hi = Math.min(greatest + room, Math.max(greatest, ...ends('estimate_hi')));
  return { lo, hi, at: (value) => (hi === lo ? 0.5 : (value - lo) / (hi - lo)) };
}

/**
 * @param marks what the reader must see next to the value: `standingMarks`
 * @param color CSS colour of the model
 */
export function standingBar(row: Row, text: string, marks: Html, { at }: Axis, color: string): Html {
  const lo = numberOrNull(row, 'estimate_lo');
  const hi = lo === null ? null : (numberOrNull(row, 'estimate_hi') ?? Infinity);
  const ends = lo === null || hi === null ? '' : `--lo:${percent(at(lo))};--hi:${percent(1 - at(hi))};`;
  const beyond = [...(lo !== null && at(lo) < 0 ? ['less'] : []), ...(hi !== null && at(hi) > 1 ? ['more'] : [])];
  const place = `${ends}--at:${percent(at(numberOf(row, 'estimate')))};--own:${color}`;
  return html`<span class="standing"><b>${text}</b>${marks}<i class="${['dots', ...beyond].join(' ')}"
style="${place}"></i></span>`;
}

/** Its rank group among the models of its column; a value of another study has none there, and names its study. */
export function standingMarks(main: MainMetric, row: Row): Html {
  const elsewhere = otherStudyText(main, row);
  if (elsewhere !== null) return html`<small class="elsewhere">${elsewhere}</small>`;
  if (!isOfMain(main, row) || row['rank'] === null || numberOf(row, 'n_models') < 2) return html``;
  const look = numberOf(row, 'n_better') === 0 ? 'group leads' : 'group';
  return html`<small class="${look}">${textOf(row, 'letters')}</small>`;
}

const percent = (share: number): string => `${(100 * Math.min(1, Math.max(0, share))).toFixed(1)}%`;
