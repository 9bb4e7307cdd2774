/** Places of PromptSE's main table. */
import { expect, test } from 'vitest';
import { bySharedTasks } from '../../../domain/metrics/sides/nearly-all-tasks.ts';
import { boardPlaces, type PromptseBoardRow } from '../../../studies/promptse/results/board.ts';

const row = (aucE: number | null, lacks: boolean, excess: number | null = null): PromptseBoardRow => {
  const of = (value: number | null) => (value === null ? null : { value, interval: null });
  const lacksTasks = { area: lacks, excess: lacks };
  return { aucE: of(aucE), aucEExcess: of(excess), lacksTasks } as unknown as PromptseBoardRow;
};

// Red before: the order of the rows, so that ties had different ranks, and the two with the fewest tasks were first.
test('ties share a place, and a value of fewer tasks has none', () => {
  const rows = [row(0.667, true), row(0.667, true), row(0.583, false), row(0.583, false), row(0.4, false, 0.1)];
  expect(boardPlaces(rows).area).toEqual([null, null, 1.5, 1.5, 3]);
  expect(boardPlaces(rows).excess).toEqual([null, null, null, null, 1]);
  expect(boardPlaces([row(null, false), row(0.6, false)]).area).toEqual([null, 1]);
});

// Red before: as many tasks had ranks, though they were other ones.
test('values of other tasks lack these, and one of 200 makes no difference', () => {
  const of = (first: number, last: number) =>
    new Set(Array.from({ length: last - first }, (_, at) => `T/${first + at}`));
  expect(bySharedTasks([of(0, 10), of(10, 20)], (tasks) => tasks).nearlyAll).toEqual([]);
  expect(bySharedTasks([of(0, 200), of(0, 199), of(0, 190)], (tasks) => tasks).fewer).toEqual([of(0, 190)]);
});
