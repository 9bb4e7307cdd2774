import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { withFileLock } from '../../../workers/temporal/file-lock.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

test('work under one lock never overlaps', async () => {
  const lock = join(temporaryFolder(), 'lock');
  const events: string[] = [];
  const work = (name: string) => async () => {
    events.push(`${name} in`);
    await new Promise((resolve) => setTimeout(resolve, 20));
    events.push(`${name} out`);
  };
  await Promise.all(['a', 'b', 'c'].map((name) => withFileLock(lock, work(name))));
  const names = events.map((event) => event.slice(0, 1));
  expect(events.map((event) => event.slice(2))).toEqual(['in', 'out', 'in', 'out', 'in', 'out']);
  expect([names[0], names[2], names[4]]).toEqual([names[1], names[3], names[5]]);
});

test('a failure under the lock releases it and is rethrown', async () => {
  const lock = join(temporaryFolder(), 'lock');
  await expect(withFileLock(lock, () => Promise.reject(new Error('no luck')))).rejects.toThrow('no luck');
  expect(await withFileLock(lock, async () => 'free')).toBe('free');
});

test('a holder that is killed with -9 leaves no stale lock', async () => {
  const lock = join(temporaryFolder(), 'lock');
  const module = pathToFileURL(join(import.meta.dirname, '../../../workers/temporal/file-lock.ts')).href;
  const script = `const { withFileLock } = await import(${JSON.stringify(module)});
    await withFileLock(${JSON.stringify(lock)}, () => {
      console.log('held');
      return new Promise((resolve) => setTimeout(resolve, 1e6));
    });`;
  const holder = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void holder.kill('SIGKILL'));
  await once(holder.stdout, 'data');
  let waitedMs = 0;
  const taken = withFileLock(
    lock,
    async () => 'taken',
    (ms) => {
      waitedMs = ms;
      if (ms > 250) holder.kill('SIGKILL');
    },
  );
  expect(await taken).toBe('taken');
  expect(waitedMs).toBeGreaterThan(250);
});

test('a lock file with other content is named, with the remedy', async () => {
  const lock = join(temporaryFolder(), 'lock');
  writeFileSync(lock, 'garbage '.repeat(1000));
  await expect(withFileLock(lock, async () => 'in')).rejects.toThrow(
    /lock: must be an empty SQLite file \(a lock\), but has other content .*remove it/,
  );
});
