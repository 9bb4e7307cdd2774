import { expect, test } from 'vitest';
import { type CellPart, phrasingSpread } from '../../../domain/metrics/phrasing-values.ts';

const passed = (value: 0 | 1 | null): CellPart => (value === null ? null : { numerator: value, denominator: 1 });
const messages = (numerator: number, denominator: number): CellPart => ({ numerator, denominator });

test('pass@1 is the share of tasks for each phrasing, then AVG and STDEV over phrasings', () => {
  // Phrasing 1 passes 3 of 4, phrasing 2 passes 1 of 4, phrasing 3 passes 2 of 4: 75, 25, 50 %.
  const tasks = [
    [1, 1, 1],
    [1, 0, 1],
    [1, 0, 0],
    [0, 0, 0],
  ].map((task) => task.map((value) => passed(value as 0 | 1)));
  expect(phrasingSpread(tasks, 100)).toEqual({ values: [75, 25, 50], mean: 50, stdev: 25, n: 12, nExcluded: 0 });
});

test('a density is all messages / all lines of a phrasing, not the mean over solutions', () => {
  const tasks = [
    [messages(2, 10), messages(0, 20)],
    [messages(1, 50), messages(4, 20)],
  ];
  // 3 in 60 lines and 4 in 40: 0.5 and 1 per 10 lines.
  expect(phrasingSpread(tasks, 10)).toMatchObject({ values: [0.5, 1], mean: 0.75, stdev: Math.sqrt(0.125) });
});

test('a missing value is excluded and counted; a phrasing without values has none', () => {
  const tasks = [
    [passed(1), passed(null), passed(null)],
    [passed(0), passed(1), passed(null)],
  ];
  expect(phrasingSpread(tasks, 100)).toMatchObject({ values: [50, 100, null], mean: 75, n: 3, nExcluded: 3 });
});

test('one phrasing has no STDEV, and without tasks there is no value', () => {
  expect(phrasingSpread([[passed(1)], [passed(0)]], 100)).toMatchObject({ mean: 50, stdev: null });
  expect(phrasingSpread([], 100)).toEqual({ values: [], mean: null, stdev: null, n: 0, nExcluded: 0 });
});
