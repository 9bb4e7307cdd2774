import { expect, test } from 'vitest';
import { smallestShown } from '../../../analysis/card/smallest-shown.ts';
import { groupsIn, groupText } from '../../../domain/statistics/ranks/compact-letters.ts';
import type { Row } from '../../../schemas/tables.ts';

const row = (estimate: number, letters: string): Row => ({ estimate, letters, n_tasks: 40 });
const metric = { unit: '%', text: (value: number) => value.toFixed(1) };

test('only models without a common letter are told apart', () => {
  expect(smallestShown(metric, [row(80, 'a'), row(70, 'ab'), row(61.5, 'bc'), row(50, 'c')])).toEqual({
    // 80 and 61.5; 70 and 61.5 share b, and 70 and 50 are 20 apart.
    ...{ difference: '18.5 points', tasks: '40 tasks' },
  });
  expect(smallestShown(metric, [row(80, 'a'), row(10, 'a')])).toBeNull();
  expect(smallestShown(metric, [])).toBeNull();
});

// Red before: "120 tasks", those of the first model, of two others that have 118.
test('no number of tasks where the models have different ones', () => {
  const rows = [
    { ...row(80, 'a'), n_tasks: 120 },
    ...[row(70, 'ab'), row(61.5, 'b')].map((one) => ({ ...one, n_tasks: 118 })),
  ];
  expect(smallestShown(metric, rows)).toEqual({ difference: '18.5 points', tasks: null });
});

test.each([
  { groups: [0], of: 3 },
  { groups: [1, 2], of: 5 },
  { groups: [2, 3, 4, 5, 6, 7], of: 20 },
  { groups: [0, 4, 5, 6, 9], of: 20 },
  { groups: [2, 3, 4, 11], of: 60 },
  { groups: [7, 8, 20], of: 60 },
])('groups $groups of $of are read back from their text', ({ groups, of }) => {
  expect(groupsIn(groupText(groups, of))).toEqual(groups);
});
