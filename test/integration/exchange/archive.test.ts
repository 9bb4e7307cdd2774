/**
 * An archive of a run with answers of every kind: unpacked with `tar` by somebody who has nothing but the file, it is
 * intact and reads as the run does; what was left out is nowhere in it.
 */
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { zstdDecompressSync } from 'node:zlib';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { starterBenchmark } from '../../../cli/starter.ts';
import { verifyRun } from '../../../activities/storage/verify/verify.ts';
import { openRun } from '../../../analysis/database.ts';
import { records } from '../../../analysis/records.ts';
import { sha256 } from '../../../domain/ids.ts';
import type { Row } from '../../../schemas/tables.ts';
import { studyViews } from '../../../studies/answers.ts';
import { type CommandEnd, runCommand, startCommand } from '../../support/command.ts';

let folder = '';
const runsDir = (): string => join(folder, 'runs');

const spec = (): string => `# made by /home/somebody/work
name: varied
providers: { spare: { kind: openai, baseUrl: "http://127.0.0.1:9/v1", apiKeyEnv: PLANTED_KEY } }
models:
  - { id: sim, provider: simulated, profile: { competence: 0.6 } }
  - { id: helper, provider: simulated, study: false }
benchmarks: { b: { format: evenkeel, path: ${JSON.stringify(starterBenchmark)}, tasks: { limit: 2 } } }
studies:
  - { name: loops, kind: evaloop, benchmark: b, settings: { maxLoops: 2, judge: helper } }
  - { name: moods, kind: promptse, benchmark: b, settings: { samples: 1, variants: 1, rewriter: helper } }
  - { name: flows, kind: robunfr-workflows, benchmark: b, settings: { dimensions: [readability] } }
  - { name: detail, kind: specificity, benchmark: b, settings: { wordLimits: [10], draws: 1, labeller: helper } }
`;

beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'evenkeel-archive-')));
  writeFileSync(join(folder, 'varied.yaml'), spec());
  const end = await runCommand(['run', join(folder, 'varied.yaml'), '--runs-dir', runsDir()]);
  expect(end.status, end.output).toBe(0);
}, 300_000);
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

const archive = (name: string, ...more: string[]): Promise<CommandEnd> =>
  runCommand(['archive', 'varied', '--runs-dir', runsDir(), '--out', join(folder, name), ...more]);

/** A folder of runs with the archived one. */
function unpacked(name: string): string {
  const into = join(folder, `${name}.unpacked`);
  mkdirSync(into, { recursive: true });
  execFileSync('tar', ['xzf', join(folder, name), '-C', into]);
  return into;
}

async function rows(sql: string, into = runsDir()): Promise<readonly Row[]> {
  const database = await openRun(join(into, 'varied'), { views: studyViews });
  try {
    return await records(database, sql);
  } finally {
    database.close();
  }
}

/** As a stranger with any DuckDB, in the unpacked folder. */
async function countsByViews(run: string, sql: string): Promise<unknown[]> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  await connection.run(`SET file_search_path = '${run}'`);
  await connection.run(readFileSync(join(run, 'views.sql'), 'utf8'));
  const counts = (await connection.runAndReadAll(sql)).getRowObjects();
  connection.closeSync();
  instance.closeSync();
  return counts;
}

const isIntact = async (into: string): Promise<boolean> => (await verifyRun(join(into, 'varied'))).ok;

const filesOf = (run: string): string[] =>
  readdirSync(run, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

/** Every text of a run's folder, also those in compressed bodies and tables. */
async function textsOf(run: string): Promise<string[]> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  const texts: string[] = [];
  for (const file of filesOf(run)) {
    texts.push(file.slice(run.length));
    if (file.endsWith('.parquet')) {
      const read = await connection.runAndReadAll(`from read_parquet('${file}', hive_partitioning = false)`);
      for (const row of read.getRowsJson()) texts.push(...row.filter((value) => typeof value === 'string'));
    } else if (file.endsWith('.sqlite')) texts.push(...ledgerTexts(file));
    else texts.push(readFileSync(file, 'utf8'));
  }
  connection.closeSync();
  instance.closeSync();
  return texts;
}

function ledgerTexts(file: string): string[] {
  const database = new DatabaseSync(file, { readOnly: true });
  const tables = database.prepare("select name from sqlite_schema where type = 'table'").all();
  const values = tables.flatMap(({ name }) =>
    database
      .prepare(`select * from "${String(name)}"`)
      .all()
      .flatMap((row) => Object.values(row)),
  );
  database.close();
  return values.flatMap((value) => {
    if (typeof value === 'string') return [value];
    if (!(value instanceof Uint8Array)) return [];
    return [(value[0] === 0x28 && value[1] === 0xb5 ? zstdDecompressSync(value) : Buffer.from(value)).toString('utf8')];
  });
}

const holding = (texts: readonly string[], wanted: string): string[] =>
  texts.filter((text) => text.includes(wanted) || text.includes(JSON.stringify(wanted).slice(1, -1)));

