/** Why the full elasticity is missing: what became of the log-probabilities that it needs. */
import { expect, test } from 'vitest';
import { aucERows } from '../../../../studies/promptse/results/elasticity/auc-e-rows.ts';
import { elasticityRows } from '../../../../studies/promptse/results/elasticity/elasticity-rows.ts';
import type { Row } from '../../../../schemas/tables.ts';

const key = { run: 'r', study: 's', model: 'm', benchmark: 'b', language: 'python', setting: 'default' };
const fault = 'a log-probability is a number of at most 0, got 0.5';

/** Four samples of each prompt; of those without log-probabilities, `rejected` were rejected. */
const task = (task_id: string, original: readonly number[], variants = original): Row[] =>
  ['original', 'd0.1-01', 'd0.2-01', 'd0.3-01'].map((variant) => {
    const [without = 0, rejected = 0] = variant === 'original' ? original : variants;
    return {
      ...{ ...key, task_id, variant, repetition: 0, simulated: false, n_samples: 4, n_passed: 2, n_excluded: 0 },
      ...{ distance: variant === 'original' ? null : Number(variant.slice(1, 4)), pass_rate: 0.5 },
      ...{ n_without_logprobs: without, n_rejected_logprobs: rejected, logprob_fault: rejected > 0 ? fault : null },
      soft_exec: without > 0 ? null : 0.5,
    };
  });
const reasonOf = (scores: readonly Row[], notAsked: string | null = null): unknown =>
  aucERows(elasticityRows(scores, { variants: 1, notAsked })).find((row) => row['method'] === 'full')?.['reason'];

// Red before: all of these said that the samples "came without log-probabilities", or only "no variant has a score".
test.each([
  ['none came', [4, 0], [4, 0], '4 samples of the original came without log-probabilities'],
  ['none came with one', [1, 0], [0, 0], '1 sample of the original came without log-probabilities'],
  ['all were rejected', [4, 4], [4, 4], `the log-probabilities of 4 samples of the original were rejected: ${fault}`],
  [
    'some were rejected, and some did not come',
    ...([
      [3, 1],
      [0, 0],
    ] as const),
    `the log-probabilities of 1 sample of the original were rejected: ${fault}; ` +
      '2 samples of the original came without log-probabilities',
  ],
  [
    'those of the variants were rejected',
    ...([
      [0, 0],
      [4, 4],
    ] as const),
    `the log-probabilities of 4 samples of the variants were rejected: ${fault}`,
  ],
])('%s', (_what, original, variants, reason) => {
  expect(reasonOf(task('T/1', original, variants))).toBe(`no task counts: ${reason}`);
});

test('none were requested', () => {
  expect(reasonOf(task('T/1', [4, 0]), 'the study sets logprobs: false')).toBe(
    'no task counts: log-probabilities were not requested: the study sets logprobs: false',
  );
});

// Red before: the first task's reason was given for all.
test('tasks with different reasons', () => {
  expect(reasonOf([...task('T/1', [4, 0]), ...task('T/2', [4, 4])])).toBe(
    'no task counts; of T/1: 4 samples of the original came without log-probabilities; ' +
      'the others are in table elasticity',
  );
});

test('a table of an older program, without the number of those rejected', () => {
  const old = task('T/1', [4, 0]).map(({ n_rejected_logprobs: _rejected, logprob_fault: _fault, ...row }) => row);
  expect(reasonOf(old)).toBe('no task counts: 4 samples of the original came without log-probabilities');
});

// Red before: "no task counts: 1 sample of the variants came without log-probabilities", as if no variant had a score.
test('a task that has an elasticity at two distances', () => {
  const lacking = (row: Row): Row =>
    row['variant'] === 'd0.2-01' ? { ...row, n_without_logprobs: 1, soft_exec: null } : row;
  expect(reasonOf(task('T/1', [0, 0]).map(lacking))).toBe(
    'no task has an elasticity at all three distances; of T/1 at 0.2: 1 sample of the variants came without ' +
      'log-probabilities',
  );
});
