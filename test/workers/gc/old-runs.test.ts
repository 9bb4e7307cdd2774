/** Runs that `gc` removes, and those that it must leave. Names the guarantee; red without the line that gives it. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { folderHome } from '../../../activities/storage/home/folder-home.ts';
import { updateManifest } from '../../../activities/storage/manifest.ts';
import { ownerLock } from '../../../activities/storage/catalog/owner-lock.ts';
import { verifyRun } from '../../../activities/storage/verify/verify.ts';
import { runCommand } from '../../support/command.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { namesOf, type Place, placeIn, removeAll } from './gc-fixture.ts';

let place: Place;
let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
  place = placeIn(folder);
});

const runsOf = (found: Awaited<ReturnType<Place['look']>>) => found.removable.filter(({ kind }) => kind === 'run');
const kept = ({ kept: all }: Awaited<ReturnType<Place['look']>>) =>
  Object.fromEntries(all.map(({ name, why }) => [name, why]));
const hidden = (): string[] => readdirSync(place.runsDir).filter((name) => name.startsWith('.gc-'));

test('a listing changes nothing, and its sizes are those of du', async () => {
  const run = place.run('whole', 'old');
  const before = execFileSync('sh', ['-c', `find ${run} -type f | sort | xargs sha256sum`], { encoding: 'utf8' });
  const [found] = runsOf(await place.look());
  expect(found?.name).toBe('old');
  expect(found?.bytes).toBe(Number(execFileSync('du', ['-s', '-B1', run], { encoding: 'utf8' }).split('\t')[0]));
  const after = execFileSync('sh', ['-c', `find ${run} -type f | sort | xargs sha256sum`], { encoding: 'utf8' });
  expect(after).toBe(before);
});

test('a run that may be resumed goes only when told to', async () => {
  place.run('whole', 'done');
  place.run('half', 'half');
  const found = await place.look();
  expect([namesOf(found), kept(found)]).toEqual([['done'], { half: expect.stringContaining('--incomplete') }]);
  expect(await removeAll(found)).toEqual({ done: null });
  expect(readdirSync(place.runsDir)).toEqual(['half']);
  expect(await removeAll(await place.look({ incomplete: true }))).toEqual({ half: null });
  expect(readdirSync(place.runsDir)).toEqual([]);
});

test('a run that was extended after the listing stays', async () => {
  const run = place.run('whole', 'done');
  const found = await place.look();
  await updateManifest(folderHome(run), (manifest) => ({ ...manifest, state: 'running' }));
  expect(await removeAll(found)).toEqual({ done: expect.stringContaining('not complete') });
  expect(existsSync(join(run, 'manifest.json'))).toBe(true);
});

test('age is the time since the last change', async () => {
  place.run('whole', 'done');
  const { updatedAt } = JSON.parse(readFileSync(join(place.runsDir, 'done', 'manifest.json'), 'utf8')) as {
    updatedAt: string;
  };
  const at = (days: number) => ({ olderThanMs: 30 * 86_400_000, nowMs: Date.parse(updatedAt) + days * 86_400_000 });
  expect(runsOf(await place.look(at(29.9)))).toEqual([]);
  expect(runsOf(await place.look(at(30.1)))[0]?.why).toBe('complete, unchanged for 30 days');
  // Red before, where the clock was set back: "unchanged for -2 days".
  const back = { ...at(-1.5), olderThanMs: null };
  expect(runsOf(await place.look(back))[0]?.why).toBe('complete, unchanged for 0 days');
});

test('a run that a process owns stays, and so does one whose ledger a worker still has open', async () => {
  const [owned, open] = [place.run('whole', 'owned'), place.run('whole', 'open')];
  const before = await place.look();
  const ownership = await ownerLock(owned).take();
  const worker = new DatabaseSync(join(open, 'ledger.sqlite'));
  worker.prepare('select 1 from sqlite_schema').all();
  try {
    const worksOnIt = `a process works on it (process ${process.pid} has its ledger open)`;
    expect(await removeAll(before)).toEqual({ owned: 'a process works on it', open: worksOnIt });
    expect(kept(await place.look())).toEqual({ owned: 'a process works on it', open: worksOnIt });
  } finally {
    await ownership?.release();
    worker.close();
  }
  expect(await verifyRun(open)).toMatchObject({ ok: true, sealed: true });
  expect(await removeAll(await place.look())).toEqual({ owned: null, open: null });
});

// Red before: the listing called it removable, and gc --yes then kept it.
test('the listing keeps the run of a stopped worker, and says which process to end', async () => {
  const run = place.run('whole', 'done');
  const script = `const db = new (require('node:sqlite').DatabaseSync)(process.argv[1]);
    db.prepare('select 1 from sqlite_schema').all(); console.log('open'); setInterval(() => db, 1000);`;
  const worker = spawn(process.execPath, ['-e', script, join(run, 'ledger.sqlite')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    await once(worker.stdout, 'data');
    worker.kill('SIGSTOP');
    await expect
      .poll(async () => kept(await place.look())['done'])
      .toMatch(new RegExp(`process ${worker.pid} has its ledger open and is stopped; .*kill -CONT ${worker.pid}`));
    expect(runsOf(await place.look())).toEqual([]);
  } finally {
    worker.kill('SIGKILL');
    await once(worker, 'exit');
  }
  expect(namesOf(await place.look())).toEqual(['done']);
});

test('a run whose answers an unfinished run still takes over stays', async () => {
  place.run('whole', 'source');
  const half = place.run('half', 'half');
  await updateManifest(folderHome(half), (manifest) => ({
    ...manifest,
    spec: { ...manifest.spec, reuse: ['source'] },
  }));
  const found = await place.look();
  expect([namesOf(found), kept(found)['source']]).toEqual([[], expect.stringContaining('"half"')]);
});

test('no link is followed: neither that of a run nor one in a run', async () => {
  const run = place.run('whole', 'done');
  writeFileSync(join(folder, 'precious'), 'precious');
  const elsewhere = placeIn(temporaryFolder()).run('whole', 'elsewhere');
  symlinkSync(elsewhere, join(place.runsDir, 'linked'));
  symlinkSync(folder, join(run, 'inputs', 'out'));
  const found = await place.look();
  expect(kept(found)['linked']).toContain('is a link');
  expect(await removeAll(found)).toEqual({ done: null });
  expect(readFileSync(join(folder, 'precious'), 'utf8')).toBe('precious');
  expect((await verifyRun(elsewhere)).ok).toBe(true);
});

test('killed at any moment, the run is whole or gone, and the next gc removes the rest', async () => {
  for (const point of [1, 2, 3]) {
    const run = place.run('whole', 'done');
    const env = { ...process.env, EVENKEEL_CACHE: place.cache, TMPDIR: folder, EVENKEEL_FAULT_POINT: String(point) };
    const { status } = await runCommand(['gc', 'done', '--yes', '--runs-dir', place.runsDir], env);
    expect(status).toBe(point === 3 ? 0 : 'SIGKILL');
    if (point === 1) expect(await verifyRun(run)).toMatchObject({ ok: true, sealed: true });
    expect([existsSync(run), hidden().length]).toEqual(
      [
        [true, 0],
        [false, 1],
        [false, 0],
      ][point - 1],
    );
    await removeAll(await place.look());
    expect(readdirSync(place.runsDir)).toEqual([]);
  }
});

test('two at once remove everything once, and neither fails', async () => {
  for (let index = 0; index < 6; index += 1) place.run('whole', `run-${index}`);
  const env = { ...process.env, EVENKEEL_CACHE: place.cache, TMPDIR: folder };
  const args = ['gc', 'run-*', '--yes', '--json', '--runs-dir', place.runsDir];
  const ends = await Promise.all([runCommand(args, env), runCommand(args, env)]);
  for (const end of ends) expect(end.status, end.output).toBe(0);
  expect(readdirSync(place.runsDir)).toEqual([]);
});

test('the command lists first, with what it would free, and says how to do it', async () => {
  place.run('whole', 'done');
  place.run('half', 'half');
  const env = { ...process.env, EVENKEEL_CACHE: place.cache, TMPDIR: folder };
  const gc = (...args: string[]) => runCommand(['gc', ...args, '--runs-dir', place.runsDir], env);
  const listed = await gc('*');
  expect([listed.status, listed.stdout]).toEqual([
    0,
    expect.stringMatching(/nothing was removed; .* --yes removes 1 item/),
  ]);
  expect(listed.stdout).toMatch(/stays: run half, .*--incomplete/);
  expect(readdirSync(place.runsDir).toSorted()).toEqual(['done', 'half']);
  const unknown = await gc('don');
  expect([unknown.status, unknown.stderr]).toEqual([2, expect.stringContaining('did you mean "done"?')]);
  const done = await gc('do?e', '--yes', '--json');
  expect([done.status, JSON.parse(done.stdout)]).toMatchObject([0, { yes: true, removed: [{ name: 'done' }] }]);
  expect(readdirSync(place.runsDir)).toEqual(['half']);
});
