/** Notes on comparisons over fewer tasks than some model has: each says what it is about. */
import { expect, test } from 'vitest';
import { cutNotes } from '../../../studies/across/cut-notes.ts';

type Compared = Parameters<typeof cutNotes>[0][number];
type Metric = Compared['subject']['metric'];

const models = ['a', 'b'].map((model) => ({ run: 'r', model, name: model, simulated: false }));
const compared = (
  metric: Metric,
  dimension: string,
  own: readonly number[],
  variant: string | null = null,
): Compared => ({
  study: 'upd',
  subject: { metric, benchmark: 'mbpp', suite: null, dimension, workflow: dimension },
  ...{
    variant,
    models,
    ownTasks: [...own],
    taskIds: Array.from({ length: Math.min(...own) }, (_, task) => `T/${task}`),
  },
});
const text = (tasks: number, name: string): string =>
  `compared on the ${tasks} tasks that all 2 models share, of up to 40; ${name} has the fewest, ${tasks}`;

// Red before: both notes began with "study upd, wall_ratio, cpu_ratio:".
test('the same metrics under two conditions: each note names its own', () => {
  const times = (dimension: string, own: readonly number[]): Compared[] =>
    (['wall_ratio', 'cpu_ratio'] as const).map((metric) => compared(metric, dimension, own));
  const all = compared('pass_at_1', 'function-only', [40, 40]);
  expect(cutNotes([...times('function-only', [10, 40]), ...times('reliability', [40, 5]), all])).toEqual([
    `study upd, wall_ratio, cpu_ratio (function-only): ${text(10, 'a')}`,
    `study upd, wall_ratio, cpu_ratio (reliability): ${text(5, 'b')}`,
  ]);
});

test('a metric whose conditions are all cut needs none, another that is cut under one has a note of its own', () => {
  expect(
    cutNotes([
      ...[compared('wall_ratio', 'function-only', [10, 40]), compared('wall_ratio', 'reliability', [10, 40])],
      ...[compared('cpu_ratio', 'function-only', [40, 40]), compared('cpu_ratio', 'reliability', [10, 40])],
    ]),
  ).toEqual([`study upd, wall_ratio: ${text(10, 'a')}`, `study upd, cpu_ratio (reliability): ${text(10, 'a')}`]);
});

// Red before: both notes began with "study upd, pass_at_1:".
test('variants that are compared separately, and what is true of all comparisons', () => {
  const variant = (name: string, own: readonly number[]): Compared => compared('pass_at_1', 'function-only', own, name);
  expect(cutNotes([variant('v1', [10, 40]), variant('v2', [40, 5])])).toEqual([
    `study upd, pass_at_1 (function-only, variant v1): ${text(10, 'a')}`,
    `study upd, pass_at_1 (function-only, variant v2): ${text(5, 'b')}`,
  ]);
  expect(cutNotes([variant('v1', [10, 40]), variant('v2', [10, 40])])).toEqual([`study upd: ${text(10, 'a')}`]);
});
