/** Every column of numbers in every table says what it means, and every table how its intervals are computed. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openRun } from '../../analysis/database.ts';
import { contextOf } from '../../analysis/report/context.ts';
import {
  cellOf,
  countedFrom,
  type DataTable,
  headOf,
  holdsWords,
  isTable,
  type Part,
} from '../../analysis/report/part.ts';
import { reportPages } from '../../analysis/report/report-pages.ts';
import { collectReport } from '../../studies/report.ts';
import { writeHandRun } from '../analysis/report/hand-run.ts';
import { writeMoodsRun } from '../analysis/report/moods-run.ts';
import { writeHandCards } from './cards/hand-cards.ts';

/** What writes a run, and where in the folder it lies then. */
const runs: Readonly<Record<string, { write(folder: string): Promise<unknown>; readonly at: string }>> = {
  'of every kind of study': { write: writeHandCards, at: 'all' },
  'of loops': { write: writeHandRun, at: '' },
  'of moods': { write: writeMoodsRun, at: '' },
};

const tablesIn = (parts: readonly Part[]): DataTable[] =>
  parts.flatMap((part) => (part.kind === 'section' ? tablesIn(part.parts) : isTable(part) ? [part] : []));

async function tablesOf(run: string): Promise<DataTable[]> {
  const folder = await mkdtemp(join(tmpdir(), 'evenkeel-meanings-'));
  const { write, at } = runs[run] ?? { write: writeHandCards, at: 'all' };
  await write(folder);
  const database = await openRun(join(folder, at));
  const report = await collectReport(database);
  const { overview, studies, after } = reportPages(report, contextOf(report));
  database.close();
  await rm(folder, { recursive: true });
  return tablesIn([overview, ...studies, ...after].flatMap(({ parts }) => parts)).filter(({ rows }) => rows.length > 0);
}

test.each(Object.keys(runs))('a run %s: no number without a meaning, no stack of three without words', async (run) => {
  const tables = await tablesOf(run);
  expect(tables.length).toBeGreaterThan(10);
  const numbers = tables.flatMap((table) =>
    table.heads.flatMap((head, column) => (holdsWords(table, column) ? [] : [{ table, head: headOf(head), column }])),
  );
  const silent = numbers.filter(({ head }) => head.meaning === undefined && !head.drawn);
  expect(silent.map(({ table, head }) => `${table.title ?? ''}: ${head.text}`)).toEqual([]);
  expect(tables.filter((table) => table.method === undefined && numbers.some((one) => one.table === table))).toEqual(
    [],
  );
  const stacks = numbers.flatMap(({ table, head, column }) =>
    table.rows
      .map((row) => cellOf(row[column] ?? ''))
      .filter(({ under = [], drawing }) => drawing === undefined && under.slice(1).some((line) => !/[a-z]/.test(line)))
      .map(({ text, under = [] }) => `${head.text}: ${[text, ...under].join(' / ')}`),
  );
  expect(stacks).toEqual([]);
  const alone = numbers.filter(
    ({ table, head, column }) =>
      !head.count &&
      !/(^| )n$/.test(head.text) &&
      !(head.text === table.n) &&
      table.rows.some(
        (row) => typeof cellOf(row[column] ?? '').value === 'number' && countedFrom(table, row, column) === undefined,
      ),
  );
  expect([...new Set(alone.map(({ table, head }) => `${table.title ?? ''}: ${head.text}`))]).toEqual([]);
});
