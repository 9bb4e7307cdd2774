/** Leftovers of killed commands, and caches. */
import { spawn } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { verifyRun } from '../../../activities/storage/verify/verify.ts';
import { caches } from '../../../workers/gc/cache-names.ts';
import { temporaryLeftovers } from '../../../workers/gc/temporary-leftovers.ts';
import { TEMPORAL_CLI_VERSION } from '../../../workers/temporal/cli-version.ts';
import { takeLease } from '../../../workers/temporal/leases.ts';
import { databaseFile, writeServerRecord } from '../../../workers/temporal/server-files.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { aged, namesOf, olden, type Place, placeIn, removeAll } from './gc-fixture.ts';

let place: Place;
beforeEach(() => {
  place = placeIn(temporaryFolder());
});

const orphans = async (): Promise<string[]> => namesOf(await place.look({ isWanted: () => false }));
const nothing = { isWanted: () => false };

test('half-made runs go an hour after their last change, and files that a command still writes stay', async () => {
  for (const [name, hours] of [
    ['.nightly-0123456789ab', 2],
    ['.nightly-ba9876543210', 0.5],
  ] as const) {
    aged(join(place.runsDir, name, 'inputs', 'plan.json'), hours);
    for (const path of ['inputs', '']) olden(join(place.runsDir, name, path), hours);
  }
  aged(join(place.runsDir, '.store-00000000-0000-4000-8000-000000000000'), 2);
  aged(join(place.runsDir, '.store'), 2);
  aged(join(place.runsDir, '.notes', 'mine.txt'), 2);
  expect(await orphans()).toEqual(['.nightly-0123456789ab', '.store-00000000-0000-4000-8000-000000000000']);
});

test('replaced and half-written tables of a complete run go; the run verifies, sealed as before', async () => {
  const run = place.run('whole', 'done');
  const { parts } = JSON.parse(readFileSync(join(run, 'manifest.json'), 'utf8')) as { parts: { path: string }[] };
  const path = parts[0]?.path ?? '';
  aged(join(run, 'superseded', path.replace('.parquet', '.r0.0123456789ab.parquet')), 2);
  aged(join(run, `${path}.123-4.tmp`), 2);
  aged(join(run, 'manifest.json.123-4.tmp'), 2);
  // Listed in the manifest, and moved already: readers find it there.
  aged(join(run, 'superseded', path), 2);
  const found = await place.look(nothing);
  const own = found.removable.find(({ name }) => name === 'files of run done');
  expect(own?.why).toBe('3 replaced or half-written files of a complete run');
  expect(await own?.remove()).toBeNull();
  expect(existsSync(join(run, 'superseded', path))).toBe(true);
  expect(await verifyRun(run)).toMatchObject({ ok: true, sealed: true, strays: [] });
});

test('an unfinished run keeps its files: resume puts them in order', async () => {
  aged(join(place.run('half', 'half'), 'superseded', 'x.parquet'), 2);
  expect(await orphans()).toEqual([]);
});

test('leases of dead commands and databases of other server versions go; what is used stays', async () => {
  const state = join(place.runsDir, '.temporal');
  mkdirSync(state);
  await writeServerRecord(state, { pid: 1, started: 'x', port: 1, version: '1.8.2', startedAt: '2026-01-01' });
  for (const version of ['1.8.2', '1.7.0'])
    for (const suffix of ['', '-wal', '.whole']) aged(`${databaseFile(state, version)}${suffix}`, 2);
  const lease = await takeLease(join(state, 'leases'));
  aged(join(state, 'leases', 'dead.json'), 2, JSON.stringify({ pid: 1, started: 'long ago' }));
  const old = ['', '-wal', '.whole'].map((suffix) => `.temporal/temporal-1.7.0.db${suffix}`);
  expect(await orphans()).toEqual(['.temporal/dead.json', ...old].toSorted());
  const lock = new DatabaseSync(join(state, 'lock'));
  lock.exec('begin exclusive');
  const busy = Object.values(await removeAll(await place.look(nothing)));
  expect(new Set(busy)).toEqual(new Set(['a command starts or stops the server']));
  lock.close();
  await removeAll(await place.look(nothing));
  expect([existsSync(lease), existsSync(databaseFile(state, '1.8.2')), await orphans()]).toEqual([true, true, []]);
});

