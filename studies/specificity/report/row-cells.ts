/** Report cells from rows of PartialOrderEval's tables. */
import { estimateOf } from '../../../analysis/estimate.ts';
import { estimatedNumber } from '../../../analysis/report/cells.ts';
import { missing } from '../../../analysis/report/format.ts';
import type { DataCell } from '../../../analysis/report/part.ts';
import type { Row } from '../../../schemas/tables.ts';

/** A column's estimate with its interval under it. */
export const estimateCell = (row: Row | undefined, column: string): DataCell =>
  withCount(estimatedNumber(estimateOf(row ?? {}, column)), row);

const withCount = (cell: DataCell, row: Row | undefined): DataCell =>
  typeof row?.['n'] === 'number' ? { ...cell, n: `${row['n']} tasks` } : cell;

/** A column's stored value; a dash for null. */
export function factCell(row: Row | undefined, column: string): DataCell {
  const value = row?.[column];
  if (value == null) return { text: missing, value: null };
  return { text: String(value), ...(typeof value === 'number' ? { value } : {}) };
}

/** A level, with the levels at the ends of its interval under it. */
export function levelCell(row: Row | undefined, column: string): DataCell {
  const [lo, hi] = [row?.[`${column}_lo`], row?.[`${column}_hi`]];
  const level = factCell(row, column);
  return withCount(lo == null || hi == null ? level : { ...level, under: [`${String(lo)} – ${String(hi)}`] }, row);
}
