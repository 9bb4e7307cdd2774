/** Which stopped workers a run sees: its own, and those of other runs of its folder, with real processes. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { notedWorkersIn } from '../../../workers/beats/noted-workers.ts';
import { type SilentAround, silentAround, silentTextFor, tellSilent } from '../../../workers/beats/silent-workers.ts';
import { hasProcessTable } from '../../support/processes.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const noting = new URL('../../../workers/beats/noted-workers.ts', import.meta.url).href;

/** A process that notes itself as a worker of a run, and lives until it is killed. */
async function worker(runsDir: string, run: string | null) {
  const script = `
import { noteWorker } from ${JSON.stringify(noting)};
noteWorker(${JSON.stringify(runsDir)}, { roles: ['llm'], run: ${JSON.stringify(run)} });
process.stdout.write('noted');
setInterval(() => {}, 1_000);`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  return {
    pid: child.pid ?? 0,
    end: async () => {
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

async function untilSeen(folder: string, pids: readonly number[]): Promise<readonly SilentAround[]> {
  for (const deadline = performance.now() + 5_000; performance.now() < deadline; await sleep(20)) {
    const seen = silentAround(folder);
    if (seen.length === pids.length && seen.every(({ pid }) => pids.includes(pid))) return seen;
  }
  throw new Error(`seen: ${JSON.stringify(silentAround(folder))}`);
}

test.runIf(hasProcessTable)('a run sees the stopped workers of others, until they go on or end', async () => {
  const runsDir = temporaryFolder();
  const folder = join(runsDir, 'mine');
  const [other, loose] = [await worker(runsDir, 'other'), await worker(runsDir, null)];
  try {
    expect(silentAround(folder)).toEqual([]);
    for (const { pid } of [other, loose]) process.kill(pid, 'SIGSTOP');
    const seen = await untilSeen(folder, [other.pid, loose.pid]);
    expect(seen).toContainEqual({ pid: other.pid, roles: ['llm'], silentMs: null, state: 'T', run: 'other' });
    const [ofOther, ofNobody] = [other, loose].map(({ pid }) => seen.find((one) => one.pid === pid) as SilentAround);
    const remedy = (pid: number): string =>
      `does not answer: stopped (state T in ps); \`kill -CONT ${pid}\` lets it go on, \`kill -KILL ${pid}\` ends it; ` +
      'it may hold steps of this run';
    expect(silentTextFor('mine', ofOther as SilentAround)).toBe(
      `worker ${other.pid} (llm) of run "other" ${remedy(other.pid)}`,
    );
    expect(silentTextFor('mine', ofNobody as SilentAround)).toBe(
      `worker ${loose.pid} (llm), which a person started, ${remedy(loose.pid)}`,
    );
    const copy = join(temporaryFolder(), 'copy');
    cpSync(runsDir, copy, { recursive: true });
    expect(silentAround(join(copy, 'mine'))).toEqual([]);
    process.kill(other.pid, 'SIGCONT');
    await untilSeen(folder, [loose.pid]);
  } finally {
    await other.end();
    await loose.end();
  }
  expect(silentAround(folder)).toEqual([]);
  // The next one forgets those that have ended.
  const next = await worker(runsDir, 'next');
  expect(notedWorkersIn(runsDir).map(({ pid }) => pid)).toEqual([next.pid]);
  await next.end();
});

test.runIf(hasProcessTable)('a busy worker of another run is seen once its owner tells of it', async () => {
  const runsDir = temporaryFolder();
  mkdirSync(join(runsDir, 'other'));
  const other = await worker(runsDir, 'other');
  tellSilent(join(runsDir, 'other'), [{ pid: other.pid, roles: ['llm'], silentMs: 40_000, state: 'R' }]);
  const seen = silentAround(join(runsDir, 'mine'));
  await other.end();
  expect(seen).toEqual([{ pid: other.pid, roles: ['llm'], silentMs: 40_000, state: 'R', run: 'other' }]);
  expect(silentTextFor('mine', seen[0] as SilentAround)).toBe(
    `worker ${other.pid} (llm) of run "other" has not answered for 40 s: busy or stuck (state R in ps); ` +
      `\`kill -KILL ${other.pid}\` ends it; it may hold steps of this run`,
  );
});
