/** The formats in which `query` writes rows as text. */
import { csvRows } from './csv-rows.ts';
import { jsonRows } from './json-rows.ts';
import { markdownRows } from './markdown-rows.ts';
import type { RowFormat } from './row-format.ts';
import { textRows } from './text-rows.ts';

export const rowFormats = { text: textRows, csv: csvRows, json: jsonRows, md: markdownRows } as const satisfies Record<
  string,
  RowFormat
>;
