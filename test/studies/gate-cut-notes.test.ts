import { expect, test } from 'vitest';
import { comparedTasks, openTasks, plainSubject, sharedTasks } from '../../analysis/gate/compared.ts';
import { gateCutNotes } from '../../studies/across/gate-cut-notes.ts';

const range = { kind: 'bounded', lo: 0, hi: 100 } as const;

/** Each side has the value 50 for the tasks that it names. */
const compared = (dimension: string, ...sides: readonly (readonly number[])[]) => {
  const values = sides.map((tasks) => new Map(tasks.map((task) => [`T/${task}`, 50])));
  return comparedTasks(plainSubject('pass_at_detail', 'b', dimension), sharedTasks(values, new Set()), range);
};
const upTo = (count: number): number[] => Array.from({ length: count }, (_, task) => task);

// Red before: a note, "compared on 3 tasks; the old version has it for 2, the new one for 2", beside a row of 2 tasks.
test('nothing is said where both versions have values for the tasks of the row, and answers that nobody judged', () => {
  const [all, judged] = [upTo(3), upTo(2)].map((tasks) => new Map(tasks.map((task) => [`T/${task}`, 50])));
  const side = { values: judged as Map<string, number>, least: all as Map<string, number>, unjudged: 1 };
  const sides = [side, side].map((one) => ({ ...one, most: one.least }));
  const shared = sharedTasks(
    sides.map(({ values }) => values),
    new Set(),
  );
  const open = openTasks(sides, new Set())?.open;
  expect(open?.taskIds).toHaveLength(3);
  const subject = plainSubject('pass_at_detail', 'b', 'mask 0.2');
  expect(gateCutNotes([comparedTasks(subject, { ...shared, ...(open && { open }) }, range)])).toEqual([]);
});

// Red before: one note for each condition.
test('conditions of the same numbers have one note', () => {
  const rows = [
    ...['mask 0.2', 'mask 0.4'].map((name) => compared(name, upTo(5), upTo(3))),
    compared('mask 0.6', upTo(4), [1, 2, 3, 4]),
    compared('mask 0.8', upTo(4), upTo(4)),
  ];
  expect(gateCutNotes(rows)).toEqual([
    'pass_at_detail (mask 0.2; mask 0.4) is compared on 3 tasks; the old version has it for 5 tasks, the new one for 3',
    'pass_at_detail (mask 0.6) is compared on 3 tasks; the old version has it for 4 tasks, the new one for 4',
  ]);
});

test('of more than four numbers, one note has the least and the most', () => {
  const rows = upTo(5).map((more) => compared(`summary ${more}`, upTo(10), upTo(4 + more)));
  expect(gateCutNotes(rows)).toEqual([
    'pass_at_detail, 5 conditions, is compared on 4 to 8 tasks; the old version has it for 10 tasks, the new one for ' +
      '4 to 8',
  ]);
});
