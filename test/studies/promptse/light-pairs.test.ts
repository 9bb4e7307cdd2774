/** PromptSELight against PromptSE where some tasks have only one of them, by hand. */
import { expect, test } from 'vitest';
import type { Row } from '../../../schemas/tables.ts';
import { lightPairs } from '../../../studies/promptse/results/questions/light-pairs.ts';

const elasticity = (task_id: string, method: string, value: number | null): Row[] =>
  [0.1, 0.2, 0.3].map((distance) => ({ model: 'm', task_id, method, distance, elasticity: value }));
const summary = (method: string, area: number): Row => ({
  ...{ model: 'm', family: null, size_b: null, method, pass_at_1: 0.5 },
  ...{ auc_e: area, auc_e_normalized: 1.5 * area },
});
const closeTo = (value: number) => expect.closeTo(value, 12);

// Red before: each method's mean was of its own tasks, so that methods that agree on every task did not agree.
test('both methods are compared over the tasks that have both', () => {
  const light = [...elasticity('t1', 'light', 0.9), ...elasticity('t2', 'light', 0.3)];
  const full = [...elasticity('t1', 'full', 0.9), ...elasticity('t2', 'full', null)];
  const summaries = [summary('light', 0.4), summary('full', 0.6)];
  const [pair] = lightPairs(summaries, [...light, ...full]);
  // 0.9 at every distance: 0.9 * 6 / 9, and 0.9 of the greatest area.
  expect(pair?.published).toEqual({ light: closeTo(0.6), full: closeTo(0.6) });
  expect(pair?.normalized).toEqual({ light: closeTo(0.9), full: closeTo(0.9) });
});

test('where every task has both, the summaries are as they are; without such a task there is no pair', () => {
  const both = [...elasticity('t1', 'light', 0.3), ...elasticity('t1', 'full', 0.6)];
  const summaries = [summary('light', 0.2), summary('full', 0.4)];
  expect(lightPairs(summaries, both)).toMatchObject([{ published: { light: 0.2, full: 0.4 } }]);
  const apart = [...elasticity('t1', 'light', 0.3), ...elasticity('t2', 'full', 0.6)];
  expect(lightPairs(summaries, apart)).toEqual([]);
});
