/** Damaged and missing parts of finished runs, of runs that continue, and of runs of version 0.1. */
import { cpSync, globSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inFull, long } from '../support/forms/long.ts';
import { folderHome } from '../../activities/storage/home/folder-home.ts';
import { updateManifest } from '../../activities/storage/manifest.ts';
import { readManifest } from '../../activities/storage/manifest-file.ts';
import { sealLedger, unsealLedger } from '../../activities/storage/seals.ts';
import { type AnsweredRun, answeredRun } from '../support/answered-run.ts';
import type { CommandEnd } from '../support/command.ts';
import { executedAgain, type Deployment, openDeployment } from '../support/deployment.ts';
import { expectReadable } from '../support/kills/finish-kills.ts';
import { stableRows } from '../support/stable-rows.ts';
import { tinyTasks } from '../support/tiny-tasks.ts';

let deployment: Deployment;
let answered: AnsweredRun;

beforeAll(async () => {
  deployment = await openDeployment(executedAgain);
  answered = await answeredRun(deployment);
});
afterAll(() => deployment?.close());

const folderOf = (run: string): string => join(deployment.runsDir, run);

interface Copy {
  readonly folder: string;
  evenkeel(verb: string, ...args: readonly string[]): Promise<CommandEnd>;
}

/** In its own runs directory, since a run's folder has the run's name. */
function copied(from: string, to: string): Copy {
  const runsDir = join(deployment.folder, to);
  const run = answered.whole;
  cpSync(folderOf(from), join(runsDir, run), { recursive: true });
  return {
    folder: join(runsDir, run),
    evenkeel: (verb, ...args) => deployment.evenkeel(verb, run, ...args, '--runs-dir', runsDir),
  };
}

function flip(path: string): void {
  const bytes = readFileSync(path);
  const middle = Math.floor(bytes.length / 2);
  bytes[middle] = (bytes[middle] ?? 0) ^ 1;
  writeFileSync(path, bytes);
}

const globbed = async (folder: string, table: string): Promise<number> => {
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  const rows = await connection.runAndReadAll(
    `select count(*)::int from read_parquet('${folder}/${table}/**/*.parquet')`,
  );
  return Number(rows.getRows()[0]?.[0]);
};

// Red without --repair, which version 0.1 lacked.
test('damaged, truncated and missing parts are rebuilt with the same bytes', async () => {
  const { folder, evenkeel } = copied(answered.whole, 'repaired');
  const { parts } = await readManifest(folder);
  const of = (table: string) => parts.filter((part) => part.table === table).map(({ path }) => join(folder, path));
  const bytes = parts.map(({ path }) => readFileSync(join(folder, path)));
  flip(of('samples')[0] ?? '');
  rmSync(of('loops')[1] ?? '');
  writeFileSync(of('verdicts')[0] ?? '', '');
  rmSync(of('asl')[0] ?? '');
  const before = await evenkeel('verify');
  expect([before.status, before.stdout.match(/^problem: /gm)?.length], before.output).toEqual([1, 4]);
  const end = await evenkeel('verify', '--repair');
  expect([end.status, end.stdout.match(/^rebuilt: /gm)?.length], end.output).toEqual([0, 4]);
  expect(end.stdout).toContain('is intact');
  expect(parts.map(({ path }) => readFileSync(join(folder, path)))).toEqual(bytes);
});

// Red without `unseal` in a repair: it took a new seal, and said "is intact".
test('nothing is repaired from a ledger that was changed by hand, and it stays known as such', async () => {
  const { folder, evenkeel } = copied(answered.whole, 'tampered');
  const [samples = ''] = (await readManifest(folder)).parts
    .map(({ path }) => path)
    .filter((path) => /samples/.test(path));
  flip(join(folder, samples));
  const database = new DatabaseSync(join(folder, 'ledger.sqlite'));
  database.exec('update charge set usd = 1000');
  database.close();
  const end = await evenkeel('verify', '--repair');
  expect([end.status, end.stdout], end.output).toEqual([2, '']);
  expect(end.stderr).toMatch(/ledger\.sqlite.*has SHA-256 \w+, not \w+ as recorded when the run ended/);
  const after = await evenkeel('verify');
  expect(after.stdout).toMatch(/problem: ledger\.sqlite has SHA-256/);
});

