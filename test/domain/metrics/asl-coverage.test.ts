/**
 * The true value is the expectation of the published formula, by Monte Carlo within this file: tasks differ in how
 * likely each loop succeeds, and each task is run twice, so its two cells are not independent.
 */
import { expect, test } from 'vitest';
import { loopRows } from '../../../bench/coverage/loop-rows.ts';
import { randomOf } from '../../../bench/coverage/random.ts';
import { aslRows } from '../../../domain/metrics/asl-rows.ts';
import type { Row } from '../../../schemas/tables.ts';

const maxLoops = 10;

/** A third of the tasks are shaky, the others steady. */
const taskAbility = (random: () => number): number =>
  random() < 1 / 3 ? 0.3 + 0.4 * random() : 0.85 + 0.15 * random();

function sustained(ability: number, random: () => number): number {
  let loops = 0;
  while (loops < maxLoops && random() < ability) loops += 1;
  return loops;
}

/** E[l^2] / M. */
function trueAsl(random: () => number): number {
  let sum = 0;
  for (let draw = 0; draw < 400_000; draw += 1) sum += sustained(taskAbility(random), random) ** 2;
  return sum / 400_000 / maxLoops;
}

const dataSet = (random: () => number): Row[] =>
  Array.from({ length: 80 }, () => taskAbility(random)).flatMap((ability, task) =>
    loopRows(
      task,
      [0, 1].map(() => ({ sustained: sustained(ability, random), similarity: null })),
      maxLoops,
    ),
  );

/** How many of 100 intervals contain the true value; `cluster` names the unit that is resampled. */
function covered(cluster: (row: Row) => string): number {
  const random = randomOf(20_261).uniform;
  const truth = trueAsl(random);
  let hits = 0;
  for (let set = 0; set < 100; set += 1) {
    const rows = dataSet(random).map((row) => ({ ...row, task_id: cluster(row) }));
    const [row] = aslRows(rows, { maxLoops, judge: null });
    if (Number(row?.['asl_unweighted_lo']) <= truth && truth <= Number(row?.['asl_unweighted_hi'])) hits += 1;
  }
  return hits;
}

test('the 95 % interval of asl_unweighted contains the true value in 90 to 99 of 100 data sets', () => {
  const hits = covered((row) => String(row['task_id']));
  expect(hits).toBeGreaterThanOrEqual(90);
  expect(hits).toBeLessThanOrEqual(99);
});

test('resampling cells as if they were independent would contain it in fewer than 90', () => {
  expect(covered((row) => `${row['task_id']}#${row['repetition']}`)).toBeLessThan(90);
});