describe('whole', () => {
  let into = '';
  beforeAll(async () => {
    const end = await archive('whole.tar.gz', '--json');
    expect(end.status, end.output).toBe(0);
    expect(JSON.parse(end.stdout)).toMatchObject({ whole: true, without: [], unknown: ['b'] });
    expect(end.stderr).toContain('not searched for the value of PLANTED_KEY, not set here');
    into = unpacked('whole.tar.gz');
  });

  test('every file matches its checksum, and a second archive is the same file', async () => {
    expect(execFileSync('sha256sum', ['-c', '--quiet', 'SHA256SUMS'], { cwd: join(into, 'varied') }).length).toBe(0);
    const listed = readFileSync(join(into, 'varied', 'SHA256SUMS'), 'utf8')
      .trim()
      .split('\n');
    expect(listed).toHaveLength(filesOf(join(into, 'varied')).length - 1);
    await archive('again.tar.gz');
    expect(readFileSync(join(folder, 'again.tar.gz')).equals(readFileSync(join(folder, 'whole.tar.gz')))).toBe(true);
  });

  test('reads as the run: tables, report, an answer and views.sql', async () => {
    const sql =
      'select study, count(*)::int as n, sum(passed::int)::int as passed from answers group by all order by 1';
    expect(await rows(sql, into)).toEqual(await rows(sql));
    const [first] = await rows('select address from answers where counted order by 1 limit 1', into);
    const explained = await runCommand(['explain', 'varied', String(first?.['address']), '--runs-dir', into]);
    expect(explained.status, explained.output).toBe(0);
    const report = await runCommand(['report', 'varied', '--runs-dir', into, '--out', join(folder, 'again.html')]);
    expect(report.status, report.output).toBe(0);
    expect(await isIntact(into)).toBe(true);
    expect(await countsByViews(join(into, 'varied'), sql)).toEqual(await rows(sql));
  });

  test('has no path of this machine, and no name of who runs the process', async () => {
    const texts = await textsOf(join(into, 'varied'));
    expect(holding(texts, folder)).toEqual([]);
    expect(holding(texts, starterBenchmark)).toEqual([]);
    expect(holding(texts, '/home/somebody')).toEqual([]);
    expect(holding(texts, `${process.pid}`).filter((text) => /^\S+\/\d+$/.test(text))).toEqual([]);
  });

  // Red before: the same report was written and sealed again, with another `updatedAt`: "manifest.json: FAILED".
  test('resume knows that it is complete, and changes no file; the ledger is sealed', async () => {
    const end = await runCommand(['resume', 'varied', '--runs-dir', into]);
    expect(execFileSync('sha256sum', ['-c', '--quiet', 'SHA256SUMS'], { cwd: join(into, 'varied') }).length).toBe(0);
    expect(end.status, end.output).toBe(0);
    expect(end.stderr).toContain('run "varied" is already complete');
    const { stdout } = await runCommand(['verify', 'varied', '--runs-dir', into, '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ ok: true, sealed: true });
  });
});

describe('without replies', () => {
  let into = '';
  beforeAll(async () => {
    const end = await archive('no-replies.tar.gz', '--without', 'replies');
    expect(end.status, end.output).toBe(0);
    into = unpacked('no-replies.tar.gz');
  });

  test('no answer to a question of a study is in any file', async () => {
    // A rewriter's answers are prompts. Short answers, such as a judge's score, are in many texts by chance.
    const answers = await rows(
      "select distinct reply, solution, step from samples where step not in ('rewrite', 'write') " +
        'and length(reply) > 60',
    );
    expect(answers.length).toBeGreaterThan(20);
    const texts = await textsOf(join(into, 'varied'));
    for (const { reply, solution, step } of answers)
      for (const text of [reply, solution].filter((one) => typeof one === 'string' && one.length > 60))
        expect(holding(texts, String(text)), `${step}: ${text}`).toEqual([]);
  });

  test('first questions are there; tables of results are unchanged', async () => {
    const sql = 'from asl order by all';
    expect(await rows(sql, into)).toEqual(await rows(sql));
    const prompts = "select count(*)::int as n from prompts where messages like '%left out of this archive%'";
    const [{ n: left } = { n: 0 }] = await rows(prompts, into);
    const [{ n: all } = { n: 0 }] = await rows('select count(*)::int as n from prompts');
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThan(Number(all));
  });

  test('verify accepts it and says what is not there; what needs a ledger is refused in words', async () => {
    const verified = await runCommand(['verify', 'varied', '--runs-dir', into]);
    expect(verified.status, verified.output).toBe(0);
    expect(verified.stdout).toContain('an archive without replies; not there and not checked: ledger.sqlite');
    expect(verified.stdout).not.toContain('not sealed');
    for (const verb of ['resume', 'archive']) {
      const end = await runCommand([verb, 'varied', '--runs-dir', into]);
      expect(end.status, end.output).toBe(2);
      expect(end.stderr).toContain('is an archive without replies');
      expect(end.stderr).not.toContain('already complete');
    }
    const csv = ['export', 'varied', '--format', 'csv', '--study', 'loops', '--out', join(folder, 'x.csv')];
    expect((await runCommand([...csv, '--runs-dir', into])).stderr).toContain('is an archive without replies, which');
    const listed = await runCommand(['status', '--runs-dir', into]);
    expect(listed.stdout).toContain('complete, archive without replies');
  });

  test('a changed table is found', async () => {
    const [part = ''] = filesOf(join(into, 'varied')).filter((file) => file.includes('/samples/'));
    writeFileSync(part, Buffer.concat([readFileSync(part), Buffer.from('x')]));
    const end = await runCommand(['verify', 'varied', '--runs-dir', into]);
    expect(end.status).toBe(1);
    expect(end.stdout).toContain('samples/');
  });
});

test('without prompts and data sets: no task, test or prompt is left but where a model quotes it', async () => {
  // Red before: an extended run also has the file of its tasks as it was before, which the manifest names no more.
  const before = '{"task_id":"T/0","prompt":"a task of an earlier revision"}\n';
  const earlier = join('inputs', `${sha256(before)}.jsonl`);
  writeFileSync(join(runsDir(), 'varied', earlier), before);
  const end = await archive('private.tar.gz', '--without', 'prompts,replies,data-sets');
  rmSync(join(runsDir(), 'varied', earlier));
  expect(end.status, end.output).toBe(0);
  const into = unpacked('private.tar.gz');
  expect(existsSync(join(into, 'varied', earlier))).toBe(false);
  const texts = await textsOf(join(into, 'varied'));
  const tasks = await rows('select prompt from tasks');
  const prompts = await rows('select messages from prompts union select prompt from variants where prompt is not null');
  expect(prompts.length).toBeGreaterThan(10);
  for (const text of [...tasks, ...prompts].flatMap(Object.values)) expect(holding(texts, String(text))).toEqual([]);
  const failing = await rows('select distinct failing_input from executions where length(failing_input) > 20');
  for (const { failing_input } of failing) expect(holding(texts, String(failing_input))).toEqual([]);
  expect(await isIntact(into)).toBe(true);
  // Red before: 1 in every row, as if the words that stand for a prompt were one.
  const md = join(folder, 'private.md');
  const report = await runCommand(['report', 'varied', '--runs-dir', into, '--format', 'md', '--out', md]);
  expect(report.status, report.output).toBe(0);
  const [, table = ''] =
    /^\| Augmentation .* Distinct texts .*\n\|.*\n((?:\|.*\n)+)/m.exec(readFileSync(md, 'utf8')) ?? [];
  const distinct = table.split('\n').flatMap((row) => row.split('|')[6]?.trim() ?? []);
  expect(new Set(distinct)).toEqual(new Set(['–']));
});

test('a key is found wherever it is, and nothing is written', async () => {
  const run = join(runsDir(), 'varied');
  const manifest = readFileSync(join(run, 'manifest.json'), 'utf8');
  // The text of an answer stands for the value of a variable that the spec names.
  const [{ reply } = { reply: '' }] = await rows("select reply from samples where step = 'summarize' limit 1");
  const env = { ...process.env, PLANTED_KEY: String(reply) };
  const out = join(folder, 'leaky.tar.gz');
  const leaky = await runCommand(['archive', 'varied', '--runs-dir', runsDir(), '--out', out], env);
  expect(leaky.status).toBe(2);
  expect(leaky.stderr).toContain('PLANTED_KEY in samples.reply');
  expect(leaky.stderr).toContain("PLANTED_KEY in the ledger's reply");
  expect(readdirSync(folder).filter((name) => name.startsWith('leaky'))).toEqual([]);
  const kept = await runCommand(
    ['archive', 'varied', '--runs-dir', runsDir(), '--out', out, '--without', 'replies'],
    env,
  );
  expect(kept.status, kept.output).toBe(0);
  expect(kept.stderr).not.toContain('not searched');
  expect(readFileSync(join(run, 'manifest.json'), 'utf8')).toBe(manifest);
});

test('a killed archive leaves the run and an earlier archive as they were', async () => {
  const out = join(folder, 'killed.tar.gz');
  writeFileSync(out, 'earlier');
  const command = startCommand(['archive', 'varied', '--runs-dir', runsDir(), '--out', out]);
  while (!existsSync(`${out}.tmp.d`) && command.isRunning()) await new Promise((resolve) => setTimeout(resolve, 5));
  command.process.kill('SIGKILL');
  expect(await command.ended).toBe('SIGKILL');
  expect(readFileSync(out, 'utf8')).toBe('earlier');
  expect(await isIntact(runsDir())).toBe(true);
  expect((await archive('killed.tar.gz')).status).toBe(0);
  expect(readdirSync(folder).filter((name) => name.startsWith('killed'))).toEqual(['killed.tar.gz']);
});

test('odd requests are refused with what to do', async () => {
  expect((await archive('x.tar.gz', '--without', 'reply')).stderr).toContain(
    '"reply" is none: known: prompts, replies, data-sets',
  );
  expect((await archive('x.tar.gz', '--without', 'data-sets', '--all-data-sets')).stderr).toContain('contradicts');
  const inside = await archive('runs/varied/ledger.sqlite');
  expect(inside.status).toBe(2);
});