// Red without `mendFinished`: `resume` only named `verify --repair`, and ended with 2.
test('a complete run with damaged and missing parts is whole again after resume, with one line', async () => {
  const { folder, evenkeel } = copied(answered.whole, 'mended');
  const { parts } = await readManifest(folder);
  const of = (table: string) => parts.filter((part) => part.table === table).map(({ path }) => join(folder, path));
  const bytes = parts.map(({ path }) => readFileSync(join(folder, path)));
  const healthy = await evenkeel('resume');
  expect([healthy.status, healthy.stderr], healthy.output).toEqual([0, expect.not.stringContaining('rebuilt')]);
  rmSync(of('loops')[0] ?? '');
  rmSync(of('asl')[0] ?? '');
  flip(of('prompts')[0] ?? '');
  const end = await evenkeel('resume');
  expect([end.status, end.stderr], end.output).toEqual([
    0,
    expect.stringContaining('\nrebuilt 3 damaged or missing table files from the ledger\n'),
  ]);
  expect(parts.map(({ path }) => readFileSync(join(folder, path)))).toEqual(bytes);
  const verified = await evenkeel('verify');
  expect([verified.status, verified.stdout], verified.output).toEqual([0, expect.not.stringContaining('not sealed')]);
});

// Red without the seal of views.sql: nothing missed it, and nothing wrote it again.
long(`views.sql is missed by verify, and written again by verify --repair and by resume${inFull}`, async () => {
  const { folder, evenkeel } = copied(answered.whole, 'viewless');
  const file = join(folder, 'views.sql');
  const text = readFileSync(file, 'utf8');
  for (const [verb, ...options] of [['verify', '--repair'], ['resume']] as const)
    for (const spoil of [() => rmSync(file), () => writeFileSync(file, text.slice(1))]) {
      spoil();
      const before = await evenkeel('verify');
      expect([before.status, before.stdout], before.output).toEqual([1, expect.stringMatching(/^problem: views\.sql/)]);
      const end = await evenkeel(verb, ...options);
      expect([end.status, readFileSync(file, 'utf8')], end.output).toEqual([0, text]);
      expect(end.output).toMatch(verb === 'resume' ? /^wrote views\.sql again/m : /^rebuilt: views\.sql$/m);
      expect((await evenkeel('verify')).status).toBe(0);
    }
});

test('nothing is invented: a part with damaged answers is reported as lost, others are rebuilt', async () => {
  const { folder, evenkeel } = copied(answered.half, 'lossy');
  const { parts } = await readManifest(folder);
  const database = new DatabaseSync(join(folder, 'ledger.sqlite'));
  const [page] = parts.map((part) => part.page).filter((name) => name !== 'run');
  database
    .prepare(
      "update reply set body = cast('{}' as blob) where call in (select call from sample where page = (select id " +
        'from page where page = ?))',
    )
    .run(page ?? '');
  database.close();
  const [samples] = parts.filter(({ table }) => table === 'samples');
  rmSync(join(folder, samples?.path ?? ''));
  const end = await evenkeel('verify', '--repair');
  expect([end.status, end.stdout], end.output).toEqual([1, expect.stringContaining(`lost:    ${samples?.path}: `)]);
  expect(end.stdout).toContain('do not match their SHA-256');
  // Before anything is asked: the other model's page is open.
  const resumed = await evenkeel('resume');
  expect([resumed.status, resumed.stderr], resumed.output).toEqual([
    2,
    expect.stringContaining('the ledger lacks the data of some parts'),
  ]);
});

