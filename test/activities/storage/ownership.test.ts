import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { isOwned, lockPath, takeOwnership } from '../../../activities/storage/ownership.ts';
import { newFolder } from './ledger/ledger-fixture.ts';

const module = JSON.stringify(fileURLToPath(new URL('../../../activities/storage/ownership.ts', import.meta.url)));
const nodeOptions = ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e'];

/** A process that takes the run, says whether it got it, and lives until it is killed. */
async function otherOwner(folder: string) {
  const script = `import { takeOwnership } from ${module};
    const ownership = takeOwnership(process.argv[1]);
    console.log(ownership === null ? 'refused' : 'taken');
    setInterval(() => ownership, 1000);`;
  const child = spawn(process.execPath, [...nodeOptions, script, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [answer] = (await once(child.stdout, 'data')) as [Buffer];
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL');
    await once(child, 'close');
  };
  return { answer: String(answer).trim(), kill };
}

test('a run has one owner until it is released', () => {
  const folder = newFolder();
  expect(isOwned(folder)).toBe(false);
  const ownership = takeOwnership(folder);
  expect(ownership).not.toBeNull();
  expect(isOwned(folder)).toBe(true);
  expect(takeOwnership(folder)).toBeNull();
  expect(isOwned(folder)).toBe(true);
  ownership?.release();
  expect(isOwned(folder)).toBe(false);
  expect(takeOwnership(folder)).not.toBeNull();
});

test('a living owner keeps its run; a killed one loses it', async () => {
  const folder = newFolder();
  const other = await otherOwner(folder);
  expect(other.answer).toBe('taken');
  expect(isOwned(folder)).toBe(true);
  expect(takeOwnership(folder)).toBeNull();
  await other.kill();
  expect(isOwned(folder)).toBe(false);
  expect(takeOwnership(folder)).not.toBeNull();
});

// Red when `begin exclusive` in takeOwnership becomes `begin`: then everybody gets it.
test('of three processes that take a run at once, while others check it, one gets it', async () => {
  const folders = Array.from({ length: 4 }, newFolder);
  const script = `import { isOwned, lockPath, takeOwnership } from ${module};
    const [startMs, ...folders] = process.argv.slice(1);
    const taken = folders.map((folder, index) => {
      while (Date.now() < Number(startMs) + 600 * index) isOwned(folder);
      return { folder, ownership: takeOwnership(folder) };
    });
    console.log(JSON.stringify(taken.filter(({ ownership }) => ownership !== null).map(({ folder }) => folder)));
    setTimeout(() => taken, 5000);`;
  const run = promisify(execFile);
  const options = [...nodeOptions, script, String(Date.now() + 1500), ...folders];
  const outputs = await Promise.all([1, 2, 3].map(() => run(process.execPath, options)));
  const taken = outputs.flatMap(({ stdout }) => JSON.parse(stdout) as string[]);
  expect(taken.sort()).toEqual([...folders].sort());
});

test('checking a run without an owner leaves no files, and an error does not count as an owner', () => {
  const folder = newFolder();
  expect(isOwned(join(folder, 'no such run'))).toBe(false);
  expect(() => takeOwnership(join(folder, 'no such run'))).toThrow('unable to open database file');
});

test('a lock file with other content is named, with the remedy', () => {
  const folder = newFolder();
  writeFileSync(lockPath(folder), 'garbage '.repeat(1000));
  const rule = /owner\.lock: must be an empty SQLite file .* has other content \(file is not a database\); .*remove it/;
  expect(() => takeOwnership(folder)).toThrow(rule);
  expect(() => isOwned(folder)).toThrow(rule);
});
