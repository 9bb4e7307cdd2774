/** Places of PromptSE's main table. */
import { expect, test } from 'vitest';
import { boardPlaces, type PromptseBoardRow } from '../../../studies/promptse/results/board.ts';

const row = (aucE: number | null, n: number, excess: number | null = null): PromptseBoardRow => {
  const of = (value: number | null) => (value === null ? null : { value, interval: null });
  return { aucE: of(aucE), aucEExcess: of(excess), n, nFloor: n } as unknown as PromptseBoardRow;
};

// Red before: the order of the rows, so that ties had different ranks, and the two with the fewest tasks were first.
test('ties share a place, and a value of fewer tasks has none', () => {
  const rows = [row(0.667, 4), row(0.667, 3), row(0.583, 8), row(0.583, 8), row(0.4, 8, 0.1), row(null, 0)];
  expect(boardPlaces(rows).area).toEqual([null, null, 1.5, 1.5, 3, null]);
  expect(boardPlaces(rows).excess).toEqual([null, null, null, null, 1, null]);
  // One of 200 tasks makes no difference.
  expect(boardPlaces([row(0.5, 200), row(0.6, 199)]).area).toEqual([2, 1]);
});
