/** How many verdicts of a rescored run changed, and in which way; one of each, by hand. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openRun, type RunDatabase } from '../../analysis/database.ts';
import { movedVerdicts, rescoredModels } from '../../analysis/rescored.ts';
import { movedRows } from '../../domain/metrics/moved-rows.ts';
import type { Row } from '../../schemas/tables.ts';
import { writeRun } from './run-fixture.ts';

/** Outcomes of a task before and now; null: that run did not reach it. */
const outcomes = [
  ['pass', 'pass'],
  ['wrong_output', 'pass'],
  ['missing_dependency', 'pass'],
  ['pass', 'wrong_output'],
  ['pass', 'unencodable'],
  ['missing_dependency', 'exception'],
  ['missing_dependency', 'wrong_output'],
  ['wrong_output', 'unencodable'],
  ['wrong_output', 'exception'],
  ['unencodable', 'missing_dependency'],
  ['pass', null],
  [null, 'wrong_output'],
  [null, 'pass'],
] as const;

const rowsOf = (run: string, place: 0 | 1): Row[] =>
  outcomes.flatMap((pair, task) =>
    pair[place] === null
      ? []
      : {
          ...{ run, study: 's', model: 'm', benchmark: 'b', task_id: `T/${100 + task}`, language: 'python' },
          ...{ variant: 'original', setting: 'default', repetition: 0, loop: 1, step: 'generate', sample: 0 },
          ...{ suite: 'base', outcome: pair[place], simulated: false },
        },
  );

let folder = '';
let database: RunDatabase;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'evenkeel-rescored-'));
  for (const [place, run] of ['before', 'now'].entries()) {
    const rows = rowsOf(run, place as 0 | 1);
    const asked = rows.map((row) => ({
      ...row,
      ask: 0,
      program_sha256: 'a',
      reply_status: 'ok',
      extraction_rule: 'r',
    }));
    await writeRun(
      join(folder, run),
      [
        { table: 'verdicts', page: 's/m/p0', rows },
        { table: 'samples', page: 's/m/p0', rows: asked },
      ],
      { runId: run },
    );
  }
  database = await openRun([join(folder, 'before'), join(folder, 'now')]);
});
afterAll(() => {
  database.close();
  rmSync(folder, { recursive: true, force: true });
});

// Red before: 7 of 12, without the five that moved between excluded, failed and other failures.
test('every moved verdict is counted once', async () => {
  const [model] = await rescoredModels(database, 'before', 'now');
  expect(model).toMatchObject({
    ...{ compared: 10, passedBefore: 3, passedNow: 3 },
    ...{ nowPass: 2, noLongerPass: 2, nowFailExcludedBefore: 2, nowExcludedFailedBefore: 1, otherOutcome: 2 },
    ...{ nowPassExcludedBefore: 1, noLongerPassExcludedNow: 1, onlyBefore: 1, onlyNow: 2 },
  });
  const counted = 2 + 2 + 2 + 1 + 2 + 1 + 2;
  expect(movedRows('now', rowsOf('before', 0), rowsOf('now', 1))).toHaveLength(counted);
});

test('the first of each change are listed, without those that fail in another way', async () => {
  const moved = await movedVerdicts(database, 'before', 'now', 1);
  expect(moved.map(({ before, now }) => [before, now])).toEqual([
    ['pass', 'wrong_output'],
    ['wrong_output', 'unencodable'],
    ['missing_dependency', 'exception'],
    ['wrong_output', 'pass'],
  ]);
});
