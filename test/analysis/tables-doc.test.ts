import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tablesMarkdown, tableIndex, tableText } from '../../analysis/tables-doc.ts';
import { outcomes } from '../../schemas/states.ts';
import { type Column, type Table, tables } from '../../schemas/tables.ts';
import { answersTable } from '../../schemas/tables/answers.ts';
import { recordedAgreement } from '../../schemas/tables/recorded.ts';

const all: readonly Table[] = [answersTable, recordedAgreement, ...Object.values(tables)];
const columnsOf = ({ columns }: Table): string[] => [
  ...new Set(['run' in columns ? [] : 'run', Object.keys(columns)].flat()),
];
const docs = join(import.meta.dirname, '../../docs/tables.md');

test('docs/tables.md is what the schema says; when it is not: node scripts/spec-files.ts', async () => {
  expect(await readFile(docs, 'utf8')).toBe(tablesMarkdown());
});

test('the text of a table for a terminal names every column, with its unit and what null means', () => {
  for (const table of all) {
    const lines = tableText(table.name).split('\n');
    expect(lines[0]).toBe(`${table.name}: ${table.meaning}`);
    expect(lines.slice(2).map((line) => line.trim().split(' ')[0])).toEqual(columnsOf(table));
  }
  expect(tableText('calls')).toContain(
    '  latency_ms (float, ms): Time from sending to reply. Null when there was no reply, or it was copied from ' +
      'another run. Volatile.',
  );
});

test('the index has one line per table, and a name that no table has is refused with the nearest', () => {
  expect(tableIndex().map(({ name }) => name)).toEqual(all.map(({ name }) => name));
  expect(
    tableIndex().flatMap(({ meaning }) => (meaning.length > 0 && !meaning.includes('\n') ? [] : [meaning])),
  ).toEqual([]);
  expect(() => tableText('loop')).toThrow('no table "loop"; did you mean "loops"?');
});

test('the Markdown has an entry for every column of every table, and lists all outcomes', () => {
  const text = tablesMarkdown();
  const columns = all.flatMap(columnsOf);
  expect([...text.matchAll(/^- `(\w+)` \(/gm)].map(([, name]) => name)).toEqual(columns);
  expect(text.replaceAll(/\s+/g, ' ')).toContain(outcomes.join(', '));
});

test('the index of the page links every table, and `answers` comes first', () => {
  const links = [...tablesMarkdown().matchAll(/^- \[(\w+)\]\(#(\w+)\): /gm)].map(([, name, anchor]) => [name, anchor]);
  expect(links).toEqual(all.map(({ name }) => [name, name]));
  expect(links[0]?.[0]).toBe('answers');
});

test('every table with an interval says its confidence, and a level of detail is never taken for it', () => {
  const bounded = Object.values(tables).filter(({ columns }) =>
    Object.keys(columns).some((name) => name.endsWith('_lo')),
  );
  expect(bounded.length).toBeGreaterThan(20);
  const named = new Set([
    'Confidence level of the interval.',
    'Confidence level of the intervals.',
    'Confidence level of each single interval.',
  ]);
  const unnamed = bounded.filter(
    ({ columns }) => !named.has((columns as Record<string, Column>)['confidence']?.meaning ?? ''),
  );
  expect(unnamed.map(({ name }) => name)).toEqual([]);
  const meanings = Object.values(tables).flatMap(
    ({ columns }) => (columns as Record<string, Column>)['level']?.meaning ?? [],
  );
  expect(new Set(meanings)).toEqual(
    new Set([
      'Same as `confidence`, by its name in version 0.1.',
      'Word limit of a summary, share of paragraphs kept, share of sentences masked.',
      'Word limit, share of paragraphs kept, share of sentences masked.',
      'Word limit.',
    ]),
  );
});
