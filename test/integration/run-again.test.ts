/** A finished run: what can be done with it, and what the same spec, a larger one and another one do. */
import { createHash, randomInt } from 'node:crypto';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { unsealLedger } from '../../activities/storage/seals.ts';
import type { CommandEnd } from '../support/command.ts';
import { type Deployment, openDeployment, until } from '../support/deployment.ts';
import { inFull, long } from '../support/forms/long.ts';
import {
  badReplies,
  benchmarkText,
  courseLines,
  fenced,
  type ReplayLine,
  replayText,
  rightCode,
  tinyTasks,
} from '../support/tiny-tasks.ts';

let deployment: Deployment;
const cacheFolder = mkdtempSync(join(tmpdir(), 'evenkeel-'));
const evenkeel = (...args: readonly string[]): Promise<CommandEnd> => deployment.evenkeel(...args);

interface Wanted {
  readonly name: string;
  readonly models?: readonly string[];
  readonly limit?: number;
  readonly seed?: number;
  readonly maxLoops?: number;
}

const specFile = ({ name, models = ['first'], limit = 4, seed = 3, maxLoops = 2 }: Wanted): string =>
  deployment.write(
    `${name}.yaml`,
    `
name: ${name}
seed: ${seed}
models: [${models.map((model) => `{ id: ${model}, provider: replay, file: ${model}.jsonl }`).join(', ')}]
benchmarks: { tiny: { format: evenkeel, path: tiny.jsonl, tasks: { limit: ${limit} } } }
studies: [{ name: loops, kind: evaloop, benchmark: tiny, settings: { maxLoops: ${maxLoops} } }]
`,
  );

const run = (wanted: Wanted, ...flags: readonly string[]): Promise<CommandEnd> =>
  evenkeel('run', specFile(wanted), ...flags);

interface Part {
  readonly path: string;
  readonly page: string;
  readonly sha256: string;
}
const partsOf = (name: string): Part[] =>
  (JSON.parse(readFileSync(join(deployment.runsDir, name, 'manifest.json'), 'utf8')) as { parts: Part[] }).parts;
const bytesSha256 = (name: string, { path }: Part): string =>
  createHash('sha256')
    .update(readFileSync(join(deployment.runsDir, name, path)))
    .digest('hex');

const documentOf = ({ status, stdout, output }: CommandEnd): Record<string, unknown> => {
  expect(status, output).toBe(0);
  return JSON.parse(stdout) as Record<string, unknown>;
};

beforeAll(async () => {
  deployment = await openDeployment({ EVENKEEL_EXECUTION_CACHE: join(cacheFolder, 'executions.sqlite') });
  const tasks = tinyTasks(8);
  const lines = tasks.flatMap((task, index) => courseLines(task, index % 3, 2, badReplies.wrong_output(task)));
  const summary = { step: 'summarize', reply: 'Write a python function to add.' };
  deployment.write('tiny.jsonl', benchmarkText(tasks));
  for (const [index, model] of ['first', 'second'].entries())
    deployment.write(
      `${model}.jsonl`,
      replayText([...lines, summary, { step: 'label', loop: index, reply: 'never asked for' }]),
    );
  const made = await run({ name: 'done' }, '--json');
  expect(documentOf(made)).toMatchObject({ run: 'done', state: 'complete', leaderboard: [{ model: 'first', n: 4 }] });
});
afterAll(async () => {
  await deployment.close();
  rmSync(cacheFolder, { recursive: true });
});

test('a successful run reports no error, not even while its workers end', async () => {
  const end = await run({ name: 'quiet' });
  expect(end.status, end.output).toBe(0);
  expect(end.stderr).not.toMatch(/^error:/m);
});

