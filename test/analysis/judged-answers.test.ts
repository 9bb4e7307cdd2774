import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { folderHome } from '../../activities/storage/home/folder-home.ts';
import { openRun } from '../../analysis/database.ts';
import { judgedAnswers } from '../../analysis/rescored.ts';
import { type Row, tables } from '../../schemas/tables.ts';
import { writeRun } from './run-fixture.ts';

const verdict = (sample: number, suite: string, outcome: string): Row => ({
  ...Object.fromEntries(Object.keys(tables.verdicts.columns).map((name) => [name, null])),
  ...{ run: 'r', study: 's', model: 'm', benchmark: 'b', task_id: 't', language: 'python', variant: 'original' },
  ...{ setting: 'default', repetition: 0, loop: 1, step: 'generate', sample, suite, outcome, simulated: false },
});

// Red before: four, with the place of a question that nobody asked.
test('an answer that no suite judged is not among those judged', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'judged-answers-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const outcomes = [
    ['pass', 'pass'],
    ['pass', 'not_run'],
    ['wrong_output', 'timeout'],
    ['not_run', 'not_run'],
  ] as const;
  const rows = outcomes.flatMap(([base, plus], sample) => [
    verdict(sample, 'base', base),
    verdict(sample, 'plus', plus),
  ]);
  await writeRun(folder, [{ table: 'verdicts', page: 's/m/r1p0', rows }]);
  const database = await openRun(await folderHome(folder).tables());
  try {
    expect(await judgedAnswers(database)).toEqual({ suites: ['base', 'plus'], answers: 3 });
  } finally {
    database.close();
  }
});
