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
