/** Rows as CSV (RFC 4180, lines end with LF). Null is nothing, an empty text is a pair of quotes; lists are JSON. */
import type { Json } from '@duckdb/node-api';
import { cellText } from './cell-text.ts';
import type { RowFormat } from './row-format.ts';

export const csvRows: RowFormat = async function* ({ columns, batches }, plain) {
  yield columns.map(({ name }) => field(plain(name))).join(',');
  for await (const batch of batches)
    yield batch.map((row) => row.map((value) => valueCsv(value, plain)).join(',')).join('\n');
};

const valueCsv = (value: Json, plain: (text: string) => string): string =>
  value === null ? '' : field(plain(cellText(value)));

const quote = '\u0022';
const field = (text: string): string =>
  text === '' || [',', quote, '\r', '\n'].some((character) => text.includes(character))
    ? `${quote}${text.replaceAll(quote, quote + quote)}${quote}`
    : text;
