/** In a run of every kind of study, samples say of themselves what table `answers` finds in the other tables. */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openRun } from '../../analysis/database.ts';
import { answersTable } from '../../schemas/tables/answers.ts';
import { studyViews } from '../../studies/answers.ts';
import { type Deployment, openDeployment } from '../support/deployment.ts';

const fixtures = join(import.meta.dirname, 'fixtures/version-0.1');
let deployment: Deployment;

beforeAll(async () => {
  deployment = await openDeployment({ EVENKEEL_SANDBOX: 'embedded' });
  for (const name of ['before.yaml', 'starter.jsonl', 'python.jsonl'])
    cpSync(join(fixtures, name), join(deployment.folder, name));
});
afterAll(() => deployment?.close());

/** Where they differ from `found`, the rows that the joins give. */
const differing = (found: string): string => `
  SELECT s.study, s.task_id, found.outcome, s.answer_outcome, found.usd, s.answer_usd
  FROM samples s JOIN (${found}) found USING (${answersTable.key.join(', ')})
  WHERE s.answer_outcome IS DISTINCT FROM found.outcome OR s.answer_case IS DISTINCT FROM found.failing_case
    OR CASE WHEN found.outcome <> 'pass' THEN s.answer_suite END IS DISTINCT FROM found.failing_suite
    OR s.answer_calls IS NOT NULL AND (s.answer_usd, s.answer_ms) IS DISTINCT FROM (found.usd, found.latency_ms)`;

test('outcomes, costs and times of samples are those that the tables have', async () => {
  const [spec, runsDir] = [join(deployment.folder, 'before.yaml'), join(deployment.folder, 'runs')];
  const end = await deployment.evenkeel('run', spec, '--runs-dir', runsDir);
  expect(end.status, end.output).toBe(0);
  const database = await openRun(join(runsDir, 'before'), { views: studyViews });
  try {
    const found = studyViews[0]?.sql(database.manifests, null) ?? '';
    // So that all tables are opened.
    await database.query('SELECT count(usd), count(got), count(kind) FROM answers, recorded_agreement');
    expect((await database.query(differing(found))).rows).toEqual([]);
    const { rows } = await database.query(
      `SELECT count(answer_calls)::INT > 100, count(answer_usd)::INT > 100, bool_or(answer_calls IS NULL),
        count(answer_outcome)::INT > 100, bool_or(answer_suites IS NULL) FROM samples`,
    );
    expect(rows).toEqual([[true, true, true, true, false]]);
  } finally {
    database.close();
  }
});
