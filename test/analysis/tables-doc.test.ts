import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tablesMarkdown, tableIndex, tableText } from '../../analysis/tables-doc.ts';
import { outcomes } from '../../schemas/states.ts';
import { type Column, tables } from '../../schemas/tables.ts';

const docs = join(import.meta.dirname, '../../docs/tables.md');

test('docs/tables.md is what the schema says; when it is not: node -e "import(\'./analysis/tables-doc.ts\').then(m => process.stdout.write(m.tablesMarkdown()))" > docs/tables.md', async () => {
  expect(await readFile(docs, 'utf8')).toBe(tablesMarkdown());
});

test('the text of a table for a terminal names every column, with its unit and what null means', () => {
  for (const table of Object.values(tables)) {
    const lines = tableText(table.name).split('\n');
    expect(lines[0]).toBe(`${table.name}: ${table.meaning}`);
    expect(lines.slice(2).map((line) => line.trim().split(' ')[0])).toEqual(Object.keys(table.columns));
  }
  expect(tableText('calls')).toContain('  latency_ms (float, ms): From sending to reply. Null when there was no reply. Volatile.');
});

test('the index has one line per table, and a name that no table has is refused with the nearest', () => {
  expect(tableIndex().map(({ name }) => name)).toEqual(Object.keys(tables));
  expect(tableIndex().flatMap(({ meaning }) => (meaning.length > 0 && !meaning.includes('\n') ? [] : [meaning]))).toEqual([]);
  expect(() => tableText('loop')).toThrow('no table "loop"; did you mean "loops"?');
});

test('every row of the Markdown has three cells, and all outcomes are listed', () => {
  const rows = tablesMarkdown()
    .split('\n')
    .filter((line) => line.startsWith('|'));
  for (const row of rows) expect(row.replaceAll('\\|', '').split('|')).toHaveLength(5);
  expect(tablesMarkdown()).toContain(outcomes.join(', '));
});

test('every table with an interval says its confidence, and a level of detail is never taken for it', () => {
  const bounded = Object.values(tables).filter(({ columns }) => Object.keys(columns).some((name) => name.endsWith('_lo')));
  expect(bounded.length).toBeGreaterThan(20);
  const named = new Set([
    'Confidence level of the interval.',
    'Confidence level of the intervals.',
    'Confidence level of the intervals, each for itself alone.',
  ]);
  const unnamed = bounded.filter(({ columns }) => !named.has((columns as Record<string, Column>)['confidence']?.meaning ?? ''));
  expect(unnamed.map(({ name }) => name)).toEqual([]);
  const meanings = Object.values(tables).flatMap(({ columns }) => (columns as Record<string, Column>)['level']?.meaning ?? []);
  expect(new Set(meanings)).toEqual(
    new Set([
      'The same as confidence, under its name of version 0.1.',
      'Word limit of a summary, share of paragraphs kept, share of sentences masked.',
      'Word limit, share of paragraphs kept, share of sentences masked.',
      'Word limit.',
    ]),
  );
});