describe('a finished run', () => {
  test('is found finished by run and by resume, and gives the same table again', async () => {
    for (const end of [await run({ name: 'done' }, '--json'), await evenkeel('resume', 'done', '--json')]) {
      expect(end.stderr).toContain('is already complete');
      expect(documentOf(end)).toMatchObject({ state: 'complete', leaderboard: [{ model: 'first', n: 4 }] });
    }
  });

  test('is sealed by the next command if its owner was killed before sealing it', async () => {
    const folder = join(deployment.runsDir, 'done');
    await unsealLedger(folder);
    expect(await evenkeel('verify', 'done')).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('ledger not sealed'),
    });
    await evenkeel('resume', 'done', '--json');
    expect((await evenkeel('verify', 'done')).stdout).not.toContain('ledger not sealed');
  });

  test('is not executed a second time by another run of the same study', async () => {
    documentOf(await run({ name: 'twin' }, '--json'));
    const counts =
      'select reused, count(*)::int as n, min(outcome) as first, max(outcome) as last from executions group by all';
    const [done, ...others] = await deployment.rows('done', counts);
    expect([done, others]).toEqual([{ reused: false, n: expect.any(Number), first: 'pass', last: 'wrong_output' }, []]);
    expect(await deployment.rows('twin', counts)).toEqual([{ ...done, reused: true }]);
  });

  test('has nothing left to pause or cancel', async () => {
    for (const verb of ['pause', 'cancel']) {
      const end = await evenkeel(verb, 'done');
      expect([end.status, end.stderr]).toEqual([0, expect.stringContaining(`nothing to ${verb}`)]);
    }
    expect(documentOf(await evenkeel('status', 'done', '--json'))['state']).toBe('complete');
  });

  test('is one JSON document for status, query, report and verify', async () => {
    expect(documentOf(await evenkeel('status', 'done', '--json'))).toMatchObject({
      run: 'done',
      progress: {
        pages: { total: 1, sealed: 1, failed: 0 },
        lanes: [{ study: 'loops', model: 'first', cells: 4, cellsDone: 4 }],
      },
    });
    expect(documentOf(await evenkeel('query', 'done', 'select count(*) as n from loops', '--json'))['rows']).toEqual([
      [4],
    ]);
    const report = documentOf(await evenkeel('report', 'done', '--out', join(deployment.folder, 'out.html'), '--json'));
    expect(readFileSync(String(report['report']), 'utf8')).toMatch(/^<!doctype html>/i);
    expect(documentOf(await evenkeel('verify', 'done', '--json'))).toMatchObject({
      run: 'done',
      ok: true,
      sealed: true,
      problems: [],
    });
  });

  test.each(['md', 'json'])('is reported as %s too', async (format) => {
    const out = join(deployment.folder, `out.${format}`);
    expect((await evenkeel('report', 'done', '--format', format, '--out', out)).status).toBe(0);
    expect(readFileSync(out, 'utf8')).toContain('first');
  });

  test.each([
    'delete from loops',
    'drop view loops',
    "update loops set sustained_loops = 10 where model = 'first'",
    "copy loops to 'stolen.csv'",
    "attach 'other.db'",
    'select 1; select 2',
  ])('is not changed by: %s', async (sql) => {
    const end = await evenkeel('query', 'done', sql);
    expect([end.status, end.stdout]).toEqual([2, '']);
    expect(end.stderr).not.toMatch(/^\s+at /m);
  });

  test.each(['part', 'ledger.sqlite', 'report.html'])(
    'verify finds a changed byte of its %s, and says in which file',
    async (kind) => {
      const copy = join(deployment.runsDir, 'damaged');
      cpSync(join(deployment.runsDir, 'done'), copy, { recursive: true });
      const file =
        kind === 'part' ? (partsOf('damaged').find(({ path }) => path.startsWith('loops/')) as Part).path : kind;
      const bytes = readFileSync(join(copy, file));
      const place = randomInt(bytes.length);
      bytes[place] = (bytes[place] as number) ^ 1;
      writeFileSync(join(copy, file), bytes);
      const end = await evenkeel('verify', 'damaged');
      rmSync(copy, { recursive: true });
      expect([end.status, end.stdout]).toEqual([1, expect.stringContaining(file)]);
    },
  );
});

