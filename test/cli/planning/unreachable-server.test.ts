import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { runCommand } from '../../support/command.ts';

// Red with a limit of 5 s: a first attempt that hangs takes all of it, and a server that is starting has no second.
test('`schedule` goes on for twice as long as its first attempt may take', async () => {
  const silent = createServer((socket) => socket.on('error', () => undefined).resume()).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const address = silent.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const env = { ...process.env, TEMPORAL_ADDRESS: `127.0.0.1:${address.port}` };
  const { status, stderr } = await runCommand(['schedule', 'list'], env);
  silent.close();
  expect([status, stderr]).toEqual([2, expect.stringContaining('within 10 s')]);
});