test('old entries of caches go without being asked for, the rest only by name', async () => {
  for (const version of [TEMPORAL_CLI_VERSION, '0.9.0']) aged(join(place.cache, `temporal-${version}`, 'temporal'), 1);
  for (const version of ['24.9.0', '24.21.0']) aged(join(place.cache, `node-${version}-x64`), 1);
  for (const version of [process.version, 'v20.0.0']) aged(join(place.cache, 'compiled', `${version}-x64-1-0`, 'a'), 1);
  for (const [name, days] of [
    ['a.1.js', 8],
    ['b.2.js', 6],
    ['c.3.js', 0],
  ] as const)
    aged(join(place.cache, 'workflows', name), 24 * days);
  aged(join(place.cache, 'references', 'aa', 'aa.json.gz'), 1);
  aged(join(place.cache, 'references', 'aa', 'aa.json.gz.0.tmp'), 2);
  aged(join(place.cache, 'benchmarks', 'mbpp.jsonl'), 1);
  const old = ['aa.json.gz.0.tmp', 'compiled/v20.0.0-x64-1-0', 'node-24.9.0-x64', 'temporal-0.9.0', 'workflows/a.1.js'];
  expect(await orphans()).toEqual(old);
  const all = new Set(['references', 'temporal'] as const);
  const found = await place.look({ ...nothing, caches: all });
  expect(namesOf(found)).toEqual(expect.arrayContaining([...old, 'references', `temporal-${TEMPORAL_CLI_VERSION}`]));
  expect(namesOf(found)).not.toContain('benchmarks');
});

test('every cache can be named, and each that is used stays', async () => {
  const temporal = join(place.cache, `temporal-${TEMPORAL_CLI_VERSION}`, 'temporal');
  mkdirSync(join(temporal, '..'), { recursive: true });
  copyFileSync('/bin/sleep', temporal);
  const server = spawn(temporal, ['60']);
  onTestFinished(() => void server.kill('SIGKILL'));
  const open = ['accounts', 'executions'].map((name) => {
    const database = new DatabaseSync(join(place.cache, `${name}.sqlite`));
    database.exec('pragma journal_mode = wal; create table t (a)');
    return database;
  });
  const caching = { ...nothing, caches: new Set(Object.keys(caches) as (keyof typeof caches)[]) };
  const { kept } = await place.look(caching);
  const used = 'a process uses it';
  expect(kept.map(({ name, why }) => [name, why])).toEqual([
    ['executions.sqlite', used],
    [`temporal-${TEMPORAL_CLI_VERSION}`, used],
    ['accounts.sqlite', used],
  ]);
  for (const database of open) database.close();
  server.kill('SIGKILL');
  await new Promise((resolve) => server.once('exit', resolve));
  await removeAll(await place.look(caching));
  expect(namesOf(await place.look(caching))).toEqual([]);
});

test('a cache that is a link stays, and so does what it leads to', async () => {
  const elsewhere = temporaryFolder();
  writeFileSync(join(elsewhere, 'precious'), 'precious');
  symlinkSync(elsewhere, join(place.cache, 'references'));
  symlinkSync(elsewhere, join(place.cache, 'temporal-0.9.0'));
  const found = await place.look({ ...nothing, caches: new Set(['references']) });
  expect(found.kept.map(({ why }) => why.slice(0, 9))).toEqual(['is a link', 'is a link']);
  await removeAll(found);
  expect(readFileSync(join(elsewhere, 'precious'), 'utf8')).toBe('precious');
});

test('of temporary folders only those of dead sandboxes and commands go', () => {
  const folder = temporaryFolder();
  for (const name of [`evenkeel-slot-${process.pid}-abc`, 'evenkeel-slot-4194304999-abc', 'evenkeel-AbCdEf'])
    mkdirSync(join(folder, name));
  mkdirSync(join(folder, 'evenkeel-multiverse-AbCdEf'));
  olden(join(folder, 'evenkeel-multiverse-AbCdEf'), 25);
  mkdirSync(join(folder, 'evenkeel-multiverse-FgHiJk'));
  const input = 'evenkeel-batch-0b0ec9c8-6b4c-4d9e-8d3c-3f8f1b0d9a11.jsonl';
  writeFileSync(join(folder, input), '{}\n');
  olden(join(folder, input), 25);
  // A file's time has parts of a millisecond; `Date.now()` has none and may lie before it.
  const slot = join(folder, 'evenkeel-slot-4194304999-abc');
  const nowMs = Math.floor(statSync(slot).mtimeMs);
  const names = temporaryLeftovers(folder, nowMs).map(({ name }) => name);
  expect(names.toSorted()).toEqual([input, 'evenkeel-multiverse-AbCdEf', 'evenkeel-slot-4194304999-abc']);
});
