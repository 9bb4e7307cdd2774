/** Which columns of a view a query reads, also those that it does not name. */
import { expect, test } from 'vitest';
import { createColumnsRead } from '../../analysis/columns-read.ts';
import { text, type Table } from '../../schemas/tables/column.ts';

const table: Table = {
  ...{ name: 'told', meaning: 'Three columns.', schemaVersion: 1, key: ['first'] },
  columns: { first: text('One.'), second: text('Two.'), third: text('Three.') },
};
const read = createColumnsRead([{ table, sql: () => 'SELECT NULL' }]);

const all = ['first', 'second', 'third'];

test.each([
  ['SELECT count(*) FROM told', []],
  ['SELECT first, count(*) FROM told GROUP BY ALL', ['first']],
  ["SELECT first FROM told WHERE second = 'x' ORDER BY third", all],
  ['FROM told', all],
  ['SELECT t FROM told t', all],
  ['SELECT #2 FROM told', ['second']],
  ['SELECT * EXCLUDE (second) FROM told', ['first', 'third']],
  ["SELECT COLUMNS('.*ir.*') FROM told", ['first', 'third']],
  ['SUMMARIZE told', all],
  ['PIVOT told ON second IN (1) USING count(*) GROUP BY third', ['second', 'third']],
  ['WITH a AS (FROM told) SELECT first FROM a', ['first']],
  ['SELECT first FROM told NATURAL JOIN (SELECT 1 AS third)', ['first', 'third']],
  ['SELECT (SELECT max(b.second) FROM told b WHERE b.first = a.first) FROM told a', ['first', 'second']],
  ['SELECT told.first FROM told JOIN samples ON samples.task_id = told.third', ['first', 'third']],
] as const)('%s', async (sql, columns) => {
  expect([...((await read.of(sql)) ?? [])].toSorted()).toEqual(columns);
});

test('of SQL that is wrong, or reads other files, it cannot be told', async () => {
  for (const sql of ['SELECT nothing FROM told', "FROM read_parquet('/x.parquet')", 'SELEC'])
    expect(await read.of(sql)).toBe(null);
});
