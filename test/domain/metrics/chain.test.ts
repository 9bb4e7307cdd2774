/** Scores of translation chains on cases counted by hand. */
import { describe, expect, it } from 'vitest';
import { chainFailureRows, chainScoreRows } from '../../../studies/chain/results/rows.ts';
import { chainScore } from '../../../studies/chain/results/score.ts';
import type { Row } from '../../../schemas/tables.ts';

const cell = (taskId: string, sustainedSteps: number, passedSteps = sustainedSteps) => ({
  taskId,
  sustainedSteps,
  passedSteps,
});

describe('the score of a chain', () => {
  it('weighs i steps in a row by i squared over M T, or counts the steps passed', () => {
    // (25 + 4 + 0) / (5 x 3); (5 + 4 + 1) / 3.
    const cells = [cell('a', 5), cell('b', 2, 4), cell('c', 0, 1)];
    expect(chainScore(cells, 5, 'squares')).toBeCloseTo(29 / 15, 12);
    expect(chainScore(cells, 5, 'counts')).toBeCloseTo(10 / 3, 12);
  });

  it('is M if every chain survives, and null without cells', () => {
    expect(chainScore([cell('a', 3), cell('b', 3)], 3, 'squares')).toBe(3);
    expect(chainScore([], 3, 'squares')).toBeNull();
    expect(chainScore([], 3, 'counts')).toBeNull();
  });
});

const key = (task: string): Row => ({
  ...{ run: 'r', study: 's', model: 'm', benchmark: 'python', task_id: task, language: 'python', variant: 'original' },
  ...{ setting: 'default', repetition: 0, simulated: false },
});
const chain = (task: string, sustained: number, ended_by: string): Row => ({
  ...key(task),
  ...{
    steps: 2,
    sustained_steps: sustained,
    passed_steps: sustained,
    ended_by,
    ended_language: null,
    ended_outcome: null,
  },
});
const languages = ['python', 'php', 'perl'];
const step = (task: string, loop: number, outcome: string): Row => ({
  ...key(task),
  ...{ loop, outcome, source_language: languages[loop - 1] ?? '', target_language: languages[loop] ?? '' },
});

const chains = [
  chain('d', 1, 'excluded'),
  chain('a', 2, 'survived'),
  chain('c', 0, 'start_failed'),
  chain('b', 1, 'code_failed'),
];
const steps = [
  ...[step('d', 1, 'pass'), step('d', 2, 'missing_dependency')],
  ...[step('a', 1, 'pass'), step('a', 2, 'pass'), step('b', 1, 'pass'), step('b', 2, 'wrong_output')],
];

describe('a model’s row', () => {
  it('excludes and counts cells without a start and cells stopped by a limit of evenkeel', () => {
    // Of a and b: (4 + 1) / (2 x 2).
    expect(chainScoreRows(chains, steps, { scoring: 'squares' })).toEqual([
      expect.objectContaining({
        ...{ languages: 'python > php > perl', steps: 2, score: 1.25, passed: [2, 1], pass_at_1: 1, drop: 0.5 },
        ...{ n: 2, n_start_failed: 1, n_excluded: 1, reason: null, simulated: false },
      }),
    ]);
  });

  it('says why there is no score', () => {
    const [row] = chainScoreRows([chain('c', 0, 'start_failed')], [], { scoring: 'squares' });
    expect(row).toMatchObject({
      score: null,
      pass_at_1: null,
      drop: null,
      n: 0,
      reason: 'there are no cells that count',
    });
  });

  it('does not depend on the order of rows', () => {
    const rows = chainScoreRows(chains, steps, { scoring: 'counts' });
    expect(chainScoreRows(chains.toReversed(), steps.toReversed(), { scoring: 'counts' })).toEqual(rows);
    expect(chainFailureRows(steps.toReversed())).toEqual(chainFailureRows(steps));
  });
});

it('translations are counted by step, language and outcome, with their tasks', () => {
  const found = chainFailureRows(steps).map(({ step: at, target_language, outcome, n, attempted, share, tasks }) => [
    ...[at, target_language, outcome, n, attempted, share, tasks],
  ]);
  expect(found).toEqual([
    [1, 'php', 'pass', 3, 3, 1, 'a, b, d'],
    [2, 'perl', 'missing_dependency', 1, 3, 1 / 3, 'd'],
    [2, 'perl', 'pass', 1, 3, 1 / 3, 'a'],
    [2, 'perl', 'wrong_output', 1, 3, 1 / 3, 'b'],
  ]);
});
