/** Of an answer that fails one suite and could not be judged on another, the failure is shown and exported. */
import { rm } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { judgedAnswers } from '../../../activities/exchange/exports/judged-answers.ts';
import { openRun } from '../../../analysis/database.ts';
import { collectExamples } from '../../../analysis/report/examples.ts';
import { type Row, type TableName, tables } from '../../../schemas/tables.ts';
import { studyViews } from '../../../studies/answers.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { writeRun } from '../run-fixture.ts';

const filled = (table: TableName, given: Row): Row => ({
  ...Object.fromEntries(Object.keys(tables[table].columns).map((name) => [name, null])),
  ...given,
});

const cell: Row = {
  ...{ run: 'r', study: 's', model: 'a', benchmark: 'tiny', task_id: 'T/1', language: 'python' },
  ...{ variant: 'original', setting: 'default', repetition: 0 },
};
const place: Row = { ...cell, loop: 1, step: 'generate', sample: 0 };

// Red before: the outcome was the first by name, missing_dependency, and the reason "No module named 'x'".
test('the outcome and its reason are those of the suite that it fails', async () => {
  const folder = temporaryFolder();
  const page = 's/a/p';
  const outcomes = [
    ['base', 'missing_dependency', "No module named 'x'"],
    ['plus', 'wrong_output', 'expected 4, got 0'],
  ] as const;
  await writeRun(folder, [
    {
      ...{ table: 'samples', page },
      rows: [
        filled('samples', {
          ...place,
          ask: 0,
          answering_model: 'a',
          prompt_sha256: 'p',
          reply: 'x',
          reply_status: 'ok',
        }),
      ],
    },
    {
      ...{ table: 'verdicts', page },
      rows: outcomes.map(([suite, outcome]) =>
        filled('verdicts', { ...place, suite, outcome, execution_id: suite, simulated: false }),
      ),
    },
    {
      ...{ table: 'executions', page },
      rows: outcomes.map(([suite, outcome, detail]) =>
        filled('executions', { run: 'r', execution_id: suite, outcome, detail }),
      ),
    },
    {
      ...{ table: 'tasks', page: 'run' },
      rows: [
        filled('tasks', {
          run: 'r',
          benchmark: 'tiny',
          task_id: 'T/1',
          source_task_id: 'T/1',
          language: 'python',
          record_sha256: 'a',
        }),
      ],
    },
  ]);
  const database = await openRun(folder, { views: studyViews });
  try {
    const { examples } = await collectExamples(database);
    expect(examples.map(({ result, passed, judged }) => [result, passed, judged])).toEqual([['wrong_output', 0, 1]]);
    const exported = [];
    for await (const one of judgedAnswers({ database, study: null, model: null })) exported.push(one);
    expect(exported).toMatchObject([{ outcome: 'wrong_output', failing_suite: 'plus', detail: 'expected 4, got 0' }]);
  } finally {
    database.close();
    await rm(folder, { recursive: true });
  }
});
