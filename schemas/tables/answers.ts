/** The flat table of answers: a view over the stored tables, made for questions in SQL. */
import { bool, float, int, text, type Table } from './column.ts';
import { cellKey, cellKeyNames, sampleKey } from './keys.ts';

const { run, study, model, benchmark, task_id, language, variant, setting, repetition } = cellKey;
const notJudged = 'the step asks for no code';
const nothingFailed = 'nothing failed';

export const answersTable = {
  name: 'answers',
  meaning:
    'One row per sample, with all that is known of it: a view over the tables below. Rates: `avg(passed::int)` over ' +
    'rows that are `counted`. Sums of `usd` count nothing twice.',
  schemaVersion: 1,
  key: [...cellKeyNames, 'loop', 'step', 'ask', 'sample'],
  columns: {
    run,
    study,
    kind: text('Kind of study.'),
    model,
    benchmark,
    task_id,
    language,
    variant,
    detail: text(
      'Level of detail of the prompt: how it was made, and its level; "original" where detail is not varied.',
    ),
    phrasing: text(
      'How the request is worded: the text of a requirement, the emotion and distance of a variant, an attack; ' +
        '"original" where wording is not varied.',
    ),
    setting,
    repetition,
    ...sampleKey,
    ask: int('How often this question was asked before, from 0.'),
    answering_model: text('Id of the model that replied: the model under study, a judge, a rewriter.'),
    effort: text('Reasoning effort that was requested.', {
      nullWhen: 'none was, or an early version wrote the row',
    }),
    prompt: text('The texts of all messages, with a blank line between them.'),
    reply_status: text('As in `samples`.'),
    code: text('The code extracted from the reply.', { nullWhen: `there is none, or ${notJudged}` }),
    outcome: text(
      'Outcome over all suites, from the closed list: the first failure that counts, by name of its suite; if there ' +
        'is none, the first that is excluded; else pass.',
      { nullWhen: notJudged },
    ),
    passed: bool('True when every suite passed.', { nullWhen: notJudged }),
    counted: bool(
      "True when the study's rates count the answer: it is judged, it is the answer that its study asks for, and no " +
        'limit of evenkeel excludes it. What comes after it in its cell changes nothing.',
    ),
    failing_suite: text('The suite that `outcome` is from.', { nullWhen: `${nothingFailed}, or ${notJudged}` }),
    failing_case: int('Index of its first case that failed.', { nullWhen: `${nothingFailed}, or nothing was run` }),
    failing_input: text('Arguments of that case as JSON, or its test code; cut after 2,000 characters.', {
      nullWhen: 'failing_case is null, or an older program wrote the row',
      volatile: true,
    }),
    expected: text('The value expected, encoded as JSON; cut after 200 characters.', {
      nullWhen: 'no output was compared with an expected value',
      volatile: true,
    }),
    got: text('The value that came instead, or the exception.', {
      nullWhen: 'the program gave neither',
      volatile: true,
    }),
    usd: float(
      'Cost of its calls, failed and lost ones included. Answers of one call, and rows that share an answer, have ' +
        'equal parts of it.',
      { unit: 'USD', nullWhen: 'the price is unknown, or the call is not in this run', volatile: true },
    ),
    latency_ms: float('Time from sending the call to its reply.', {
      unit: 'ms',
      nullWhen: 'the call is not in this run',
      volatile: true,
    }),
    request_id: text("The endpoint's id of the request.", {
      nullWhen: 'it sent none, or an older program asked',
      volatile: true,
    }),
    simulated: bool('True when a simulated model answered.'),
    address: text(
      'The name of the answer for `explain`: its cell as in links of the report, step, loop, ask and sample.',
    ),
  },
} as const satisfies Table;
