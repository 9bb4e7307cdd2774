/** Twice the work is told from once 20 times of 20 while the machine is busy, in each tier that measures time. */
import { availableParallelism } from 'node:os';
import { expect, it } from 'vitest';
import { createBubblewrapSandbox } from '../../activities/sandboxes/bubblewrap.ts';
import { openOn } from '../../activities/sandboxes/container/container.ts';
import { engineNote, testEngine, wallsNote, withoutEngine, withoutWalls } from '../sandbox/container/engine.ts';
import { cpuNs, median, pair, underLoad } from '../sandbox/container/timing-pair.ts';

const runs = 20;
const busyPerCore = 4;

const tiers = [
  { name: `container${engineNote}`, skip: withoutEngine, open: () => openOn(testEngine(), { processes: 1 }) },
  { name: `bubblewrap${wallsNote}`, skip: withoutWalls, open: () => createBubblewrapSandbox({ processes: 1 }) },
];

for (const { name, skip, open } of tiers)
  it.skipIf(skip)(`${runs} of ${runs} in the tier ${name}`, async () => {
    const sandbox = await open();
    try {
      const ratios: number[] = [];
      await underLoad(busyPerCore, async () => {
        for (let run = 0; run < runs; run++) {
          const [one, two] = ((await sandbox.time?.(pair)) ?? []).map((timing) => median(cpuNs(timing)));
          ratios.push((two ?? 0) / (one ?? 0));
        }
      });
      process.stdout.write(
        `${name}, ${availableParallelism()} cores, ${busyPerCore} busy processes each: ` +
          `${ratios.map((ratio) => ratio.toFixed(2)).join(' ')}\n`,
      );
      expect(ratios.filter((ratio) => ratio > 1)).toHaveLength(runs);
    } finally {
      await sandbox.close();
    }
  });
