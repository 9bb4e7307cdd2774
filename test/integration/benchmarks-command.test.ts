/** `benchmarks` and `fetch` as users start them. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { type CommandEnd, runCommand } from '../support/command.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { benchmarkText, tinyTasks } from '../support/tiny-tasks.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
const evenkeel = (...args: readonly string[]): Promise<CommandEnd> =>
  runCommand(args, {
    ...process.env,
    EVENKEEL_CACHE: join(folder, 'cache'),
    EVENKEEL_BENCHMARKS: join(folder, 'files'),
  });

test('benchmarks lists the public sets, and says that none of their files is present', async () => {
  const { status, stdout } = await evenkeel('benchmarks', '--json');
  expect(status).toBe(0);
  const { benchmarks } = JSON.parse(stdout) as { benchmarks: { name: string; path: string | null }[] };
  expect(benchmarks.map(({ name, path }) => [name, path])).toContainEqual(['humaneval-et', null]);
});

test("benchmarks --check runs a spec's references, added suites included, and names the one that fails", async () => {
  const tasks = tinyTasks(3);
  writeFileSync(join(folder, 'tiny.jsonl'), benchmarkText(tasks));
  const more = benchmarkText(tasks)
    .split('\n')
    .filter(Boolean)
    .map((line) => ({ ...(JSON.parse(line) as Record<string, unknown>) }))
    .map((record, index) => ({
      ...record,
      suites: { extra: { inputs: [[10]], expected: [index === 1 ? 0 : 11 + index] } },
    }));
  writeFileSync(join(folder, 'more.jsonl'), more.map((record) => `${JSON.stringify(record)}\n`).join(''));
  const spec = join(folder, 'spec.yaml');
  writeFileSync(
    spec,
    `name: s
models: [{ id: sim, provider: simulated }]
benchmarks:
  tiny: { format: evenkeel, path: tiny.jsonl, suites: [base, { name: extra, format: evenkeel, path: more.jsonl }] }
studies: [{ name: loops, kind: evaloop, benchmark: tiny }]
`,
  );
  const { status, stdout, stderr } = await evenkeel('benchmarks', '--check', '--spec', spec);
  expect(status, stderr).toBe(0);
  expect(stdout).toBe(
    'tiny base: 3 of 3 references pass\ntiny extra: 2 of 3 references pass\n  Tiny/2: wrong_output in case 0\n',
  );
});

// Red before: "without a reference: T/1".
test('benchmarks --check: a reference that crashes is not called missing', async () => {
  const task = {
    ...{ task_id: 'T/1', prompt: 'def f(x):\n', entry_point: 'f', reference: 'def f(x):\n    return y\n' },
    suites: { base: { inputs: [[1]] } },
  };
  writeFileSync(join(folder, 'broken.jsonl'), `${JSON.stringify(task)}\n`);
  const spec = join(folder, 'broken.yaml');
  writeFileSync(
    spec,
    `name: s
models: [{ id: sim, provider: simulated }]
benchmarks: { own: { format: evenkeel, path: broken.jsonl, suites: [base] } }
studies: [{ name: plain, kind: pass, benchmark: own }]
`,
  );
  const { status, stdout, stderr } = await evenkeel('benchmarks', '--check', '--spec', spec);
  expect(status, stderr).toBe(0);
  expect(stdout).toBe('own base: 0 of 1 references pass\n  no output, so the task counts for no model: T/1\n');
});

// Red before: nothing was said of T/1, which passes. T/2 states what it expects, so its reference fails.
test('benchmarks --check names tasks of which only some cases count', async () => {
  const reference = 'def f(x):\n    if x > 1: raise ValueError(x)\n    return x\n';
  const cases = { inputs: [[1], [2], [3]] };
  const tasks = [{ base: cases }, { base: { ...cases, expected: [1, 2, 3] } }].map((suites, index) =>
    JSON.stringify({ ...{ task_id: `T/${index + 1}`, prompt: 'def f(x):\n', entry_point: 'f', reference }, suites }),
  );
  writeFileSync(join(folder, 'some.jsonl'), tasks.join('\n'));
  const spec = join(folder, 'some.yaml');
  writeFileSync(
    spec,
    `name: s
models: [{ id: sim, provider: simulated }]
benchmarks: { own: { format: evenkeel, path: some.jsonl, suites: [base] } }
studies: [{ name: plain, kind: pass, benchmark: own }]
`,
  );
  const { status, stdout, stderr } = await evenkeel('benchmarks', '--check', '--spec', spec);
  expect(status, stderr).toBe(0);
  expect(stdout).toBe(
    'own base: 1 of 2 references pass\n  T/2: exception in case 1\n' +
      '  T/1: its reference gives no output for the last 2 of 3 cases: these are excluded, and answers are judged on ' +
      'the others\n',
  );
  const json = await evenkeel('benchmarks', '--check', '--spec', spec, '--json');
  const partlyJudged = [{ taskId: 'T/1', cases: 3, judgedCases: 1 }];
  expect(JSON.parse(json.stdout)).toMatchObject({ checked: [{ ceilings: [{ partlyJudged }] }] });
});

test('an unknown name is refused with the nearest one, a missing set with the command that gets it', async () => {
  const unknown = await evenkeel('fetch', 'humanevl');
  expect([unknown.status, unknown.stderr]).toEqual([
    2,
    expect.stringMatching(/no benchmark "humanevl"; did you mean "humaneval"/),
  ]);
  const missing = await evenkeel('benchmarks', 'mbpp-et', '--check');
  expect([missing.status, missing.stderr]).toEqual([2, expect.stringMatching(/evenkeel fetch mbpp-et mbpp-sanitized/)]);
});
