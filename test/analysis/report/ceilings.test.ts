import { expect, test } from 'vitest';
import { openRun } from '../../../analysis/database.ts';
import { ceilings } from '../../../analysis/report/ceilings.ts';
import { ceilingLine, ceilingsTable, excludedCasesText } from '../../../analysis/report/ceilings-table.ts';
import type { Row } from '../../../schemas/tables.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { writeRun } from '../run-fixture.ts';

const ceilingsOf = (outcomes: readonly string[]) =>
  ceilingsOfSuites(outcomes.map((reference_outcome) => ({ reference_outcome })));

async function ceilingsOfSuites(suites: readonly Row[], without: readonly string[] = []) {
  const folder = temporaryFolder();
  const rows = suites.map((suite, index) => ({
    ...{ run: 'r', benchmark: 'own', task_id: `T/${index}`, language: 'python', suite: 'base', n_cases: 2 },
    ...{ n_cases_judged: 2, reference_outcome: 'pass', limits: '{}', reference_wall_ms: 1, ...suite },
  }));
  await writeRun(folder, [{ table: 'suites', page: 'run', rows, without }]);
  const database = await openRun(folder);
  try {
    return await ceilings(database);
  } finally {
    database.close();
  }
}

// Red before: a ceiling of 50.0 % below pass@1 100 %, which counts T/0 alone.
test('a reference that could not be judged is not in the ceiling, as its task is not in pass@1', async () => {
  const found = await ceilingsOf(['pass', 'not_run']);
  expect(found).toMatchObject([{ tasks: 2, passed: 1, failures: [], unjudged: ['not_run: T/1'] }]);
  expect(ceilingLine(found)).toBeNull();
  const [row] = ceilingsTable(found, { severalRuns: false } as never).rows;
  expect(JSON.stringify(row)).toMatch(/100\.0 %.*"none","not run: T\/1"/);
});

// Red before: "no model can be expected to pass more", below a model that passed the task whose reference is wrong.
test('a reference that fails is, whatever the others say; it need not limit a model', async () => {
  const found = await ceilingsOf(['pass', 'missing_dependency', 'wrong_output', 'unencodable', 'pass']);
  expect(ceilingLine(found)).toBe(
    'ceiling: the references pass 66.7 % on own, python, suite base (of 3 references 1 fails: wrong output: T/2); a ' +
      'model can be expected to pass more only where a reference is at fault, not its suite',
  );
});

test('without any reference there is no ceiling', async () => {
  const found = await ceilingsOf(['not_run', 'not_run']);
  expect(ceilingLine(found)).toBeNull();
  expect(JSON.stringify(ceilingsTable(found, { severalRuns: false } as never).rows)).toContain('not run: T/0; not run');
});

// Red before: nothing told of them.
test('tasks of which only some cases count are named, but not those of an early version', async () => {
  const suites = [
    { n_cases: 10, n_cases_judged: 10 },
    { n_cases: 10, n_cases_judged: 1 },
    { n_cases: 10, n_cases_judged: 0, reference_outcome: 'not_run' },
    { n_cases: 0, n_cases_judged: 0 },
    { n_cases: 1200, n_cases_judged: 1199 },
  ];
  const found = await ceilingsOfSuites(suites);
  expect(found).toMatchObject([{ partlyJudged: ['T/1: 1 of 10', 'T/4: 1199 of 1200'] }]);
  expect(excludedCasesText(found)).toBe(
    'For some cases these references give no output, and nothing else says what is expected: such cases are ' +
      'excluded. Cases that count: own, python, suite base: T/1: 1 of 10; T/4: 1199 of 1200.',
  );
  const early = await ceilingsOfSuites(suites, ['n_cases_judged']);
  expect(early).toMatchObject([{ partlyJudged: [] }]);
  expect(excludedCasesText(early)).toBeNull();
});
