import { describe, expect, it } from 'vitest';
import { labelledPrompts, themePassingRows, themeTables } from '../../../../studies/specificity/results/theme-rows.ts';
import type { Row } from '../../../../schemas/tables.ts';

const taxonomy = {
  version: 'two',
  categories: [
    {
      id: '1',
      name: 'First',
      themes: [
        { id: '1.1', name: 'Goal', meaning: 'm' },
        { id: '1.2', name: 'Input', meaning: 'm' },
      ],
    },
  ],
};
const key = { run: 'r', study: 's', benchmark: 'b', language: 'python' };
const label = (
  task: string,
  variant: string,
  pass: number,
  theme: string | null,
  reason: string | null = null,
): Row => ({
  ...{ ...key, task_id: task, variant, labeller: 'l', pass, theme, reason },
});
const levels = new Map([
  ['summary-10', 10],
  ['summary-25', 25],
]);
const labels = [
  label('T/1', 'summary-10', 0, '1.1'),
  label('T/1', 'summary-10', 1, null),
  label('T/2', 'summary-10', 0, '1.1'),
  label('T/2', 'summary-10', 0, '1.2'),
  label('T/2', 'summary-10', 1, '1.1'),
  label('T/1', 'summary-25', 0, '1.1'),
  label('T/1', 'summary-25', 1, '1.1'),
  label('T/2', 'summary-25', 0, null, 'no answer names themes only, of 3'),
  label('T/2', 'summary-25', 1, null),
];
const pass = (task: string, variant: string, passed: boolean | null): Row => ({
  ...key,
  model: 'm',
  task_id: task,
  variant,
  passed,
  simulated: true,
});
const passes = [
  pass('T/1', 'summary-10', false),
  pass('T/2', 'summary-10', true),
  pass('T/1', 'summary-25', true),
  pass('T/2', 'summary-25', false),
];

describe('themes, by hand', () => {
  const prompts = labelledPrompts(labels, levels);
  const tables = {
    ...themeTables(key, prompts, taxonomy),
    theme_passing: themePassingRows(key, prompts, passes, taxonomy),
  };
  const count = (theme: string, level: number): Row =>
    tables.theme_counts.find((row) => row['theme'] === theme && row['level'] === level) ?? {};

  it('count by the share of runs that found them; an unreadable answer is not a run', () => {
    expect(count('1.1', 10)).toMatchObject({ n_prompts: 2, n_with: 1.5, share: 0.75 });
    expect(count('1.2', 10)).toMatchObject({ n_prompts: 2, n_with: 0.5 });
    expect(count('1.1', 25)).toMatchObject({ n_prompts: 2, n_with: 1 });
  });

  it('agree as far as pairs of runs do: of 1.1, two of three pairs', () => {
    const [goal, input] = tables.theme_agreement;
    // Pairs (yes, no), (yes, yes), (yes, yes): alpha = 1 - 5 (2) / (2 · 5 · 1) = 0.
    expect(goal).toMatchObject({ theme: '1.1', n: 3 });
    expect(goal?.['alpha']).toBeCloseTo(0, 12);
    expect(input).toMatchObject({ theme: '1.2', n: 3, kappa: 0 });
  });

  it('go with passing at equal word limits: more than half of the runs make a theme present', () => {
    const goal = tables.theme_passing.find((row) => row['theme'] === '1.1');
    // With: T/2 at 10 and T/1 at 25 pass; without: T/1 at 10 and T/2 at 25 fail.
    expect(goal).toMatchObject({ pass_with: 1, pass_without: 0, difference: 1, n_with: 2, n_without: 2 });
    const input = tables.theme_passing.find((row) => row['theme'] === '1.2');
    expect(input).toMatchObject({
      pass_with: null,
      difference: null,
      reason: 'no word limit has summaries with and without it',
    });
  });
});