describe('a run that has lost what it needs to continue', () => {
  const folder = (): string => join(deployment.runsDir, 'lost');
  const files = (): string[] => readdirSync(folder(), { recursive: true, encoding: 'utf8' }).sort();
  const changedByHand = (path: string): void =>
    writeFileSync(path, readFileSync(path, 'utf8').replace('"state": "complete"', '"state": "incomplete"'));

  beforeAll(async () => {
    documentOf(await run({ name: 'lost' }, '--json'));
  });

  test.each([
    ['ledger.sqlite', 'missing', rmSync, 'this file is missing; restore ledger.sqlite and its -wal from a backup'],
    [
      'ledger.sqlite',
      'empty',
      (path) => writeFileSync(path, ''),
      'this file is empty; restore ledger.sqlite and its -wal from a backup',
    ],
    ['ledger.sqlite', 'no database', (path) => writeFileSync(path, 'x'.repeat(8192)), 'file is not a database'],
    ['manifest.json', 'missing', rmSync, 'exists but has no manifest.json: restore it from a backup'],
    [
      'manifest.json',
      'changed by hand',
      changedByHand,
      'does not match its SHA-256: damaged or changed by hand; restore it from a backup',
    ],
  ] satisfies [string, string, (path: string) => void, string][])(
    '%s %s: the run is left unchanged',
    async (file, _how, harm, message) => {
      const path = join(folder(), file);
      const whole = readFileSync(path);
      harm(path);
      const before = files();
      const end = await run({ name: 'lost', models: ['first', 'second'], limit: 7 });
      expect([end.status, end.stderr]).toEqual([2, expect.stringContaining(message)]);
      expect(end.stderr).not.toMatch(/^\s+at /m);
      expect(files()).toEqual(before);
      writeFileSync(path, whole);
      expect(documentOf(await evenkeel('verify', 'lost', '--json'))).toMatchObject({ ok: true, sealed: true });
    },
  );

  test('status names a run without its ledger, and still lists the others', async () => {
    const path = join(folder(), 'ledger.sqlite');
    const whole = readFileSync(path);
    rmSync(path);
    const end = await evenkeel('status');
    expect([end.status, end.stdout]).toEqual([
      2,
      expect.stringContaining('this file is missing; restore ledger.sqlite'),
    ]);
    expect(end.output).toMatch(/done +│ complete/);
    writeFileSync(path, whole);
  });
});

describe('a larger spec', () => {
  test('adds pages and leaves earlier pages unchanged to the byte', async () => {
    await run({ name: 'grown' });
    const before = partsOf('grown');
    const end = await run({ name: 'grown', models: ['first', 'second'], limit: 7 });
    expect(end.status, end.output).toBe(0);
    expect(end.stderr).toContain('extended');
    const after = partsOf('grown');
    const pageParts = before.filter(({ page }) => page !== 'run');
    expect(pageParts.length).toBeGreaterThan(3);
    expect(after).toEqual(expect.arrayContaining(pageParts));
    expect(pageParts.map((part) => bytesSha256('grown', part))).toEqual(pageParts.map(({ sha256 }) => sha256));
    const cells = await deployment.rows(
      'grown',
      'select model, count(*) as cells, count(distinct task_id) as tasks from loops group by all order by all',
    );
    expect(cells).toEqual(['first', 'second'].map((model) => ({ model, cells: 7, tasks: 7 })));
    const asl = await deployment.rows('grown', 'select model, n from asl order by model');
    expect(asl).toEqual(['first', 'second'].map((model) => ({ model, n: 7 })));
    expect(documentOf(await evenkeel('verify', 'grown', '--json'))).toMatchObject({ ok: true, sealed: true });
  });

  test('asks only for what is new', async () => {
    const calls = await deployment.rows(
      'grown',
      'select count(*) as calls, count(distinct call_key) as keys, bool_and(used) as used from calls',
    );
    expect(calls[0]).toMatchObject({ used: true, calls: calls[0]?.['keys'] });
  });
});

