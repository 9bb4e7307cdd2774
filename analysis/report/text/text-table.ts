/** A table as plain text, for the renderers without graphics. */
import { cellOf, type DataCell, type DataTable, headOf, withColumns } from '../part.ts';

export interface TextTable {
  readonly heads: readonly string[];
  /** All rows, the totals last. */
  readonly rows: readonly (readonly DataCell[])[];
  /** Number of totals at the end of `rows`. */
  readonly totals: number;
}

/** Omits columns that hold only drawings. */
export function textTable(table: DataTable): TextTable {
  const { heads, rows, totals = [] } = withColumns(table, ({ drawn }) => drawn !== true);
  return {
    heads: heads.map((head) => joined(headOf(head).text, [headOf(head).under ?? ''])),
    rows: [...rows, ...totals].map((row) => row.map(cellOf)),
    totals: totals.length,
  };
}

/** A value, with the lines under it in brackets: `0.81 (0.77 – 0.85; floor 0.9)`. */
function joined(text: string, under: readonly string[] = []): string {
  const lines = under.filter((line) => line !== '');
  return lines.length === 0 ? text : `${text} (${lines.join('; ')})`.trim();
}

/** A cell on one line. @param mark is appended to the id of a simulated model, as are the marks of its notes */
export function cellText({ text, under, model }: DataCell, mark: string): string {
  const notes = (model?.notes ?? []).map((one) => ` (${one.mark})`).join('');
  return joined(`${text}${model?.simulated ? mark : ''}${notes}`, under);
}
