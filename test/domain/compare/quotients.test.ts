/** Densities (messages / lines) of models that are mostly the same, compared by swapping the sides of tasks. */
import { expect, test } from 'vitest';
import { randomOf } from '../../../bench/coverage/random.ts';
import { comparePairs, type PairResult } from '../../../domain/compare/pairs.ts';
import type { TaskParts } from '../../../domain/metrics/phrasing-values.ts';
import { linearValues } from '../../../domain/metrics/sides/side-values.ts';
import { swapChanges } from '../../../domain/metrics/sides/swap-changes.ts';
import { compareVersions } from '../../../domain/metrics/versions/version-comparison.ts';

const solution = (messages: number, lines: number): TaskParts => [{ numerator: messages, denominator: lines }];
const range = { kind: 'assumed', least: 10 } as const;

function compared(sides: readonly (readonly TaskParts[])[]): PairResult {
  const tasks = (sides[0] ?? []).map((_, task) => sides.map((own) => own[task] ?? []));
  const { values, shown = values, quotients } = linearValues(tasks, 10);
  const options = { direction: 'lower', range, margin: 0, alpha: 0.05, seed: 1 } as const;
  const [pair] = comparePairs(values, options, null, { own: shown, ...(quotients && { quotients }) });
  if (pair === undefined) throw new Error('two models are one pair');
  return pair;
}

// Red before: the 19 tasks that are the same counted for the second model, p = 2 / 2^20.
test('one program of twenty has a line more: swapping it gives the same again, p = 1', () => {
  const own = Array.from({ length: 20 }, (_, task) => solution(1, 3 + (task % 4)));
  const longer = own.map((parts, task) => (task === 7 ? solution(2, 7) : parts));
  expect(compared([longer, own])).toMatchObject({ p: 1, verdict: 'inconclusive', better: 0, worse: 1 });
  const [version] = compareVersions(
    [
      {
        ...{ name: 'unreadability', metric: 'unreadability', margin: 0 },
        tasks: own.map((old, task) => ({ old, now: longer[task] ?? [] })),
      },
    ],
    { seed: 1, alpha: 0.05 },
  );
  expect(version).toMatchObject({ method: 'sign_flip', p: 1, verdict: 'inconclusive' });
});

test('with as many lines on both sides, p is the share of all swaps with so large a difference of densities', () => {
  const messages = [
    [3, 0, 2, 5, 1, 0, 4, 2, 6, 1],
    [1, 0, 2, 1, 2, 0, 1, 2, 2, 0],
  ] as const;
  const lines = [10, 4, 7, 20, 6, 5, 9, 8, 12, 3];
  const density = (side: 0 | 1, swapped: number): number =>
    lines.reduce((sum, _, task) => sum + (messages[(swapped >> task) % 2 === 0 ? side : 1 - side]?.[task] ?? 0), 0) /
    84;
  const size = (swapped: number): number => Math.abs(density(0, swapped) - density(1, swapped));
  const asLarge = Array.from({ length: 1024 }, (_, swapped) => size(swapped)).filter((one) => one >= size(0) - 1e-12);
  const sides = messages.map((own) => own.map((count, task) => solution(count, lines[task] as number)));
  expect(compared(sides).p).toBeCloseTo(asLarge.length / 1024, 12);
});

test('a swapped task changes the sign of its own term and no other', () => {
  const sides = [
    [solution(3, 9), solution(1, 12), solution(0, 4)],
    [solution(1, 5), solution(1, 12), solution(2, 6)],
  ] as const;
  const before = swapChanges({ scale: 10, parts: sides }, 0, 1);
  const swapped = [0, 1].map((side) => sides[side]?.map((parts, task) => (task === 2 ? sides[1 - side]?.[2] : parts)));
  const after = swapChanges({ scale: 10, parts: swapped as TaskParts[][] }, 0, 1);
  expect(before[1]).toBe(0);
  expect(after).toEqual([before[0], 0, expect.closeTo(-(before[2] as number), 12)]);
});

test.each([0.06, 0.3])(
  'equal models that add a line in a share of %s: p is below 0.05 in at most 5 of 100 sets',
  (share) => {
    const random = randomOf(11);
    const side = (): TaskParts[] =>
      Array.from({ length: 20 }, (_, task) =>
        random.uniform() < share ? solution(2, 6 + (task % 5)) : solution(1, 5 + (task % 5)),
      );
    const alarms = Array.from({ length: 400 }, () => compared([side(), side()]).p).filter((p) => p < 0.05);
    // Two standard errors of 400 sets are 2.2 points.
    expect(alarms.length / 400).toBeLessThan(0.072);
  },
);
