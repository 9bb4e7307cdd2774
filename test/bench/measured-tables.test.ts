/** Tables of bench/results/tables/ in pages that are written by hand. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type NewTable, saveTables, type Source, sourceOf } from '../../bench/measured/save.ts';
import { type MeasuredTable, readMeasuredTables, tablesSchema } from '../../bench/measured/tables.ts';
import { tablePages } from '../../bench/pages.ts';
import { readMachines } from '../../bench/results.ts';

const machines = { slow: 'one slow core' };
const first = { date: '2026-01-01', machine: 'slow', commit: 'abc1234', command: 'npm run bench -- x' };
const share: MeasuredTable = {
  title: 'share',
  method: 'exact',
  columns: ['n', 'held'],
  measurements: [
    { ...first, date: '2025-01-01', rows: [['5', '90.0']] },
    {
      ...first,
      size: '100 sets',
      rows: [
        ['5', '95.0'],
        ['20', 'a | b'],
      ],
    },
  ],
};
const causes: MeasuredTable = {
  title: 'causes',
  measurements: [{ ...first, rows: [['**A**: slow'], ['**B**: odd']] }],
};

const page = (...lines: string[]) => [{ path: 'docs/x.md', text: lines.join('\n') }];
const filled = (tables: Readonly<Record<string, readonly MeasuredTable[]>>, ...lines: string[]): string | undefined =>
  tablePages(page(...lines), new Map(Object.entries(tables)), machines)[0]?.text;

test('a block gets the last measurement with its command, day, machine and commit; the text around it stays', () => {
  const block = ['<!-- measured shares -->', '', 'an old table', '<!-- end -->'];
  expect(filled({ shares: [share] }, '# Title', '', ...block, '', 'More text.')?.split('\n')).toEqual([
    ...['# Title', '', '<!-- measured shares -->', ''],
    'Measured with `npm run bench -- x` (2026-01-01; one slow core; commit abc1234; exact; 100 sets).',
    ...['', '| n | held |', '|---|---|', '| 5 | 95.0 |', '| 20 | a \\| b |', ''],
    ...['<!-- end -->', '', 'More text.'],
  ]);
});

test('several tables of a block have captions; tables without columns are lists', () => {
  expect(filled({ both: [share, causes] }, '<!-- measured both -->', '<!-- end -->')?.split('\n')).toEqual([
    ...['<!-- measured both -->', ''],
    'Measured with `npm run bench -- x` (2026-01-01; one slow core; commit abc1234).',
    ...['', '**share** (exact, 100 sets):', '', '| n | held |', '|---|---|', '| 5 | 95.0 |', '| 20 | a \\| b |', ''],
    ...['**causes**:', '', '- **A**: slow', '- **B**: odd', ''],
    '<!-- end -->',
  ]);
});

test('tables of one block that were measured differently are listed by name, and what was not recorded is said', () => {
  const unknown = { date: null, machine: null, commit: null, command: null, note: 'By hand.', rows: [['**C**']] };
  const other = { title: 'others', measurements: [unknown] };
  const text = filled({ all: [share, other, causes] }, '<!-- measured all -->', '<!-- end -->') ?? '';
  const list = text.slice(text.indexOf('\n- ') + 1, text.indexOf('\n\n**')).replaceAll('\n  ', ' ');
  expect(list.split('\n')).toEqual([
    '- others: a command that was not recorded (day not recorded; machine not recorded; commit not recorded). By hand.',
    '- all other tables: `npm run bench -- x` (2026-01-01; one slow core; commit abc1234).',
  ]);
});

test.each([
  { fault: 'a block without tables', lines: ['<!-- measured y -->', '<!-- end -->'], error: 'block "y" has no file' },
  { fault: 'tables in no page', lines: ['Only text.'], error: 'found in none: x' },
  { fault: 'a block without an end', lines: ['<!-- measured x -->', 'text'], error: 'block "x" must end with' },
  {
    fault: 'a block in a block',
    lines: ['<!-- measured x -->', '<!-- measured x -->', '<!-- end -->'],
    error: 'block "x" must end with <!-- end --> before block "x" begins',
  },
])('$fault is refused', ({ lines, error }) => {
  expect(() => filled({ x: [share] }, ...lines)).toThrow(error);
});

test('an unknown machine is refused, and a row with a missing cell', () => {
  const lost = { ...causes, measurements: [{ ...first, machine: 'lost', rows: [['a']] }] };
  expect(() => filled({ x: [lost] }, '<!-- measured x -->', '<!-- end -->')).toThrow('machine "lost" must be in');
  const short = { ...share, measurements: [{ ...first, rows: [['5']] }] };
  expect(tablesSchema.safeParse({ tables: [short] }).error?.issues[0]?.message).toBe(
    'share: each row must have one cell for each of 2 columns, got 5',
  );
});

test('in each file titles are unique and measurements with a date are in order', () => {
  for (const [name, tables] of readMeasuredTables()) {
    const titles = tables.map(({ title }) => title);
    expect(new Set(titles).size, name).toBe(titles.length);
    const dates = tables.map(({ measurements }) => measurements.flatMap(({ date }) => date ?? []));
    expect(dates, name).toEqual(dates.map((own) => own.toSorted()));
  }
});

const source: Source = { ...first, date: '2026-02-02', commit: 'def5678' };
const rows = (...values: string[]): NewTable => ({ title: 'share', columns: ['n'], rows: values.map((one) => [one]) });

test('a saved measurement follows the earlier ones; tables that were not measured stay, and new ones are added', () => {
  const folder = mkdtempSync(join(tmpdir(), 'evenkeel-tables-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const other: NewTable = { title: 'other', rows: [['**A**']] };
  saveTables('shares', [rows('1'), other], first, folder);
  saveTables('shares', [{ title: 'third', rows: [['**B**']] }, rows('2')], source, folder);
  const [again, ...rest] = readMeasuredTables(folder).get('shares') ?? [];
  expect(again?.measurements).toEqual([
    { ...first, rows: [['1']] },
    { ...source, rows: [['2']] },
  ]);
  expect(rest.map(({ title, measurements }) => [title, measurements.length])).toEqual([
    ['other', 1],
    ['third', 1],
  ]);
  const before = readFileSync(join(folder, 'shares.json'), 'utf8');
  const wider: NewTable = { ...rows(), columns: ['n', 'p'], rows: [['1', '2']] };
  expect(() => saveTables('shares', [wider], source, folder)).toThrow('other columns than before');
  expect(readFileSync(join(folder, 'shares.json'), 'utf8')).toBe(before);
});

test('a measurement is only saved for a machine that is described', () => {
  expect(() => sourceOf('my laptop', 'npm run bench -- x')).toThrow(
    `must be a machine of bench/results/machines.json (${Object.keys(readMachines()).join(', ')}), got "my laptop"`,
  );
});
