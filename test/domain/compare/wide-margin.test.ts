/** A margin that no difference of a bounded metric can exceed. */
import { expect, test } from 'vitest';
import { wideMarginNote } from '../../../domain/compare/wide-margin.ts';

type Compared = Parameters<typeof wideMarginNote>[0][number];

const compared = (metric: Compared['subject']['metric'], margin: number, range: Compared['range']): Compared => ({
  subject: { metric, benchmark: 'b', suite: null, dimension: 'd', workflow: 'd' },
  range,
  options: { margin },
});
const bounded = (lo: number, hi: number) => ({ kind: 'bounded', lo, hi }) as const;

// Red before: nothing was said, and every pair was "within the margin".
test('a margin as large as the range of a metric is told once, with the metrics that it is too large for', () => {
  const all = [
    ...[compared('auc_e_normalized', 5, bounded(0, 1)), compared('auc_e_normalized', 5, bounded(0, 1))],
    ...[compared('asl', 5, bounded(0, 3)), compared('asl', 5, bounded(0, 10))],
    ...[compared('pass_at_1', 5, bounded(0, 100)), compared('auc_e_excess', 5, bounded(-2 / 3, 2 / 3))],
    ...[compared('code_smell', 5, { kind: 'assumed', least: 1 }), compared('wall_ratio', 5, { kind: 'logTime' })],
  ];
  expect(wideMarginNote(all)).toEqual([
    'a margin of 5 cannot fail for auc_e_normalized (values differ by at most 1), asl (at most 3), auc_e_excess (at ' +
      'most 1.333): --margin is in the unit of the metric',
  ]);
});

test('a margin equal to the range cannot fail, a smaller one can, and without one nothing is said', () => {
  const note = (margin: number): string[] => wideMarginNote([compared('auc_e_normalized', margin, bounded(0, 1))]);
  expect(note(1)).toHaveLength(1);
  expect(note(0.999)).toEqual([]);
  expect(note(0)).toEqual([]);
  expect(wideMarginNote([])).toEqual([]);
});
