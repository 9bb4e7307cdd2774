/** What a sample says of its own outcome and costs; test/studies/answers/sealed-answers.test.ts compares it by SQL. */
import { expect, test } from 'vitest';
import { withAnswerColumns } from '../../../activities/rows/answer-columns.ts';
import type { Row } from '../../../schemas/tables.ts';

const place: Row = {
  ...{ run: 'r', study: 's', model: 'm', benchmark: 'b', task_id: 'T/1', language: 'python', variant: 'original' },
  ...{ setting: 'default', repetition: 0, loop: 1, step: 'generate' },
};
const sample = (key: string, sampled: number, intent: number, ask = 0) => ({
  row: { ...place, sample: sampled, ask, call_key: key },
  intent,
});
const call = (number: number, key: string, more: Row = {}): Row => ({
  ...place,
  ...{ call: number, call_key: key, sample: 0, ask: 0, n: 1, used: true, usd: 0.1, latency_ms: 20 },
  ...more,
});
const verdict = (suite: string, outcome: string, first_failing_case: number | null = null): Row => ({
  ...place,
  ...{ sample: 0, suite, outcome, first_failing_case },
});
const shared = { answer_calls: null, answer_usd: null, answer_ms: null };

test('a lost call is paid too, in the order of the calls, and the used one tells the time', () => {
  const calls = [call(3, 'a', { usd: 0.3 }), call(1, 'a', { usd: 0.1, used: false, latency_ms: 7 })];
  const [row] = withAnswerColumns({ samples: [sample('a', 0, 3)], verdicts: [], calls });
  expect(row).toMatchObject({ answer_calls: 2, answer_usd: 0.1 + 0.3, answer_ms: 20 });
});

test('an unknown price is no cost', () => {
  const calls = [call(1, 'a', { usd: null, latency_ms: null })];
  const [row] = withAnswerColumns({ samples: [sample('a', 0, 1)], verdicts: [], calls });
  expect(row).toMatchObject({ answer_calls: 1, answer_usd: null, answer_ms: null });
});

test('an answer that a call of another page brought, or that two samples have, says that it is shared', () => {
  const samples = [sample('a', 0, 9), sample('b', 1, 2), sample('b', 2, 2), sample('c', 3, 3)];
  const calls = [call(2, 'b', { sample: 1 }), call(3, 'c', { sample: 3 })];
  const rows = withAnswerColumns({ samples, verdicts: [], calls });
  expect(rows).toMatchObject([shared, shared, shared, { answer_calls: 1, answer_usd: 0.1 }]);
});

test('of a call for several answers, one of which another page brought, the others are alone', () => {
  const samples = [sample('a', 0, 1), sample('b', 1, 9)];
  const rows = withAnswerColumns({ samples, verdicts: [], calls: [call(1, 'a', { n: 2 })] });
  expect(rows).toMatchObject([{ answer_calls: 1, answer_usd: 0.05 }, shared]);
});

test('a page with a call for an answer that it does not have says that all of its answers are shared', () => {
  const calls = [call(1, 'a'), call(2, 'b', { sample: 1, used: false })];
  expect(withAnswerColumns({ samples: [sample('a', 0, 1)], verdicts: [], calls })).toMatchObject([shared]);
});

test.each([
  [['pass', 'pass'], 'pass', 'a', null],
  [['not_run', 'pass'], 'not_run', 'a', null],
  [['not_run', 'wrong_output'], 'wrong_output', 'b', 1],
  [['exception', 'wrong_output'], 'exception', 'a', 0],
])('of the verdicts %j the outcome is %s', (outcomes, answer_outcome, answer_suite, answer_case) => {
  const verdicts = outcomes
    .map((outcome, index) => verdict('ab'[index] ?? '', outcome, /pass|not_run/.test(outcome) ? null : index))
    .toReversed();
  const [row] = withAnswerColumns({ samples: [sample('a', 0, 1)], verdicts, calls: [call(1, 'a')] });
  expect(row).toMatchObject({ answer_outcome, answer_suite, answer_case });
});

test('a step without code has no outcome, and all asks of a question have the same', () => {
  const samples = [sample('a', 0, 1), sample('b', 0, 2, 1), sample('c', 1, 3)];
  const rows = withAnswerColumns({ samples, verdicts: [verdict('a', 'pass')], calls: [] });
  expect(rows.map((row) => row['answer_outcome'])).toEqual(['pass', 'pass', null]);
});
