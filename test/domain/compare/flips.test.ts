import { expect, test } from 'vitest';
import { flipSides, flipsOf } from '../../../domain/compare/flips.ts';
import { comparePairs } from '../../../domain/compare/pairs.ts';

const sides = {
  taskIds: ['one answer', 'sure', 'less sure', 'equal', 'back'],
  first: [100, 100, 100, 50, 0],
  second: [0, 0, 50, 50, 100],
  samples: [
    [1, 4, 4, 4, 4],
    [1, 4, 4, 4, 4],
  ],
  most: 100,
  direction: 'higher',
} as const;

test('tasks that flip most surely come first; a single answer is no evidence', () => {
  const flips = flipsOf(sides);
  expect(flips.map(({ taskId }) => taskId)).toEqual(['back', 'sure', 'less sure', 'one answer']);
  // Fisher: 4 of 4 against 0 of 4 is 2 / C(8, 4); 4 of 4 against 2 of 4 is (15 + 15) / C(8, 6) x ... = 3 / 7.
  expect(flips.map(({ p }) => p && Number(p.toFixed(6)))).toEqual([0.028571, 0.028571, 0.428571, null]);
});

test('which side is better follows the direction of the metric', () => {
  const better = (direction: 'higher' | 'lower') =>
    flipsOf({ ...sides, direction }).map(({ firstIsBetter }) => firstIsBetter);
  expect(better('higher')).toEqual([false, true, true, true]);
  expect(better('lower')).toEqual([true, false, false, false]);
});

test('values that are no shares of answers are sorted by the size of the difference', () => {
  const flips = flipsOf({ ...sides, first: [1, 5, 3, 2, 0], second: [0, 0, 0, 2, 9], samples: null });
  expect(flips.map(({ taskId, p }) => [taskId, p])).toEqual([
    ['back', null],
    ['sure', null],
    ['less sure', null],
    ['one answer', null],
  ]);
});

// Red before: each share was taken of the fewest answers of any model, so that p was 0.4 and 1, or missing.
test('each share is of its own model’s answers, whatever another model lacks', () => {
  const found = {
    taskIds: ['t/6', 't/17', 't/5', 't/21', 'unknown'],
    // The mean of the other tasks where no answer was judged.
    values: [
      [100, 100, 100, 500 / 6, 80],
      [100 / 6, 50, 400 / 6, 0, 100],
      [0, 0, 0, 50, 50],
    ],
    judged: [
      [100, 100, 100, 500 / 6, null],
      [100 / 6, 50, 400 / 6, 0, 100],
      [0, 0, 0, null, null],
    ],
    samples: [
      [3, 5, 4, 6, 0],
      [6, 6, 6, 6, 6],
      [6, 6, 1, 0, 0],
    ],
  };
  const flips = flipsOf({ ...flipSides(found, [0, 1]), most: 100, direction: 'higher' });
  expect(flips.map(({ taskId, samples, p }) => [taskId, samples, Number(p?.toFixed(6))])).toEqual([
    // 5 of 6 against 0 of 6: 2 x 6 / C(12, 5).
    ['t/21', [6, 6], 0.015152],
    // 3 of 3 against 1 of 6: C(6, 1) / C(9, 4) is the least probable table.
    ['t/6', [3, 6], 0.047619],
    // 5 of 5 against 3 of 6: C(6, 3) / C(11, 8), and the one less probable.
    ['t/17', [5, 6], 0.181818],
    // 4 of 4 against 4 of 6: C(6, 4) / C(10, 8), and the one less probable.
    ['t/5', [4, 6], 0.466667],
  ]);
});

// Red before: the models' own means were shown, so that one of two equal models was better on all of these tasks.
test('of a task with several prompts those count of which both models were judged', () => {
  const found = {
    taskIds: ['t/1', 't/2'],
    values: [
      [75, 100],
      [50, 50],
    ],
    judged: [
      [75, 100],
      [50, 50],
    ],
    byPrompt: [
      [
        [100, 50, null],
        [100, null, 100],
      ],
      [
        [100, 50, 0],
        [0, 50, 100],
      ],
    ],
    samples: [
      [6, 6],
      [9, 9],
    ],
  };
  const flips = flipsOf({ ...flipSides(found, [0, 1]), most: 100, direction: 'higher' });
  expect(flips).toEqual([{ taskId: 't/2', first: 100, second: 50, firstIsBetter: true, samples: null, p: null }]);
  const options = {
    direction: 'higher',
    range: { kind: 'bounded', lo: 0, hi: 100 },
    margin: 0,
    alpha: 0.05,
    seed: 1,
  } as const;
  const [pair] = comparePairs(
    found.values,
    options,
    {
      least: [
        [50, 66],
        [50, 50],
      ],
      most: [
        [83, 100],
        [50, 50],
      ],
    },
    {
      own: found.judged,
      byPrompt: found.byPrompt,
    },
  );
  expect(pair).toMatchObject({ better: 1, worse: 0, difference: 25 });
});
