/** What a pool makes of a host that cannot start slots (a full disk, an engine that is not up yet), or lacks memory. */
import { afterEach, describe, expect, it } from 'vitest';
import { createBubblewrapHost } from '../../../activities/sandboxes/bubblewrap-host.ts';
import { SandboxFault } from '../../../activities/sandboxes/sandbox.ts';
import type { ZygoteHost } from '../../../activities/sandboxes/zygote/zygote-link.ts';
import { ZygotePool } from '../../../activities/sandboxes/zygote/zygote-pool.ts';
import { addProgram, goodAdd, limits, passesAdd } from '../programs.ts';
import { wallsNote, withoutWalls } from './engine.ts';

describe.skipIf(withoutWalls)(`a host that starts no slot${wallsNote}`, () => {
  const pools: ZygotePool[] = [];
  afterEach(() => Promise.all(pools.splice(0).map((pool) => pool.close())));

  /** The first `failures` starts fail, as they do on a full disk. */
  const poolAfter = (failures: number): ZygotePool => {
    const host = createBubblewrapHost();
    let left = failures;
    const start: ZygoteHost['start'] = (index, core) =>
      left-- > 0 ? Promise.reject(new Error('write /layer: no space left on device')) : host.start(index, core);
    const pool = new ZygotePool({ ...host, start }, 2);
    pools.push(pool);
    return pool;
  };

  it('for a while loses no program', async () => {
    const pool = poolAfter(4);
    expect((await Promise.all(Array.from({ length: 20 }, () => pool.run(goodAdd, limits)))).every(passesAdd)).toBe(
      true,
    );
  });

  it('at all is given up when the sandbox is closed, by a fault that is retried and no verdict', async () => {
    const pool = poolAfter(Number.POSITIVE_INFINITY);
    const runs = Promise.allSettled([pool.run(goodAdd, limits), pool.quiet(() => pool.run(goodAdd, limits))]);
    await new Promise((resolve) => setTimeout(resolve, 300));
    await pool.close();
    for (const end of await runs) expect(end).toMatchObject({ status: 'rejected', reason: expect.any(SandboxFault) });
  });
});

describe.skipIf(withoutWalls)(`a program whose process is killed${wallsNote}`, () => {
  const killed = addProgram('import os, signal\ndef add(a, b):\n    os.kill(os.getpid(), signal.SIGKILL)');

  /** What the kernel counts rises by one at each of the first `rises` looks. */
  async function judge(rises: number, freeBytes = 0) {
    let looks = 0;
    const memory = { memoryKills: () => Math.min(rises, looks++), memoryFree: () => freeBytes };
    const pool = new ZygotePool({ ...createBubblewrapHost(), ...memory }, 2);
    try {
      return await pool.run(killed, limits);
    } finally {
      await pool.close();
    }
  }

  it('by the kernel for lack of memory, each time, has no verdict', async () => {
    await expect(judge(Number.POSITIVE_INFINITY)).rejects.toThrow(/again and again for lack of memory/);
  });

  // Red when only the kernel's count decides: a program could stop its page for good.
  it('by the kernel each time, though nothing ran next to it and memory was free, is killed', async () => {
    expect(await judge(Number.POSITIVE_INFINITY, 2 * limits.memoryBytes)).toMatchObject({ end: 'killed' });
  });

  it('by the kernel for lack of memory, once, and then by itself, is killed', async () => {
    expect(await judge(1)).toMatchObject({ end: 'killed', detail: 'ended by signal 9' });
  });
});
