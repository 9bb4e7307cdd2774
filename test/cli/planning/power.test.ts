/** `power` and `plan --detect` from outside. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { type CommandEnd, runCommand } from '../../support/command.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { benchmarkText, tinyTasks } from '../../support/tiny-tasks.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
const evenkeel = (...args: readonly string[]): Promise<CommandEnd> =>
  runCommand(args, { ...process.env, EVENKEEL_RUNS: join(folder, 'runs') });
const stated = ['--between', '0.12', '--within', '0.05', '--correlation', '0.7'];

test('stated variances: a design that is enough, and all its figures as JSON', async () => {
  const { status, stdout } = await evenkeel('power', '--detect', '5', ...stated);
  expect([status, stdout]).toEqual([0, expect.stringMatching(/^to see 5 points with 80.0 % power: \d+ tasks/)]);
  const { stdout: json } = await evenkeel('power', '--detect', '5', ...stated, '--json');
  const { reachable, designs } = JSON.parse(json);
  expect(reachable).toBe(true);
  expect(designs[0]).toMatchObject({ name: 'cheapest', repetitions: 1, samples: 1, usd: null });
  expect(designs[0].power).toBeGreaterThanOrEqual(0.8);
});

// Red before: for 0.14 points "0.2 points".
test.each(['0.14', '0.1234', '0.5'])('for %s points, a design with the power sees no more than that', async (asked) => {
  const variances = ['--between', '0', '--within', '0.002', '--correlation', '0'];
  const { stdout } = await evenkeel('power', '--detect', asked, ...variances);
  const cheapest = stdout.split('\n').find((line) => line.startsWith(' cheapest')) ?? '';
  expect(stdout).toContain(`to see ${asked} points`);
  const seen = Number(/([\d.]+) points/.exec(cheapest)?.[1]);
  expect(seen).toBeLessThanOrEqual(Number(asked));
  expect(seen).toBeGreaterThan(0.9 * Number(asked));
});

test('a benchmark that is too small: what it can see instead', async () => {
  const { stdout: ofOne } = await evenkeel('power', '--detect', '3', ...stated, '--tasks', '1');
  expect(ofOne).toContain('power, 1 task is too few: no difference is shown, however many answers there are');
  const { status, stdout } = await evenkeel('power', '--detect', '3', ...stated, '--tasks', '100');
  expect(status).toBe(0);
  expect(stdout).toMatch(
    /^to see 3 points with 80.0 % power, 100 tasks are too few: at best they show [\d.]+ points, with 100 repetitions/,
  );
});

test.each([
  ['--detect must be percentage points', ['power', '--detect', 'x', ...stated]],
  ['must be given together', ['power', '--detect', '3', '--between', '0.1']],
  ['0.25 at most', ['power', '--detect', '3', '--between', '0.2', '--within', '0.2', '--correlation', '0.5']],
  ['name a run, or state the variances', ['power', '--detect', '3']],
  ['not both', ['power', 'nightly', '--detect', '3', ...stated]],
  ['--power must be a share', ['power', '--detect', '3', ...stated, '--power', '80']],
  ['--comparisons must be a whole number', ['power', '--detect', '3', ...stated, '--comparisons', '0']],
])('refused: %s', async (message, args) => {
  const { status, stderr } = await evenkeel(...args);
  expect(status).toBe(2);
  expect(stderr.replaceAll(/^evenkeel: |:(?= must)/g, '')).toContain(message.split(' ').slice(-3).join(' '));
});

test('plan --detect judges each study of a spec; without variances it says where to take them from', async () => {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'tiny.jsonl'), benchmarkText(tinyTasks(4)));
  const spec = join(folder, 'example.yaml');
  writeFileSync(
    spec,
    `
name: example
models: [{ id: a, provider: simulated }, { id: b, provider: simulated }]
benchmarks: { tiny: { format: evenkeel, path: tiny.jsonl } }
studies: [{ name: loops, kind: evaloop, benchmark: tiny, repetitions: 3 }]
`,
  );
  const without = await evenkeel('plan', spec, '--detect', '5');
  expect([without.status, without.stderr]).toEqual([2, expect.stringContaining('--like')]);
  const { status, stdout } = await evenkeel('plan', spec, '--detect', '5', ...stated, '--json');
  expect(status).toBe(0);
  const { detect } = JSON.parse(stdout);
  expect(detect).toHaveLength(1);
  expect(detect[0]).toMatchObject({ study: 'loops', reachable: false, tasks: 4 });
  expect(detect[0].designs[0]).toMatchObject({ name: 'planned', tasks: 4, repetitions: 3, samples: 1 });
});
