/** The check of numbers that the soak test of odd models asks of every table, on a table written by hand. */
import { expect, test } from 'vitest';
import { openFiles } from '../../analysis/database.ts';
import { float, interval, type Table, text } from '../../schemas/tables/column.ts';
import { numberFaults } from '../support/tables/number-faults.ts';

const table: Table = {
  ...{ name: 'made', meaning: '', schemaVersion: 1, key: ['row'] },
  columns: {
    row: text(''),
    ...interval('mean', ''),
    parts: { type: 'floatList', meaning: '' },
    other: float('', { nullWhen: '' }),
  },
};
const rows: Readonly<Record<string, string>> = {
  right: '0.5, 0.5, 1, [1], null',
  unknown: 'null, null, null, null, null',
  rounded: '0.5, 0.5 + 1e-12, 1, [], 2',
};
const faultsWith = async (row: string): Promise<string[]> => {
  const values = Object.entries({ ...rows, wrong: row }).map(([name, numbers]) => `('${name}', ${numbers})`);
  const types = 'row text, mean double, mean_lo double, mean_hi double, parts double[], other double';
  const database = await openFiles([`create table made (${types})`, `insert into made values ${values}`], []);
  try {
    return (await numberFaults(database, [table])).map((fault) => fault.replace(/: .*"row":"wrong".*/, ''));
  } finally {
    database.close();
  }
};

test.each([
  ['0.5, 0.4, 0.6, [0], 1', []],
  ['0.7, 0.4, 0.6, [0], 1', ['made.mean is outside its interval']],
  ['0.3, 0.4, 0.6, [0], 1', ['made.mean is outside its interval']],
  ['null, 0.6, 0.4, [0], 1', ['made.mean has an interval that ends before it begins']],
  ["0.5, 0.4, 0.6, [0, 'nan'::double], 1", ['made.parts is not a finite number']],
  ["0.5, 0.4, 0.6, [0], '-inf'", ['made.other is not a finite number']],
  ["0.5, 0.4, 'inf', [0], 1", ['made.mean_hi is not a finite number']],
])('a row with %s has the faults %j', async (row, faults) => {
  expect(await faultsWith(row)).toEqual(faults);
});
