/** What broke in a loop, by the verdicts and the exceptions' words. */
import { rm } from 'node:fs/promises';
import { afterEach, expect, test } from 'vitest';
import { openRun } from '../../../../analysis/database.ts';
import type { Row } from '../../../../schemas/tables.ts';
import { type LoopBreaks, loopBreaks } from '../../../../studies/evaloop/results/survival/breaks.ts';
import { writeRun } from '../../../analysis/run-fixture.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
});

/** A task whose code of loop 2 raised the given exception on each of these suites. */
async function breakOf(outcome: string, raisedBy: Readonly<Record<string, string>>): Promise<LoopBreaks | undefined> {
  const task = { run: 'r', benchmark: 'b', task_id: 'T/1', language: 'python' };
  const cell = { ...task, study: 's', model: 'm', variant: 'original', setting: 'default', repetition: 0 };
  const ended = { sustained_loops: 1, ended_by: 'code_failed', ended_outcome: outcome, similarity: null };
  const suites = Object.entries(raisedBy);
  const verdicts = suites.map(([suite], place): Row => {
    const raised = { suite, outcome: 'exception', execution_id: `e${place}` };
    return { ...cell, loop: 2, step: 'generate', sample: 0, ...raised, simulated: false };
  });
  const executions = suites.map(([, detail], place): Row => {
    return { run: 'r', execution_id: `e${place}`, outcome: 'exception', detail };
  });
  const page = 's/m/r1p0000';
  const folder = temporaryFolder();
  folders.push(folder);
  await writeRun(
    folder,
    [
      { table: 'tasks', page: 'run', rows: [{ ...task, entry_point: 'add' }] },
      { table: 'loops', page, rows: [{ ...cell, ...ended, simulated: false }] },
      { table: 'verdicts', page, rows: verdicts },
      { table: 'executions', page, rows: executions },
    ],
    { runId: 'r' },
  );
  const database = await openRun(folder);
  const [found] = await loopBreaks(database, 'r', "run = 'r'", 0.8);
  database.close();
  return found;
}

const ofSignature = { loop: 2, format: 0, signature: 1, semantics: 0 };
const ofSemantics = { loop: 2, format: 0, signature: 0, semantics: 1 };
const lambda = 'TypeError: <lambda>() takes 0 positional arguments but 1 was given';

// Red before: the error of another suite made a wrong output a matter of the signature.
test('what broke is told by the suite that failed first', async () => {
  expect(await breakOf('wrong_output', { plus: lambda })).toMatchObject(ofSemantics);
});

test.each([
  "TypeError: add() missing 1 required positional argument: 'b'",
  "TypeError: add() got an unexpected keyword argument 'b'",
  'TypeError: Solution.add() takes 1 positional argument but 2 were given',
  "NameError: the program defines no 'add'",
  lambda,
])('%s: the signature', async (detail) => {
  expect(await breakOf('exception', { base: detail, plus: detail })).toMatchObject(ofSignature);
});

// Red before: each was one of the signature.
test.each([
  { base: 'ValueError: no', plus: 'TypeError: add.<locals>.<lambda>() takes 0 positional arguments but 1 was given' },
  { base: 'TypeError: helper() takes 0 positional arguments but 1 was given' },
  { base: 'ValueError: no', plus: "TypeError: add() missing 1 required positional argument: 'b'" },
])('$base, $plus: another function, or not all suites: not the signature', async (raisedBy) => {
  expect(await breakOf('exception', raisedBy)).toMatchObject(ofSemantics);
});
