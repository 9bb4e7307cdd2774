/** STDEV over phrasings where answers could not be judged, against all ways in which they may pass. */
import { expect, test } from 'vitest';
import { uniform } from '../../../domain/random.ts';
import { type CellPart, phrasingSpread, type TaskParts } from '../../../domain/metrics/phrasing-values.ts';
import { openSpread } from '../../../domain/metrics/sides/open-spread.ts';

const part = (passed: boolean): CellPart => ({ numerator: Number(passed), denominator: 1 });
const stdev = (tasks: readonly TaskParts[]): number => phrasingSpread(tasks, 1).stdev as number;

/** All tasks in which each missing part passes or fails. */
function* allWays(tasks: readonly TaskParts[]): Generator<TaskParts[]> {
  const open = tasks.flat().filter((one) => one === null).length;
  for (let way = 0; way < 2 ** open; way += 1) {
    let place = 0;
    yield tasks.map((parts) => parts.map((one) => one ?? part(((way >> place++) & 1) === 1)));
  }
}

test('of all ways in which the missing answers may pass, none has a smaller or a larger spread', () => {
  const random = uniform(7);
  for (let round = 0; round < 60; round += 1) {
    const phrasings = 2 + Math.floor(3 * random());
    const tasks = Array.from({ length: 4 }, () =>
      Array.from({ length: phrasings }, () => (random() < 0.4 ? null : part(random() < 0.5))),
    );
    const found = openSpread(tasks);
    const spreads = [...allWays(tasks)].map(stdev);
    if (found === null) {
      expect(tasks.flat()).not.toContain(null);
      continue;
    }
    expect(stdev(found.most)).toBeCloseTo(Math.max(...spreads), 12);
    // Shares between those that whole answers make are allowed too.
    expect(stdev(found.least)).toBeLessThanOrEqual(Math.min(...spreads) + 1e-9);
  }
});

test('by hand: three phrasings of one task, one of them open', () => {
  const found = openSpread([[part(true), part(false), null]]);
  expect(stdev(found?.least ?? [])).toBeCloseTo(0.5, 9);
  expect(stdev(found?.most ?? [])).toBeCloseTo(1 / Math.sqrt(3), 12);
});

test('of many open phrasings half are at each end', () => {
  const found = openSpread([Array.from({ length: 20 }, () => null), Array.from({ length: 20 }, () => part(true))]);
  // Ten values of 0.5 and ten of 1.
  expect(stdev(found?.most ?? [])).toBeCloseTo(0.25 * Math.sqrt(20 / 19), 12);
});