// Red without `repairBeforeSweep` in runSweep: all calls are made first, and finishing is refused.
test('a run with damaged and missing parts continues after they are rebuilt', async () => {
  const { folder, evenkeel } = copied(answered.half, 'gaps');
  const { parts } = await readManifest(folder);
  for (const table of ['samples', 'models'])
    rmSync(join(folder, parts.find((part) => part.table === table)?.path ?? ''));
  flip(join(folder, parts.find(({ table }) => table === 'loops')?.path ?? ''));
  const end = await evenkeel('resume');
  expect([end.status, end.stderr], end.output).toEqual([
    0,
    expect.stringContaining('rebuilt 3 damaged or missing table files'),
  ]);
  expect(await stableRows(folder)).toEqual(answered.truth);
});

/**
 * Names without hashes, and two revisions of the tables of the whole run side by side,
 * as version 0.1 left them after an extension.
 */
async function asVersion01(folder: string): Promise<void> {
  const { parts } = await readManifest(folder);
  const old = (path: string): string => path.replace(/\.[0-9a-f]{12}\.parquet$/, '.parquet');
  const database = new DatabaseSync(join(folder, 'ledger.sqlite'));
  for (const { path } of parts) {
    renameSync(join(folder, path), join(folder, old(path)));
    database.prepare('update part set path = ? where path = ?').run(old(path), path);
  }
  const ofRun = parts.filter(({ page }) => page === 'run');
  const earlier = ofRun.map((part) => ({ ...part, path: old(part.path).replace('.r1.', '.r0.'), revision: 0 }));
  for (const [index, { path }] of earlier.entries()) {
    cpSync(join(folder, old(ofRun[index]?.path ?? '')), join(folder, path));
    database
      .prepare(
        'insert into part select ?, table_name, page, row_count, bytes, sha256, schema_version, ' +
          '0 from part where path = ?',
      )
      .run(path, old(ofRun[index]?.path ?? ''));
  }
  database.close();
  const listed = [...parts.map((part) => ({ ...part, path: old(part.path) })), ...earlier];
  await updateManifest(folderHome(folder), (manifest) => ({ ...manifest, parts: listed }));
}

// An extension adds new pages, rebuilds the tables of the whole run, and keeps the names of older pages' parts.
long(`a run of version 0.1 is extended: new names next to old ones, each row once${inFull}`, async () => {
  const { folder, evenkeel } = copied(answered.whole, 'old-extended');
  await unsealLedger(folder);
  await asVersion01(folder);
  await sealLedger(folder);
  const spec = readFileSync(join(deployment.folder, 'whole.yaml'), 'utf8').replace(
    '{ id: second, provider: replay, file: replies.jsonl }',
    '{ id: second, provider: replay, file: replies.jsonl }, { id: third, provider: replay, file: replies.jsonl }',
  );
  const larger = deployment.write('larger.yaml', spec);
  const extended = await deployment.evenkeel('run', larger, '--runs-dir', join(deployment.folder, 'old-extended'));
  expect(extended.status, extended.output).toBe(0);
  const fresh = await deployment.evenkeel('run', larger, '--runs-dir', join(deployment.folder, 'fresh'));
  expect(fresh.status, fresh.output).toBe(0);
  expect(await stableRows(folder)).toEqual(await stableRows(join(deployment.folder, 'fresh', answered.whole)));
  const names = globSync('loops/**/*.parquet', { cwd: folder });
  const isNew = (name: string): boolean => /\.[0-9a-f]{12}\.parquet$/.test(name);
  expect([names.filter(isNew).length, names.filter((name) => !isNew(name)).length]).toEqual([1, 2]);
  await expectReadable(folder, 'after the extension');
  expect([await globbed(folder, 'loops'), await globbed(folder, 'models')]).toEqual([12, 3]);
  expect((await evenkeel('verify')).status).toBe(0);
});

