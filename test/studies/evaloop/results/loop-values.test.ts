/** What a task contributes to ASL in a comparison, counted by hand: i^2 s / M, with s = (i - 1 + similarity) / i. */
import { describe, expect, test } from 'vitest';
import type { EndedLoops } from '../../../../studies/evaloop/results/default-loops.ts';
import { loopValues } from '../../../../studies/evaloop/results/loop-values.ts';

const broke = (taskId: string, similarity: number | null): EndedLoops => ({
  ...{ taskId, sustainedLoops: 1, similarity, isExcluded: false, isUnjudged: false, repetition: 0 },
});
const cells = [broke('a', null), broke('b', 0.5), broke('c', 0.9)];

describe('a break without a similarity', () => {
  test.each([
    ['takes the mean of the shared breaks after as many loops', ['a', 'b'], 0.25],
    // Red before: ASL was undefined, since the only break with a similarity is of a task that the other model lacks.
    ['takes the mean of all of the model’s own, where no shared break has a similarity', ['a'], 0.35],
  ])('%s', (_what, shared, value) => {
    expect(loopValues(cells, 2, true, new Set(shared))?.get('a')).toBeCloseTo(value, 12);
  });

  test('leaves ASL undefined where the model has none at all', () => {
    expect(loopValues([broke('a', null), broke('b', null)], 2, true, new Set(['a']))).toBeNull();
  });
});

// Red before: 0, though the other cell passed two loops of three.
test('a task with a cell that could not be judged has a value that all its cells may have', () => {
  const of = (sustainedLoops: number, isExcluded: boolean, repetition: number): EndedLoops => ({
    ...{ taskId: 'a', sustainedLoops, similarity: null, isExcluded, isUnjudged: isExcluded, repetition },
  });
  // The mean of 0 and of 2 * 2 / 3 to 3.
  expect(loopValues([of(0, false, 0), of(2, true, 1)], 3, false)?.get('a')).toBeCloseTo(2 / 3, 12);
  expect(loopValues([of(3, false, 0), of(0, true, 1)], 3, false)?.get('a')).toBe(3);
});
