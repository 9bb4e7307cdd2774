import { expect, test } from 'vitest';
import { tableLines } from '../../analysis/report/text/terminal.ts';
import { oneScreen } from '../../cli/output/one-screen.ts';

const tableOf = (rows: readonly (readonly [string, string])[], title?: string): string =>
  tableLines({ ...(title === undefined ? {} : { title }), words: 1, heads: ['model', 'n'], rows }, (text) => text);

const board = (name: string, rows: number): string =>
  tableOf(
    Array.from({ length: rows }, (_, row) => [`${name}${row}`, String(row)] as const),
    `title ${name}`,
  );

test('a table has a head, a rule and a line per row, with numbers aligned right', () => {
  const lines = tableOf([
    ['a', '1'],
    ['bcd', '2345'],
  ]).split('\n');
  expect(lines).toEqual([' model │    n ', '───────┼──────', ' a     │    1 ', ' bcd   │ 2345 ']);
});

test('tables that fit are shown in full', () => {
  const { lines, left } = oneScreen([board('a', 3), board('b', 3)]);
  expect([lines.filter((line) => /[ab]\d/.test(line)).length, left]).toEqual([6, 0]);
});

test('blank lines between tables count: where they do not fit, all lines stand without them', () => {
  const boards = [board('a', 3), board('b', 3)];
  expect(oneScreen(boards, 13)).toEqual({ lines: boards.join('\n\n').split('\n'), left: 0 });
  expect(oneScreen(boards, 12)).toEqual({ lines: boards.join('\n').split('\n'), left: 0 });
});

test('a table of 91 models is cut to 17 lines, and the number of the others is given', () => {
  const { lines, left } = oneScreen([board('a', 91)]);
  expect([lines.length, lines[3]?.trim().split(/\s+/)[0], left]).toEqual([17, 'a0', 94 - 17]);
});

test('lines that a short table does not need go to longer ones; each begins with its title', () => {
  const { lines, left } = oneScreen([board('a', 1), board('b', 50), board('c', 50)]);
  expect([lines.length, left]).toEqual([17, 4 + 53 + 53 - 17]);
  expect(lines.filter((line) => line.startsWith('title'))).toEqual(['title a', 'title b', 'title c']);
  expect(lines.filter((line) => / [bc]\d/.test(line)).length).toBe(17 - 4 - 6);
});