test('a run of version 0.1 is read, verified and finished; its older tables leave their folders', async () => {
  const { folder, evenkeel } = copied(answered.half, 'old');
  await asVersion01(folder);
  expect(await globbed(folder, 'models')).toBe(4);
  const { stdout } = await evenkeel('query', 'select count(*)::int as n from models', '--json');
  expect(JSON.parse(stdout)).toMatchObject({ rows: [[2]] });
  const verified = await evenkeel('verify');
  expect(verified.status, verified.output).toBe(0);
  const end = await evenkeel('resume');
  expect(end.status, end.output).toBe(0);
  expect(await stableRows(folder)).toEqual(answered.truth);
  expect(await globbed(folder, 'models')).toBe(2);
  // Of an earlier revision; what the stop in the present one left is gone.
  const kept = globSync('superseded/models/*.parquet', { cwd: folder });
  expect(kept).toEqual([expect.stringMatching(/\.r0\.parquet$/)]);
  expect((await evenkeel('verify')).status).toBe(0);
});

// Red in version 0.1: paths in --shell-sql were absolute, and nothing in the folder made its views.
test('the views of a copied or moved run still work', async () => {
  const folder = join(deployment.folder, "else where's");
  cpSync(folderOf(answered.whole), folder, { recursive: true });
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  const count = async (): Promise<unknown> =>
    (await connection.runAndReadAll('select count(*)::int from loops')).getRows()[0]?.[0];
  const here = process.cwd();
  process.chdir(folder);
  await connection.run(readFileSync('views.sql', 'utf8'));
  expect(await count()).toBe(8);
  process.chdir(here);
  const { stdout } = await deployment.evenkeel('query', answered.whole, '--shell-sql');
  expect(stdout.split(folderOf(answered.whole))).toHaveLength(2);
  await connection.run(stdout.replace(folderOf(answered.whole), folder.replaceAll("'", "''")));
  expect(await count()).toBe(8);
});

// Red without `findRunToChange`: the copy's command continued the run that it was copied from.
test('a copy next to its run, under another name, can be read and is never mistaken for the run', async () => {
  const before = readFileSync(join(folderOf(answered.whole), 'manifest.json'), 'utf8');
  expect(await deployment.rows(answered.half, 'select count(*)::int as n from models')).toEqual([{ n: 2 }]);
  const copyLedger = readFileSync(join(folderOf(answered.half), 'ledger.sqlite'));
  for (const words of [
    ['resume', answered.half],
    ['verify', answered.half, '--repair'],
    ['pause', answered.half],
    ['cancel', answered.half],
    ['budget', answered.half, '--usd', '5'],
  ] as const) {
    const end = await deployment.evenkeel(...words);
    expect([end.status, end.stderr], end.output).toEqual([2, expect.stringContaining(`holds run "${answered.whole}"`)]);
  }
  expect(readFileSync(join(folderOf(answered.whole), 'manifest.json'), 'utf8')).toBe(before);
  expect(readFileSync(join(folderOf(answered.half), 'ledger.sqlite')).equals(copyLedger)).toBe(true);
});

// Red where `--compare` finds its run by the name in the manifest: the copy has no rows of the second
// model, the run has four.
test('a recording is compared with the copy that was named', async () => {
  const tasks = (sustained: number): object[] =>
    tinyTasks(4).flatMap(({ id }, index) =>
      index % 3 === sustained ? [{ task_id: id, cycles: [{}, {}].slice(0, sustained) }] : [],
    );
  const recording = deployment.write('recorded.json', JSON.stringify({ 0: tasks(0), 1: tasks(1), 2: tasks(2) }));
  const compared = (run: string, model: string): Promise<CommandEnd> =>
    deployment.evenkeel('import', recording, '--format', 'evaloop', '--compare', run, '--model', model);
  const inRun = await compared(answered.whole, 'second');
  expect([inRun.status, inRun.stdout], inRun.output).toEqual([0, '0 of 4 tasks differ from the recording\n']);
  const inCopy = await compared(answered.half, 'first');
  expect([inCopy.status, inCopy.stdout], inCopy.output).toEqual([0, '0 of 4 tasks differ from the recording\n']);
  const without = await compared(answered.half, 'second');
  expect([without.status, without.stderr], without.output).toEqual([
    2,
    expect.stringContaining(`in run ${answered.half}, model second has none of the recording's tasks`),
  ]);
});
