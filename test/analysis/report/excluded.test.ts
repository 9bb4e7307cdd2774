import { expect, test } from 'vitest';
import { openRun } from '../../../analysis/database.ts';
import { excludedVerdicts, referencesLine } from '../../../analysis/report/notes/excluded.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { writeRun } from '../run-fixture.ts';

/** By verdict: task, outcome, and whether a program ran. */
async function found(verdicts: readonly (readonly [string, string, boolean])[]) {
  const folder = temporaryFolder();
  const rows = verdicts.map(([task_id, outcome, ran], sample) => ({
    ...{ run: 'r', study: 's', model: 'm', benchmark: 'own', task_id, language: 'python', variant: 'original' },
    ...{ setting: 't0', repetition: 0, loop: 0, step: 'generate', sample, suite: 'base', simulated: false },
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
