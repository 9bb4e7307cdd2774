/** A data table as Markdown. */
import { type DataTable, plainRows } from './data-table.ts';

/** Writes one table, its cells escaped. */
export type TableText = (heads: readonly string[], rows: readonly (readonly string[])[]) => string;

/** Empty where the table has no rows. */
export function dataTableText(table: DataTable, tableText: TableText, escaped: (text: string) => string): string {
  if (table.rows.length === 0) return '';
  const note = table.note === undefined ? [] : [escaped(table.note)];
  return [`#### ${escaped(table.title)}`, ...note, tableText(table.heads, plainRows(table))].join('\n\n');
}
