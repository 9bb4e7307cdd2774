/** More loops and more samples extend a run: what was answered stays, only what is new is asked, and all comes out as if it had been so from the start. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Deployment, openDeployment } from '../support/deployment.ts';
import { stableRows } from '../support/stable-rows.ts';
import { benchmarkText, tinyTasks } from '../support/tiny-tasks.ts';

let deployment: Deployment;
const specFile = (maxLoops: number, samples: number): string =>
  deployment.write(
    'deeper.yaml',
    `
name: deeper
models:
  - { id: sim, provider: simulated, profile: { competence: 0.9, driftPerLoop: 0.3, sensitivity: 0.2, logprobs: true } }
  - { id: judge, provider: simulated, study: false }
benchmarks: { tiny: { format: evenkeel, path: tiny.jsonl } }
studies:
  - { name: loops, kind: evaloop, benchmark: tiny, settings: { maxLoops: ${maxLoops}, judge: judge } }
  - { name: moods, kind: promptse, benchmark: tiny, settings: { variants: 1, samples: ${samples} } }
`,
  );
const answers = async (run: string): Promise<number> =>
  Number((await deployment.rows(run, "select count(*)::int as n from calls where status = 'answered'"))[0]?.['n']);

let before = 0;
beforeAll(async () => {
  deployment = await openDeployment();
  deployment.write('tiny.jsonl', benchmarkText(tinyTasks(6)));
  const first = await deployment.evenkeel('run', specFile(2, 2));
  expect(first.status, first.output).toBe(0);
  before = await answers('deeper');
}, 120_000);
afterAll(() => deployment?.close());

test('fewer loops or samples are refused, and named', async () => {
  const end = await deployment.evenkeel('run', specFile(1, 1));
  expect(end.status).toBe(2);
  expect(end.output).toContain('study loops: maxLoops 2 in the run, 1 in the spec');
  expect(end.output).toContain('study moods: samples 2 in the run, 1 in the spec');
}, 60_000);

test('the extended run is the run of the larger size, asked for what is new alone', async () => {
  const larger = specFile(4, 5);
  const extended = await deployment.evenkeel('run', larger);
  expect(extended.status, extended.output).toBe(0);
  const whole = await deployment.evenkeel('run', larger, '--run', 'whole');
  expect(whole.status, whole.output).toBe(0);
  expect(before).toBeLessThan(await answers('whole'));
  // Each answer is asked for once in all: none of those that were there is asked for again.
  expect(await answers('deeper')).toBe(await answers('whole'));
  const folder = (run: string): string => join(deployment.runsDir, run);
  expect(await stableRows(folder('deeper'), ['run'])).toEqual(await stableRows(folder('whole'), ['run']));
  // Nobody who reads the folder by hand has a row twice.
  const parts = (run: string): number =>
    readdirSync(join(folder(run), 'loops'), { recursive: true }).filter((name) => String(name).endsWith('.parquet')).length;
  expect(parts('deeper')).toBe(parts('whole'));
  const verified = await deployment.evenkeel('verify', 'deeper');
  expect(verified.status, verified.output).toBe(0);
}, 200_000);
