/** Time for slow programs: a bound that falls faster than time passes is no estimate, but its speed gives one. */
import { expect, test } from 'vitest';
import type { Progress } from '../../../activities/storage/ledger/ledger-counts.ts';
import { createPace } from '../../../cli/follow/pace.ts';

const progress = { lanes: [], answered: 0 } as unknown as Progress;
const extent = { references: 0, callsPerCell: {} };

// Red before: 390 s at the end of a run in which models share their programs, 20 s before it was done.
test('what is left follows the speed at which the bound falls', () => {
  const pace = createPace();
  const leftAt = (seconds: number, boundSeconds: number): number =>
    pace(progress, extent, seconds * 1000, boundSeconds * 1000).slowMs / 1000;
  expect(leftAt(0, 0)).toBe(0);
  expect(leftAt(1, 1000)).toBe(1000);
  // Nothing is done yet: the bound is all that is known.
  expect(leftAt(5, 1000)).toBe(1000);
  for (let second = 6; second < 60; second += 1) leftAt(second, 1000 - 12.5 * (second - 5));
  // 12.5 s of the bound are done in each second, and 312.5 s are left.
  expect(leftAt(60, 312.5)).toBeCloseTo(25, 0);
});

test('it is never more than the bound', () => {
  const pace = createPace();
  const leftAt = (seconds: number, boundSeconds: number): number =>
    pace(progress, extent, seconds * 1000, boundSeconds * 1000).slowMs / 1000;
  leftAt(0, 100);
  for (let second = 1; second < 60; second += 1) leftAt(second, 100 - second / 10);
  expect(leftAt(60, 94)).toBe(94);
});
