/** Timing on a machine with too little memory: what the kernel ended is no failure of the program. */
import { describe, expect, it } from 'vitest';
import { createBubblewrapHost } from '../../activities/sandboxes/bubblewrap-host.ts';
import { createTimingLane } from '../../activities/sandboxes/timing-lane.ts';
import { addProgram, limits } from './programs.ts';
import { wallsNote, withoutWalls } from './container/engine.ts';

const killed = addProgram('import os, signal\ndef add(a, b):\n    os.kill(os.getpid(), signal.SIGKILL)');

describe.skipIf(withoutWalls)(`a timed program whose process is killed${wallsNote}`, () => {
  /** What the kernel counts rises by one at each look. */
  async function time(freeBytes: number) {
    let looks = 0;
    const memory = { memoryKills: () => looks++, memoryFree: () => freeBytes };
    const host = { ...createBubblewrapHost(), ...memory };
    const lane = createTimingLane(host, 0, (work) => work(new AbortController().signal));
    try {
      return await lane.time([{ program: killed, limits }]);
    } finally {
      await lane.close();
      await host.close();
    }
  }

  // Red when the loss of a slot says nothing of the reason.
  it('by the kernel for lack of memory, each time, has no verdict', async () => {
    await expect(time(0)).rejects.toThrow(/again and again for lack of memory/);
  });

  it('by the kernel each time, though memory was free, is killed', async () => {
    expect(await time(2 * limits.memoryBytes)).toMatchObject([{ end: 'killed' }]);
  });
});
