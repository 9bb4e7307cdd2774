/** A small form of `npm run bench -- gate`: the error rates that a policy promises. */
import { expect, test } from 'vitest';
import { kindCells } from '../../../bench/gate/kinds.ts';
import { PairedGates } from '../../../bench/gate/paired-binaries.ts';
import { tasksNeeded } from '../../../domain/gate/needed.ts';
import { seedOf } from '../../../domain/random.ts';

const gates = 400;

test.each([
  // A percentile bootstrap passed 59 %, 31 %, 32 %, 66 % and 100 % of these.
  { n: 10, loss: 6, margin: 5 },
  { n: 20, loss: 6, margin: 5 },
  { n: 60, loss: 2, margin: 0 },
  { n: 4, loss: 10, margin: 5 },
  { n: 1, loss: 1, margin: 0 },
  { n: 164, loss: 6, margin: 5 },
])('a model that loses $loss points on $n tasks passes a margin of $margin in at most 5 %', ({ n, loss, margin }) => {
  const judged = new PairedGates(n, margin);
  for (const gained of [0, 1, 10]) {
    const { passed } = judged.outcomes({ lost: loss + gained, gained }, gates, 7);
    expect(passed / gates).toBeLessThanOrEqual(0.05 + 2 * Math.sqrt((0.05 * 0.95) / gates));
  }
});

test.each(kindCells.filter(({ n, worse }) => n === 20 && worse))('$name on 20 tasks: passes in at most 5 %', (cell) => {
  const few = 100;
  const passed = Array.from({ length: few }, (_, gate) => cell.judge(seedOf('false passes', cell.name, gate))).filter(
    (outcome) => outcome === 'passed',
  ).length;
  expect(passed / few).toBeLessThanOrEqual(0.05 + 2 * Math.sqrt((0.05 * 0.95) / few));
});

test('a model that loses nothing passes with enough tasks, and one that loses far more fails', () => {
  const judged = new PairedGates(378, 5);
  expect(judged.outcomes({ lost: 1, gained: 1 }, gates, 7).passed / gates).toBeGreaterThan(0.9);
  expect(judged.outcomes({ lost: 16, gained: 1 }, gates, 7).failed / gates).toBeGreaterThan(0.9);
});

test.each([
  { changed: 0.02, margin: 5 },
  { changed: 0.06, margin: 5 },
  { changed: 0.2, margin: 5 },
  { changed: 0.06, margin: 2 },
])(
  'as many tasks as are said to be needed decide in about 80 % of cases: $changed of them changed, margin $margin',
  ({ changed, margin }) => {
    const n = tasksNeeded(margin, { deviation: 100 * Math.sqrt(changed), worst: 100 }, 0.05) ?? 0;
    const half = 50 * changed;
    const { passed } = new PairedGates(n, margin).outcomes({ lost: half, gained: half }, gates, 7);
    expect(passed / gates).toBeGreaterThan(0.7);
    expect(passed / gates).toBeLessThan(0.95);
  },
);

test('no number of tasks shows that nothing at all is lost', () => {
  expect(tasksNeeded(0, { deviation: 10, worst: 100 }, 0.05)).toBeNull();
});
