import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { countLiveLeases, takeLease } from '../../../workers/temporal/leases.ts';
import { identifyProcess, isAlive, stopProcess } from '../../../workers/temporal/process-identity.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

async function startSleeper(script = 'setInterval(() => {}, 1e6); console.log(1)') {
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'ignore'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  const identity = identifyProcess(child.pid ?? 0);
  if (identity === null) throw new Error('the sleeper is not in the process table');
  return { child, identity };
}

test('a process may hold several leases', async () => {
  const folder = join(temporaryFolder(), 'leases');
  await takeLease(folder);
  await takeLease(folder);
  expect(await countLiveLeases(folder)).toBe(2);
});

test('leases of dead processes, of reused pids and half-written ones are removed', async () => {
  const folder = join(temporaryFolder(), 'leases');
  const mine = await takeLease(folder);
  const { child, identity } = await startSleeper();
  writeFileSync(join(folder, 'other.json'), JSON.stringify(identity));
  writeFileSync(join(folder, 'reused.json'), JSON.stringify({ pid: process.pid, started: 'long ago' }));
  writeFileSync(join(folder, 'torn.json'), '{"pid":');
  expect(await countLiveLeases(folder)).toBe(2);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(await countLiveLeases(folder)).toBe(1);
  expect(readdirSync(folder).map((name) => join(folder, name))).toEqual([mine]);
});

// Red before: a copy's server stayed as long as the commands on the folder that was copied.
test('leases that were copied with their folder do not count, those of a moved folder do', async () => {
  const stateDir = join(temporaryFolder(), 'one');
  await takeLease(join(stateDir, 'leases'));
  cpSync(stateDir, `${stateDir}-copy`, { recursive: true });
  expect(await countLiveLeases(join(`${stateDir}-copy`, 'leases'))).toBe(0);
  renameSync(stateDir, `${stateDir}-moved`);
  expect(await countLiveLeases(join(`${stateDir}-moved`, 'leases'))).toBe(1);
});

test('a process that ignores SIGTERM is killed after the grace time', async () => {
  const { child, identity } = await startSleeper(
    "process.on('SIGTERM', () => {}); setInterval(() => {}, 1e6); console.log(1)",
  );
  const exit = once(child, 'exit');
  await stopProcess(identity, 300);
  expect((await exit)[1]).toBe('SIGKILL');
  expect(isAlive(identity)).toBe(false);
});

test('a process that merely has the recorded pid is never signalled', async () => {
  const { identity } = await startSleeper();
  await stopProcess({ pid: identity.pid, started: 'long ago' }, 300);
  expect(isAlive(identity)).toBe(true);
});
