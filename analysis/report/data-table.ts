/** Tables that every format of the report prints alike. */
import { type Html, html, trusted } from './html.ts';

export interface DataCell {
  readonly text: string;
  /** What the column is sorted by, where that is not the text. */
  readonly value?: number | null;
  /** 0 to 10: how strongly the cell is coloured. */
  readonly shade?: number | null;
}

export interface DataTable {
  readonly title: string;
  readonly note?: string;
  /** Columns of words come first, numbers after them. */
  readonly words: number;
  readonly heads: readonly string[];
  readonly rows: readonly (readonly (DataCell | string)[])[];
  /** Places of rows that are a report's own among others'; they are set apart. */
  readonly own?: readonly number[];
  /** Long tables are folded. */
  readonly folded?: boolean;
}

/** With more columns they stand closer together, and with still more in smaller print. */
const manyColumns = 9;
const crowdedColumns = 11;

const density = (columns: number): string => (columns > crowdedColumns ? 'dense crowded' : columns > manyColumns ? 'dense' : '');

const cellOf = (cell: DataCell | string): DataCell => (typeof cell === 'string' ? { text: cell } : cell);

export function dataTable({ title, note, words, heads, rows, own, folded }: DataTable): Html {
  if (rows.length === 0) return html``;
  const about = note === undefined ? html`` : html`<p class="note">${note}</p>`;
  const table = html`<div class="wide"><table class="${density(heads.length)}"><thead><tr>${heads.map((head, index) => (index < words ? html`<th data-sort="text">${head}</th>` : html`<th class="n" data-sort="number">${head}</th>`))}</tr></thead><tbody>
${rows.map(
  (
    row,
    place,
  ) => html`<tr${trusted(own?.includes(place) ? ' class="own"' : '')}>${row.map((cell, index) => tableCell(cellOf(cell), index < words))}</tr>
`,
)}</tbody></table></div>`;
  return folded ? html`<details><summary>${title}</summary>${about}${table}</details>` : html`<h4>${title}</h4>${about}${table}`;
}

function tableCell({ text, value, shade }: DataCell, word: boolean): Html {
  if (word) return html`<td>${text}</td>`;
  const step = shade == null ? '' : ` k${Math.max(0, Math.min(10, Math.round(shade)))}`;
  return html`<td class="n${step}" data-v="${value === undefined ? text : (value ?? '')}">${text}</td>`;
}

/** The texts of a table, for Markdown. */
export const plainRows = ({ rows }: DataTable): string[][] => rows.map((row) => row.map((cell) => cellOf(cell).text));
