/** Rows as a Markdown table. Null is an empty cell. */
import { escapeMarkdown } from '../report/text/markdown.ts';
import { cellText } from './cell-text.ts';
import type { RowFormat } from './row-format.ts';

export const markdownRows: RowFormat = async function* ({ columns, batches }) {
  yield [line(columns.map(({ name }) => name)), `|${columns.map(() => '---').join('|')}|`].join('\n');
  for await (const batch of batches)
    if (batch.length > 0)
      yield batch.map((row) => line(row.map((value) => (value === null ? '' : cellText(value))))).join('\n');
};

const line = (cells: readonly string[]): string => `| ${cells.map(escapeMarkdown).join(' | ')} |`;
