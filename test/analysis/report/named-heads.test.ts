/** Heads and titles that are names which users chose. */
import { expect, test } from 'vitest';
import { withMeanings } from '../../../analysis/report/meanings/glossary.ts';
import { headOf, isTable } from '../../../analysis/report/part.ts';

// Red before: the heads had inherited functions as their meaning, and the page could not be written.
test('a family and a study of a name that every object has mean nothing by themselves', () => {
  const heads = ['Size', 'toString', 'constructor', 'AUC-E'];
  const table = { title: 'valueOf', words: 1, heads, rows: [['7', '1', '2', '3']] };
  const glossary = { heads: { 'AUC-E': 'area' }, n: { Models: 'tasks' }, method: 'none' };
  const [section] = withMeanings([{ kind: 'section', title: 's', parts: [table] }], glossary);
  const tables = (section?.parts ?? []).filter(isTable);
  expect(tables.flatMap((one) => one.heads.map((head) => headOf(head).meaning))).toEqual([
    ...[undefined, undefined, undefined],
    'area',
  ]);
  expect(tables.map(({ n }) => n)).toEqual([undefined]);
});
