import { expect, test } from 'vitest';
import { openRun } from '../../../analysis/database.ts';
import { ceilings } from '../../../analysis/report/ceilings.ts';
import { excludedVerdicts, partlyJudgedLine, referencesLine } from '../../../analysis/report/notes/excluded.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { writeRun } from '../run-fixture.ts';

const place = { run: 'r', benchmark: 'own', language: 'python', suite: 'base' };

const verdictRow = (task_id: string, sample = 0) => ({
  ...{ ...place, task_id, study: 's', model: 'm', variant: 'original', setting: 't0', repetition: 0, loop: 0 },
  ...{ step: 'generate', sample, simulated: false, outcome: 'pass', execution_id: `e${sample}` },
});

/** @param judged by task: how many of its three cases count; T/9 has no verdict */
async function partlyJudged(judged: Readonly<Record<string, number>>) {
  const folder = temporaryFolder();
  const suites = Object.entries(judged).map(([task_id, n_cases_judged]) => ({
    ...{ ...place, task_id, n_cases: 3, n_cases_judged, reference_outcome: 'pass', limits: '{}', reference_wall_ms: 1 },
  }));
  const verdicts = Object.keys(judged).filter((task) => task !== 'T/9');
  await writeRun(folder, [
    { table: 'suites', page: 'run', rows: suites },
    { table: 'verdicts', page: 's/m/r1p0000', rows: verdicts.map((task) => verdictRow(task)) },
  ]);
  const database = await openRun(folder);
  try {
    return await partlyJudgedLine(database, await ceilings(database));
  } finally {
    database.close();
  }
}

/** By verdict: task, outcome, and whether a program ran. */
async function found(verdicts: readonly (readonly [string, string, boolean])[]) {
  const folder = temporaryFolder();
  const rows = verdicts.map(([task_id, outcome, ran], sample) => ({
    ...verdictRow(task_id, sample),
    ...{ outcome, execution_id: ran ? `e${sample}` : null },
  }));
  await writeRun(folder, [{ table: 'verdicts', page: 's/m/r1p0000', rows }]);
  const database = await openRun(folder);
  try {
    const excluded = await excludedVerdicts(database);
    return { excluded, line: await referencesLine(database, excluded) };
  } finally {
    database.close();
  }
}

// Red before: no such line; nothing told a refused answer from one that no reference can judge.
test('programs that ran and were not judged had no output of the reference to compare with', async () => {
  const { excluded, line } = await found([
    ['T/1', 'not_run', true],
    ['T/2', 'not_run', true],
    ['T/2', 'not_run', true],
    ['T/3', 'not_run', false],
    ['T/4', 'unencodable', true],
    ['T/5', 'pass', true],
  ]);
  expect(excluded).toEqual([{ run: 'r', model: 'm', count: 5, of: 6, byReference: 3 }]);
  expect(line).toBe(
    'references: no output from that of 2 tasks (T/1, T/2): they fail or are missing, so answers to these tasks are ' +
      'not judged; see table suites, and mend the benchmark',
  );
});

test('nothing is said of references where refusals and limits alone exclude', async () => {
  const { line } = await found([
    ['T/3', 'not_run', false],
    ['T/4', 'missing_dependency', true],
  ]);
  expect(line).toBeNull();
});

// Red before: nothing said so.
test('tasks with answers of which only some cases count are named', async () => {
  const end =
    'no output for some cases: these are excluded, and answers are judged on the others; see n_cases_judged in table ' +
    'suites';
  expect(await partlyJudged({ 'T/1': 3, 'T/2': 1, 'T/9': 2 })).toBe(`references: that of 1 task (T/2) gives ${end}`);
  expect(await partlyJudged({ 'T/1': 2, 'T/2': 1, 'T/3': 0 })).toBe(
    `references: those of 2 tasks (T/1, T/2) give ${end}`,
  );
  expect(await partlyJudged({ 'T/1': 3, 'T/3': 0, 'T/9': 2 })).toBeNull();
});
