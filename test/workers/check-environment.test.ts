import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkEnvironment } from '../../workers/check-environment.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const check = (env: Readonly<Record<string, string>>): Promise<void> => checkEnvironment(env, () => {});

test.each(['EVENKEEL_HEARTBEAT_TIMEOUT_MS', 'EVENKEEL_HEARTBEAT_THROTTLE_MS', 'EVENKEEL_SANDBOX_PROCESSES'])(
  '%s is a whole number from 1',
  async (name) => {
    await expect(check({ [name]: 'soon' })).rejects.toThrow(`${name}  must be a whole number from 1, got "soon"`);
    await expect(check({ [name]: '0' })).rejects.toThrow(`${name}  must be a whole number from 1, got "0"`);
    await check({ [name]: '3' });
  },
);

// Red where Node's own `mkdir` makes it: that never ends in /proc.
test.each(['/proc/no/cache', '/dev/null'])('a cache folder that cannot be created: %s', async (cache) => {
  await expect(check({ EVENKEEL_CACHE: cache })).rejects.toThrow(
    new RegExp(
      `^${cache}  cannot create the cache folder \\(.*\\); set EVENKEEL_CACHE to a folder that can be written$`,
    ),
  );
});

// Red before: the run was made, and its pages failed where the limits of accounts are stored. /proc has the
// permission to write, and takes no file: red where only permissions are looked at.
test.each(['/proc/sys', '/proc'])('a cache folder that cannot be written, also by root: %s', async (cache) => {
  await expect(check({ EVENKEEL_CACHE: cache })).rejects.toThrow(
    new RegExp(
      `^${cache}  this user cannot write to the cache folder \\(.*\\); ` +
        'set EVENKEEL_CACHE to a folder that can be written$',
    ),
  );
});

test('the check leaves nothing in the cache folder', async () => {
  const cache = temporaryFolder();
  await check({ EVENKEEL_CACHE: cache });
  expect(readdirSync(cache)).toEqual([]);
});

// Red before: the run was made, and ended with "unexpected failure" where EVENKEEL_LOG_FILE named the file.
test('a log that cannot be written is refused, and the check changes nothing', async () => {
  const folder = temporaryFolder();
  await expect(check({ EVENKEEL_LOG_FILE: join(folder, 'no', 'run.log') })).rejects.toThrow('ENOENT');
  mkdirSync(join(folder, 'inner'));
  await expect(check({ EVENKEEL_LOG_FILE: join(folder, 'inner') })).rejects.toThrow('EISDIR');
  writeFileSync(join(folder, 'old.log'), 'a line');
  for (const log of [join(folder, 'old.log'), join(folder, 'new.log'), '/dev/null', ''])
    await check({ EVENKEEL_LOG_FILE: log });
  expect(readdirSync(folder).toSorted()).toEqual(['inner', 'old.log']);
  expect(readFileSync(join(folder, 'old.log'), 'utf8')).toBe('a line');
});

test('an invalid address is refused', async () => {
  await expect(check({ TEMPORAL_ADDRESS: 'here' })).rejects.toThrow(
    "TEMPORAL_ADDRESS  must be host:port without scheme or credentials, got 'here'",
  );
});

test('a closed port is retried up to the limit, and reported with its address and the remedy', async () => {
  const startMs = performance.now();
  await expect(check({ TEMPORAL_ADDRESS: '127.0.0.1:1', EVENKEEL_TEMPORAL_WAIT_MS: '5000' })).rejects.toThrow(
    new RegExp(
      'the Temporal server at 127\\.0\\.0\\.1:1 \\(namespace default\\) refused the connection or did not answer ' +
        'within 5 s: .*\\. Is it running, and are TEMPORAL_ADDRESS',
    ),
  );
  expect(performance.now() - startMs).toBeLessThan(15_000);
});

test('a port of another program is reported too', async () => {
  const other = createServer((socket) => socket.end('hello\n')).listen(0, '127.0.0.1');
  await new Promise((resolve) => other.once('listening', resolve));
  const { port } = other.address() as { port: number };
  await expect(check({ TEMPORAL_ADDRESS: `127.0.0.1:${port}`, EVENKEEL_TEMPORAL_WAIT_MS: '2000' })).rejects.toThrow(
    `the Temporal server at 127.0.0.1:${port} `,
  );
  other.close();
});
