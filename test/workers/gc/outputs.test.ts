/** What killed commands left under the temporary names of their outputs. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { noteOutput } from '../../../workers/outputs/noted-outputs.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { aged, namesOf, olden, type Place, placeIn, removeAll } from './gc-fixture.ts';

const module = JSON.stringify(fileURLToPath(new URL('../../../cli/output/output-file.ts', import.meta.url)));
const nothing = { isWanted: () => false };

let place: Place;
let folder: string;
beforeEach(() => {
  place = placeIn(temporaryFolder());
  folder = temporaryFolder();
});

const notes = (): string[] => readdirSync(join(place.cache, 'outputs'));
const names = async (): Promise<string[]> => namesOf(await place.look(nothing));

/** A process that is writing the file `out`, and a folder next to it as `archive` does. */
async function writer() {
  const script = `import { mkdirSync } from 'node:fs';
    import { writeWholeFile } from ${module};
    await writeWholeFile(${JSON.stringify(join(folder, 'out'))}, async (aside) => {
      mkdirSync(aside + '.d/tables', { recursive: true }); (await import('node:fs')).writeFileSync(aside, 'begun');
      console.log('writing'); setInterval(() => {}, 1_000); await new Promise(() => {}); });`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, EVENKEEL_CACHE: place.cache },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  return child;
}

const oldenAll = (hours: number): void => {
  for (const name of ['out.tmp', 'out.tmp.d/tables', 'out.tmp.d']) olden(join(folder, name), hours);
};

// Red before: gc knew nothing of them, and they stayed until the same file was written again.
test('files of a killed command go an hour after their last change; those of a living one stay', async () => {
  const child = await writer();
  oldenAll(2);
  expect(await names()).toEqual([]);
  child.kill('SIGKILL');
  await once(child, 'exit');
  oldenAll(0.5);
  expect(await names()).toEqual([]);
  oldenAll(2);
  expect(await names()).toEqual(['out.tmp', 'out.tmp.d']);
  expect(await removeAll(await place.look(nothing))).toEqual({ 'out.tmp': null, 'out.tmp.d': null });
  expect(readdirSync(folder)).toEqual([]);
  olden(join(place.cache, 'outputs', notes()[0] ?? ''), 2);
  await removeAll(await place.look(nothing));
  expect(notes()).toEqual([]);
});

test('what a command that is told to stop wrote is gone with it, and so is its note', async () => {
  const child = await writer();
  child.kill('SIGTERM');
  await once(child, 'exit');
  expect([readdirSync(folder), notes()]).toEqual([[], []]);
});

test('a file that another machine noted stays, and one that a living process writes by now', async () => {
  const [theirs, shared] = [aged(join(folder, 'theirs.tmp'), 2), aged(join(folder, 'shared.tmp'), 2)];
  const dead = { pid: 999_999_999, started: 'never' };
  const note = (name: string, host: string, path: string): void =>
    writeFileSync(join(place.cache, 'outputs', name), JSON.stringify({ paths: [path], host, process: dead }));
  const forget = noteOutput({ EVENKEEL_CACHE: place.cache }, [shared]);
  const { host } = JSON.parse(readFileSync(join(place.cache, 'outputs', notes()[0] ?? ''), 'utf8')) as { host: string };
  note('a.json', `not-${host}`, theirs);
  note('b.json', host, shared);
  expect(await names()).toEqual([]);
  forget();
  const found = await place.look(nothing);
  expect(namesOf(found)).toEqual(['shared.tmp']);
  // A command begins to write it after the look.
  const forgetAgain = noteOutput({ EVENKEEL_CACHE: place.cache }, [shared]);
  expect(await removeAll(found)).toEqual({ 'shared.tmp': 'a process writes it' });
  forgetAgain();
  expect([existsSync(theirs), existsSync(shared)]).toEqual([true, true]);
});
