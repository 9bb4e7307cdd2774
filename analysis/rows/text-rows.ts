/** Rows as aligned columns. */
import { columnWidths, headLines, rowLines } from '../report/text/aligned-rows.ts';
import type { Rows } from '../row-stream.ts';
import { cellText } from './cell-text.ts';
import type { RowFormat } from './row-format.ts';

/** Rows that decide how wide the columns are: longer cells after them overflow their column. */
const measuredRows = 2_000;

export const textRows: RowFormat = async function* ({ columns, batches }, plain) {
  const head = columns.map(({ name }) => plain(name));
  const texts = (rows: Rows): string[][] => rows.map((row) => row.map((value) => plain(cellText(value))));
  let waiting: string[][] = [];
  let widths: number[] | undefined;
  for await (const batch of batches) {
    const rows = texts(batch);
    if (widths !== undefined) {
      yield blockOf(rows, widths);
      continue;
    }
    waiting = [...waiting, ...rows];
    if (waiting.length < measuredRows) continue;
    widths = columnWidths(head, waiting);
    yield [...headLines(head, widths), blockOf(waiting, widths)].join('\n');
    waiting = [];
  }
  if (widths !== undefined) return;
  const all = columnWidths(head, waiting);
  yield [...headLines(head, all), ...waiting.flatMap((row) => rowLines(row, all))].join('\n');
};

const blockOf = (rows: readonly (readonly string[])[], widths: readonly number[]): string =>
  rows.flatMap((row) => rowLines(row, widths)).join('\n');
