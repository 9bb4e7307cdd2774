/** The models of a comparison in the order of their scores. */
import { expect, test } from 'vitest';
import { plainStandings } from '../../../domain/compare/standings.ts';

// Red before: from -3.9 messages per 10 lines.
test('the interval of a density, of which an unseen task is only assumed, begins at 0 at the earliest', () => {
  const values = [
    [0, 0, 0, 0, 0, 0, 0, 0],
    [0.4, 0, 0, 0, 0, 0, 0, 0],
  ];
  const options = { direction: 'lower', range: { kind: 'assumed', least: 10 }, alpha: 0.05, seed: 1 } as const;
  const found = plainStandings({ values }, [], options);
  expect(found.map(({ interval }) => interval.lo)).toEqual([0, 0]);
  for (const { value, interval } of found) expect(interval.hi).toBeGreaterThan(value);
});
