/** What a sample says of its own outcome and costs; test/studies/answers/sealed-answers.test.ts compares it by SQL. */
import { expect, test } from 'vitest';
import {
  outcomeColumns,
  type PaidCall,
  type PaidSample,
  paidColumns,
} from '../../../activities/rows/answer-columns.ts';
import type { Row } from '../../../schemas/tables.ts';

const place = (sample: number) => ({ cell: 0, loop: 1, step: 'generate' as const, ask: 0, sample });
const sample = (callKey: string, sampled: number, intent: number): PaidSample => ({
  ...{ key: place(sampled), callKey, intent },
});
type Told = Partial<Pick<PaidCall, 'n' | 'used' | 'latencyMs'>> & {
  readonly usd?: number | null;
  readonly first?: number;
};
const call = (intent: number, callKey: string, { first = 0, usd = 0.1, ...more }: Told = {}): PaidCall => ({
  ...{ key: place(first), intent, callKey, n: 1, used: true, charge: { usd }, latencyMs: 20 },
  ...more,
});
const paidOf = (samples: readonly PaidSample[], calls: readonly PaidCall[]): Row[] =>
  samples.map(paidColumns(samples, calls));
const shared = { answer_calls: null, answer_usd: null, answer_ms: null };

test('a lost call is paid too, in the order of the calls, and the used one tells the time', () => {
  const calls = [call(3, 'a', { usd: 0.3 }), call(1, 'a', { usd: 0.1, used: false, latencyMs: 7 })];
  expect(paidOf([sample('a', 0, 3)], calls)).toEqual([{ answer_calls: 2, answer_usd: 0.1 + 0.3, answer_ms: 20 }]);
});

test('an unknown price is no cost', () => {
  const calls = [call(1, 'a', { usd: null, latencyMs: null })];
  expect(paidOf([sample('a', 0, 1)], calls)).toEqual([{ answer_calls: 1, answer_usd: null, answer_ms: null }]);
});

test('an answer that a call of another page brought, or that two samples have, says that it is shared', () => {
  const samples = [sample('a', 0, 9), sample('b', 1, 2), sample('b', 2, 2), sample('c', 3, 3)];
  const calls = [call(2, 'b', { first: 1 }), call(3, 'c', { first: 3 })];
  expect(paidOf(samples, calls)).toEqual([shared, shared, shared, { answer_calls: 1, answer_usd: 0.1, answer_ms: 20 }]);
});

test('of a call for several answers, one of which another page brought, the others are alone', () => {
  const rows = paidOf([sample('a', 0, 1), sample('b', 1, 9)], [call(1, 'a', { n: 2 })]);
  expect(rows).toEqual([{ answer_calls: 1, answer_usd: 0.05, answer_ms: 20 }, shared]);
});

test('a page with a call for an answer that it does not have says that all of its answers are shared', () => {
  const calls = [call(1, 'a'), call(2, 'b', { first: 1, used: false })];
  expect(paidOf([sample('a', 0, 1)], calls)).toEqual([shared]);
});

test.each([
  [['pass', 'pass'], 'pass', 'a', null],
  [['not_run', 'pass'], 'not_run', 'a', null],
  [['not_run', 'wrong_output'], 'wrong_output', 'b', 1],
  [['exception', 'wrong_output'], 'exception', 'a', 0],
])('of the verdicts %j the outcome is %s', (outcomes, answer_outcome, answer_suite, answer_case) => {
  const verdicts = outcomes
    .map((outcome, index) => ({
      suite: 'ab'[index] ?? '',
      outcome,
      first_failing_case: /pass|not_run/.test(outcome) ? null : index,
    }))
    .toReversed();
  expect(outcomeColumns(verdicts)).toEqual({ answer_suites: 2, answer_outcome, answer_suite, answer_case });
});

test('a step without code has no outcome', () => {
  const none = { answer_suites: 0, answer_outcome: null, answer_suite: null, answer_case: null };
  expect(outcomeColumns([])).toEqual(none);
});
