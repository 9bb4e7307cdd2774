/** Expected values are the sentences of the paper's RQ2 about its table 4, and hand counts. */
import { expect, test } from 'vitest';
import published from '../../../data/published/robunfr.json' with { type: 'json' };
import { deltaRanges, type MetricDelta, tradeOffs } from '../../../studies/robunfr/results/rows/regression-summary.ts';

const deltasOf = (model: string): MetricDelta[] =>
  published.table4
    .filter((row) => row.model === model)
    .map(({ benchmark, dimension, metric, delta_percent }) => ({
      benchmark,
      dimension,
      metric,
      deltaPercent: delta_percent,
    }));
const passRange = (model: string) => deltaRanges(deltasOf(model)).find(({ metric }) => metric === 'pass_at_1');

test('ranges of pass changes as in the text: GPT-4o to 2.17 %, GPT-3.5 to 6.85 %, Claude to 33.72 %', () => {
  expect(passRange('GPT-4o')).toMatchObject({ least: 0, most: 2.17 });
  // The text says that GPT-3.5 begins at 0.59; its table has 0.16, for readability on HumanEval.
  expect(passRange('GPT-3.5')).toMatchObject({
    least: 0.16,
    most: 6.85,
    dimension: 'function-only',
    benchmark: 'MBPP',
  });
  expect(passRange('Claude-3.5')).toMatchObject({
    least: 1.82,
    most: 33.72,
    dimension: 'reliability',
    benchmark: 'MBPP',
  });
});

test.each([
  // HumanEval -5.18 and +23.47, MBPP +6.85 and -5.49.
  { model: 'GPT-3.5', signs: { HumanEval: [-1, 1], MBPP: [1, -1] }, agrees: false },
  // HumanEval -2.17 and +4.80, MBPP -1.21 and +16.91.
  { model: 'GPT-4o', signs: { HumanEval: [-1, 1], MBPP: [-1, 1] }, agrees: true },
])('as the text says, pass and unreadability of $model move alike on both benchmarks: $agrees', (row) => {
  const found = tradeOffs(deltasOf(row.model)).find(
    ({ dimension, metrics }) =>
      dimension === 'function-only' && metrics[0] === 'pass_at_1' && metrics[1] === 'unreadability',
  );
  expect(found).toMatchObject({ signs: row.signs, agrees: row.agrees });
});

test('every pair of six metrics is looked at in every dimension', () => {
  expect(tradeOffs(deltasOf('GPT-4o'))).toHaveLength(5 * 15);
});

test('a metric that does not change, but for the rounding of sums, has sign 0: no movement', () => {
  const delta = (benchmark: string, metric: string, deltaPercent: number | null) => ({
    benchmark,
    dimension: 'design',
    metric,
    deltaPercent,
  });
  const deltas = [delta('a', 'x', 2), delta('a', 'y', 3), delta('b', 'x', -1), delta('b', 'y', -1e-14)];
  expect(tradeOffs(deltas)).toEqual([
    { dimension: 'design', metrics: ['x', 'y'], signs: { a: [1, 1], b: [-1, 0] }, agrees: false },
  ]);
});

test('one benchmark says nothing about agreement, and a metric without values has no range', () => {
  const deltas = [
    { benchmark: 'a', dimension: 'design', metric: 'x', deltaPercent: 2 },
    { benchmark: 'a', dimension: 'design', metric: 'y', deltaPercent: 3 },
    { benchmark: 'b', dimension: 'design', metric: 'y', deltaPercent: -3 },
    { benchmark: 'b', dimension: 'design', metric: 'x', deltaPercent: null },
    { benchmark: 'b', dimension: 'design', metric: 'z', deltaPercent: null },
  ];
  expect(tradeOffs(deltas)).toEqual([]);
  expect(deltaRanges(deltas).map(({ metric, most }) => [metric, most])).toEqual([
    ['x', 2],
    ['y', 3],
  ]);
});
