import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tablesMarkdown, tablesText } from '../../analysis/tables-doc.ts';
import { outcomes } from '../../schemas/states.ts';
import { tables } from '../../schemas/tables.ts';

const docs = join(import.meta.dirname, '../../docs/tables.md');

test('docs/tables.md is what the schema says; when it is not: node -e "import(\'./analysis/tables-doc.ts\').then(m => process.stdout.write(m.tablesMarkdown()))" > docs/tables.md', async () => {
  expect(await readFile(docs, 'utf8')).toBe(tablesMarkdown());
});

test('the text for a terminal names every column of every table, with its unit and what null means', () => {
  const lines = tablesText().split('\n');
  for (const table of Object.values(tables)) {
    const start = lines.findIndex((line) => line.startsWith(`${table.name}: `));
    const columns = lines.slice(start + 1, start + 1 + Object.keys(table.columns).length).map((line) => line.trim().split(' ')[0]);
    expect(columns).toEqual(Object.keys(table.columns));
  }
  expect(lines).toContain('  latency_ms (float, ms): From sending to reply. Null when there was no reply. Volatile.');
});

test('every row of the Markdown has three cells, and all outcomes are listed', () => {
  const rows = tablesMarkdown()
    .split('\n')
    .filter((line) => line.startsWith('|'));
  for (const row of rows) expect(row.replaceAll('\\|', '').split('|')).toHaveLength(5);
  expect(tablesMarkdown()).toContain(outcomes.join(', '));
});
