/** Judged answers of no run, for tests of export formats. */
import fc from 'fast-check';
import type { Evaluation, NumberedAnswer } from '../../../../activities/exchange/exports/evaluation.ts';
import { numberedAnswers } from '../../../../activities/exchange/exports/evaluation.ts';
import type { JudgedAnswer } from '../../../../activities/exchange/exports/judged-answers.ts';
import type { Outcome } from '../../../../schemas/states.ts';

export const evaluation: Evaluation = {
  ...{ run: 'r', uuid: '0f3c', study: 'plain', kind: 'pass', model: 'm', requestedModel: 'org/m', provider: 'p' },
  ...{ simulated: false, benchmark: 'b', benchmarkFormat: 'evenkeel', benchmarkSha256: 'ab', programVersion: '1' },
  ...{ startedAt: '2026-01-02T03:04:05.000Z', finishedAt: '2026-01-02T04:04:05.000Z' },
};

export const answerOf = (more: Partial<JudgedAnswer>): JudgedAnswer => ({
  ...{ study: 'plain', model: 'm', benchmark: 'b', task_id: 'T/1', language: 'python', variant: 'original' },
  ...{ setting: 'default', repetition: 0, loop: 1, sample: 0, reply: 'x = 1', reply_status: 'ok', solution: 'x = 1\n' },
  ...{
    outcome: 'pass',
    counted: true,
    of_rate: more.counted ?? true,
    suites: [{ suite: 'base', outcome: more.outcome ?? 'pass' }],
  },
  ...{ failing_suite: null, failing_input: null, detail: null, messages: '[{"role":"user","content":"Write x."}]' },
  ...{ input_tokens: 3, output_tokens: 4, latency_ms: 5.5 },
  ...more,
  source_task_id: more.source_task_id ?? more.task_id ?? 'T/1',
});

export async function* numbered(answers: readonly JudgedAnswer[]): AsyncGenerator<NumberedAnswer> {
  yield* numberedAnswers(
    (async function* () {
      yield* answers;
    })(),
  );
}

const outcomes = ['pass', 'wrong_output', 'exception', 'cpu_timeout', 'missing_dependency', 'not_run'] as const;
const outcome = fc.constantFrom<Outcome>(...outcomes);
/** Not empty: a reader of CSV cannot tell an empty text from none. */
const text = fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }).map((any) => any.toWellFormed());

/** Answers to up to three tasks, grouped by task, with suites base and plus. */
export const someAnswers: fc.Arbitrary<JudgedAnswer[]> = fc
  .array(fc.record({ task: fc.nat(2), reply: text, solution: text, base: outcome, plus: outcome, all: outcome }), {
    minLength: 1,
    maxLength: 8,
  })
  .map((drawn) =>
    drawn
      .toSorted((a, b) => a.task - b.task)
      .map(({ task, reply, solution, base, plus, all }) =>
        answerOf({
          ...{ task_id: `T/${task}`, source_task_id: `Source/${task}`, reply, solution, outcome: all },
          suites: [
            { suite: 'base', outcome: base },
            { suite: 'plus', outcome: plus },
          ],
        }),
      ),
  );
