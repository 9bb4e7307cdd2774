/** The tables of a report as CSV (RFC 4180): each after a line with its title, with a blank line between tables. */
import { rowMean } from '../matrix/grid-mean.ts';
import { type DataCell, type DataTable, type Grid, isEmpty, isTable, type Part } from '../part.ts';
import { textTable } from './text-table.ts';

export function partsCsv(parts: readonly Part[], above: readonly string[] = []): string {
  return tablesOf(parts, above, gridTable)
    .map(({ path, table }) => tableCsv(path.join(': '), table))
    .join('\r\n');
}

/** @param caption its first line, after `# ` */
export const tableCsv = (caption: string, table: DataTable): string =>
  `${[[`# ${caption}`], ...tableRows(table)].map(lineCsv).join('\r\n')}\r\n`;

/**
 * Every table with its own title and those above it. @param ofGrid turns a grid into a table;
 * without it grids are skipped
 */
export function tablesOf(
  parts: readonly Part[],
  above: readonly string[] = [],
  ofGrid?: (grid: Grid) => DataTable,
): { path: string[]; table: DataTable }[] {
  return parts.flatMap((part) => {
    if (isEmpty(part)) return [];
    const path = [...above, ...('title' in part && part.title !== undefined ? [part.title] : [])];
    if (isTable(part)) return [{ path, table: part }];
    if (part.kind === 'grid') return ofGrid === undefined ? [] : [{ path, table: ofGrid(part) }];
    return part.kind === 'section' && !part.pageOnly ? tablesOf(part.parts, path, ofGrid) : [];
  });
}

const gridTable = ({ models, rows }: Grid): DataTable => ({
  words: 1,
  heads: ['Task', 'Mean', ...models.map(({ id, simulated }) => (simulated ? `${id} (simulated)` : id))],
  rows: rows.map((row) => [
    row.task,
    String(rowMean(row) ?? ''),
    ...(row.cells[0] ?? []).map(({ text, value }) => (value === null ? text : String(value))),
  ]),
});

/** Lines under a value get separate columns, and so does the mark of simulated models. */
function tableRows(table: DataTable): string[][] {
  const { heads, rows } = textTable(table);
  const extents = heads.map((_, column) => Math.max(0, ...rows.map((row) => row[column]?.under?.length ?? 0)));
  const marked = heads.map((_, column) => rows.some((row) => row[column]?.model !== undefined));
  const head = heads.flatMap((name, column) => [
    name,
    ...(marked[column] ? ['simulated'] : []),
    ...Array.from(
      { length: extents[column] ?? 0 },
      (_, place) => `${name}, ${place === 0 ? 'below' : `below ${place + 1}`}`,
    ),
  ]);
  return [
    head,
    ...rows.map((row) =>
      row.flatMap((cell, column) => cellFields(cell, marked[column] ?? false, extents[column] ?? 0)),
    ),
  ];
}

const cellFields = ({ text, model, under = [] }: DataCell, marked: boolean, extent: number): string[] => [
  text,
  ...(marked ? [String(model?.simulated ?? false)] : []),
  ...Array.from({ length: extent }, (_, place) => under[place] ?? ''),
];

const lineCsv = (fields: readonly string[]): string => fields.map(fieldCsv).join(',');

const quote = '\u0022';

/** A spreadsheet would evaluate a field that begins like a formula, so such a field gets a leading space. */
function fieldCsv(text: string): string {
  const harmless = /^[=+@\t\r]/.test(text) || /^-[^\d.]/.test(text) ? ` ${text}` : text;
  const quoted = [',', quote, '\r', '\n'].some((character) => harmless.includes(character));
  return quoted ? `${quote}${harmless.replaceAll(quote, quote + quote)}${quote}` : harmless;
}