describe('a recording that lacks replies', () => {
  const lacking = { name: 'lacking', models: ['lacking'], limit: 4 };
  const tasks = tinyTasks(8);
  const first = tasks.map((task) => ({ task_id: task.id, step: 'generate', loop: 1, reply: fenced(rightCode(task)) }));
  const summary = { step: 'summarize', reply: 'Write a python function to add.' };
  const second = tasks.map((task) => ({
    task_id: task.id,
    step: 'generate',
    loop: 2,
    reply: badReplies.wrong_output(task),
  }));
  const record = (...lines: readonly ReplayLine[]): string => deployment.write('lacking.jsonl', replayText(lines));
  const lackOf = (step: string): RegExp =>
    new RegExp(
      `lacking\\.jsonl has no line for ` +
        `{"study":"loops","benchmark":"tiny","task_id":"Tiny/\\d","language":"python","step":"${step}",`,
    );

  long(`is named with the missing line, and refused after any other change${inFull}`, async () => {
    const file = record(...first);
    const end = await run(lacking);
    expect([end.status, end.stderr]).toEqual([3, expect.stringMatching(lackOf('summarize'))]);
    expect(end.output).not.toContain('inputs/');
    record({ loop: 1, task_id: 'Tiny/1', step: 'generate', reply: 'other' }, ...first.slice(1), summary);
    for (const refused of [await evenkeel('resume', 'lacking'), await run(lacking)]) {
      expect([refused.status, refused.stderr]).toEqual([
        2,
        expect.stringContaining(`${file}  this run uses its own copy of the recording`),
      ]);
      expect(refused.stderr).toContain(
        '- line 1, {"task_id":"Tiny/1","step":"generate","loop":1}: has another reply than line 1 of the run\'s copy\n',
      );
      expect(refused.stderr).not.toMatch(/^\s+at /m);
    }
  });

  long(`gets them one by one, by resume and by run, under the keys of its answers${inFull}`, async () => {
    record(summary, ...first);
    const resumed = await evenkeel('resume', 'lacking');
    expect([resumed.status, resumed.stderr]).toEqual([3, expect.stringMatching(lackOf('generate'))]);
    expect(resumed.stderr).toMatch(/recording .*lacking\.jsonl of lacking: 1 new reply, copied into the run/);
    record(summary, ...second, ...first);
    const done = await run(lacking, '--json');
    expect(done.stderr).toContain('8 new replies, copied into the run');
    expect(documentOf(done)).toMatchObject({ state: 'complete', leaderboard: [{ model: 'lacking', n: 4 }] });
    const sha256 = createHash('sha256').update(replayText(first)).digest('hex');
    expect(await deployment.rows('lacking', 'select endpoint from models')).toEqual([{ endpoint: `replay:${sha256}` }]);
    const answers = 'select step, count(*)::int as n from calls where used group by all order by all';
    expect(await deployment.rows('lacking', answers)).toEqual([
      { step: 'generate', n: 8 },
      { step: 'summarize', n: 4 },
    ]);
    expect(documentOf(await evenkeel('verify', 'lacking', '--json'))).toMatchObject({
      ok: true,
      sealed: true,
      problems: [],
    });
  });

  long(`does not matter to a finished run, unless it was changed in another way${inFull}`, async () => {
    record(summary, ...second, ...first, { task_id: 'Tiny/1', loop: 3, reply: 'never asked for' });
    expect(await run(lacking, '--json')).toMatchObject({
      status: 0,
      stderr: expect.stringContaining('is already complete'),
    });
    record(...first);
    expect(await run(lacking)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('is no longer in the file'),
    });
    expect(await evenkeel('resume', 'lacking', '--json')).toMatchObject({ status: 0 });
    expect(documentOf(await evenkeel('verify', 'lacking', '--json'))).toMatchObject({ ok: true, sealed: true });
  });
});

test('a spec that changes the plan is refused with the list of differences; --run starts another run', async () => {
  const changed = { name: 'done', seed: 4, limit: 2, maxLoops: 1, models: ['second'] };
  const end = await run(changed);
  expect([end.status, end.stdout]).toEqual([2, '']);
  for (const difference of [
    'seed: 3 in the run, 4 in the spec',
    'model first is in the run and not in the spec',
    'study loops',
    'the spec no longer selects',
  ])
    expect(end.stderr).toContain(difference);
  expect(documentOf(await evenkeel('status', 'done', '--json'))['state']).toBe('complete');
  const beside = await run({ ...changed, maxLoops: 2 }, '--run', 'beside');
  expect(beside.status, beside.output).toBe(0);
  expect(documentOf(await evenkeel('status', '--json'))).toEqual(
    expect.arrayContaining(
      ['done', 'grown', 'beside'].map((name) => expect.objectContaining({ run: name, state: 'complete' })),
    ),
  );
});

test('run accepts the spec that init writes unchanged', async () => {
  const study = join(deployment.folder, 'study');
  await evenkeel('init', study);
  const started = deployment.start('run', join(study, 'evaloop.yaml'));
  await until(() => started.output().includes('sandbox:'), started);
  started.process.kill('SIGINT');
  // Before the sweep nobody listens yet, and the signal itself ends the command: 130 to a shell as well.
  expect([130, 'SIGINT'], started.output()).toContain(await started.ended);
});
