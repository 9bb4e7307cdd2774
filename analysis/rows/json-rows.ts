/** Rows as a JSON array of objects, one on a line. */
import { InputError } from '../../domain/errors.ts';
import type { RowFormat } from './row-format.ts';

export const jsonRows: RowFormat = async function* ({ columns, batches }) {
  const given = columns.map(({ name }) => name);
  const twice = given.find((name, index) => given.indexOf(name) !== index);
  if (twice !== undefined)
    throw new InputError(`two columns are named "${twice}", and an object has each name once: rename one with AS`);
  const names = given.map((name) => JSON.stringify(name));
  let mark = '[';
  for await (const batch of batches) {
    const lines = batch.map((row) => {
      const line = `${mark}{${row.map((value, column) => `${names[column]}:${JSON.stringify(value)}`).join(',')}}`;
      mark = ',';
      return line;
    });
    if (lines.length > 0) yield lines.join('\n');
  }
  yield mark === '[' ? '[]' : ']';
};
