/**
 * One prompt that is too long for a model ends its own task, whichever study asks; the others continue and the run is
 * complete.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Deployment, openDeployment } from '../support/deployment.ts';
import { benchmarkText, tinyTasks } from '../support/tiny-tasks.ts';

const tasks = tinyTasks(5);
const [long] = tasks;
if (long === undefined) throw new Error('no tasks');
/** The first task's own words are many. */
const benchmark = benchmarkText(tasks).replace(
  'Write a python function',
  `${'Mind that many words follow. '.repeat(400)}Write a python function`,
);

const spec = `
name: long
models: [{ id: sim, provider: simulated, profile: { competence: 1, contextCharacters: 8000 } }]
benchmarks: { tiny: { format: evenkeel, path: tiny.jsonl } }
studies:
  - { name: loops, kind: evaloop, benchmark: tiny, settings: { maxLoops: 2 } }
  - { name: moods, kind: promptse, benchmark: tiny, settings: { variants: 1, samples: 2 } }
  - { name: nfr, kind: robunfr-workflows, benchmark: tiny, repetitions: 1, settings: { dimensions: [readability] } }
`;

let deployment: Deployment;
let output = '';
beforeAll(async () => {
  deployment = await openDeployment();
  deployment.write('tiny.jsonl', benchmark);
  const end = await deployment.evenkeel('run', deployment.write('long.yaml', spec));
  output = end.output;
  expect(end.status, output).toBe(0);
}, 120_000);
afterAll(() => deployment?.close());

test('its answers have their own status, and its programs were not run', async () => {
  const statuses = 'select task_id, reply_status, count(*)::int as n from samples group by all order by all';
  const rows = await deployment.rows('long', statuses);
  expect(rows.filter(({ task_id: id }) => id === long.id).map(({ reply_status: status }) => status)).toEqual([
    'prompt_too_long',
  ]);
  expect(rows.filter(({ reply_status: status }) => status === 'prompt_too_long').map(({ task_id: id }) => id)).toEqual([
    long.id,
  ]);
  const verdicts = await deployment.rows('long', `select distinct outcome from verdicts where task_id = '${long.id}'`);
  expect(verdicts).toEqual([{ outcome: 'not_run' }]);
});

test('EVALOOP, PromptSE and RobuNFR exclude it from their rates and count it as excluded', async () => {
  const loops = await deployment.rows(
    'long',
    'select ended_by, count(*)::int as n from loops group by all order by all',
  );
  expect(loops).toEqual([
    { ended_by: 'excluded', n: 1 },
    { ended_by: 'survived', n: 4 },
  ]);
  expect(await deployment.rows('long', 'select n, n_excluded from asl')).toEqual([{ n: 4, n_excluded: 1 }]);
  // A variant that could not be made has neither samples nor excluded ones.
  const moods = await deployment.rows(
    'long',
    `select distinct n_samples, n_excluded, pass_rate from prompt_scores where task_id = '${long.id}' and ` +
      'n_samples + n_excluded > 0',
  );
  expect(moods).toEqual([{ n_samples: 0, n_excluded: 2, pass_rate: null }]);
  const nfr = await deployment.rows(
    'long',
    `select distinct passed, failure from nfr_scores where task_id = '${long.id}'`,
  );
  expect(nfr).toEqual([{ passed: null, failure: 'excluded' }]);
  // Red before, of NFR-Enhanced: 5, as an improvement without code.
  const sql = "select setting, n_tasks from nfr_summary where metric = 'pass_at_1' and suite = 'base' order by all";
  expect(await deployment.rows('long', sql)).toEqual(
    ['function-only', 'nfr-enhanced', 'nfr-integrated'].map((setting) => ({ setting, n_tasks: 4 })),
  );
});

test('each is asked only once', async () => {
  const repeated =
    `select count(*)::int as n from (select call_key from calls where task_id = '${long.id}' group by call_key ` +
    'having count(*) > 1)';
  expect(await deployment.rows('long', repeated)).toEqual([{ n: 0 }]);
});
