import { expect, test } from 'vitest';
import { boardTable } from '../../cli/board-table.ts';
import { oneScreen } from '../../cli/one-screen.ts';

const board = (name: string, rows: number): string =>
  [
    `title ${name}`,
    boardTable(
      ['model', 'n'],
      Array.from({ length: rows }, (_, row) => [`${name}${row}`, String(row)]),
    ),
  ].join('\n');

test('a table has a line per row, under its head and one rule, numbers to the right', () => {
  expect(
    boardTable(
      ['model', 'n'],
      [
        ['a', '1'],
        ['bcd', '2345'],
      ],
    ).split('\n'),
  ).toEqual([' model │    n ', '───────┼──────', ' a     │    1 ', ' bcd   │ 2345 ']);
});

test('tables that fit are whole', () => {
  const { lines, left } = oneScreen([board('a', 3), board('b', 3)]);
  expect([lines.filter((line) => /[ab]\d/.test(line)).length, left]).toEqual([6, 0]);
});

test('a table of 91 models gives 17 lines and says how many it left out', () => {
  const { lines, left } = oneScreen([board('a', 91)]);
  expect([lines.length, lines[3]?.trim().split(/\s+/)[0], left]).toEqual([17, 'a0', 94 - 17]);
});

test('what a short table leaves, long ones get, and each begins with its title', () => {
  const { lines, left } = oneScreen([board('a', 1), board('b', 50), board('c', 50)]);
  expect([lines.length, left]).toEqual([17, 4 + 53 + 53 - 17]);
  expect(lines.filter((line) => line.startsWith('title'))).toEqual(['title a', 'title b', 'title c']);
  expect(lines.filter((line) => / [bc]\d/.test(line)).length).toBe(17 - 4 - 6);
});
