/** Programs that lie by what they return, between programs that are odd and right, through the judge: in every tier. */
import { describe, expect, it } from 'vitest';
import { runAndJudge } from '../../../activities/judging/judge-lane.ts';
import { createBubblewrapSandbox } from '../../../activities/sandboxes/bubblewrap.ts';
import { openOn } from '../../../activities/sandboxes/container/container.ts';
import { createEmbeddedSandbox } from '../../../activities/sandboxes/embedded/embedded.ts';
import type { Suite } from '../../../schemas/task.ts';
import { hostileValues, oddAndRight } from '../hostile-values.ts';
import { engineNote, testEngine, wallsNote, withoutEngine, withoutWalls } from './engine.ts';

const limits = { caseTimeoutMs: 500, memoryBytes: 128 * 1024 * 1024, outputBytes: 1_000_000 };
const sums: Suite = {
  name: 'base',
  inputs: [
    [1, 2],
    [0, 0],
    [-3, 1],
  ],
  expected: [3, 0, -2],
  oracle: { rule: 'equal' },
};

const tiers = [
  { name: 'container', skip: withoutEngine, note: engineNote, open: () => openOn(testEngine(), { processes: 1 }) },
  { name: 'bubblewrap', skip: withoutWalls, note: wallsNote, open: () => createBubblewrapSandbox({ processes: 1 }) },
  { name: 'embedded', skip: false, note: '', open: () => createEmbeddedSandbox({ processes: 1 }) },
];

describe.each(tiers)('lying values in the $name tier$note', ({ skip, open }) => {
  it.skipIf(skip)('never pass, and right ones between them always do', { timeout: 300_000 }, async () => {
    const box = await open();
    const right = Object.entries(oddAndRight);
    try {
      const wrong: unknown[] = [];
      const judge = async (what: string, source: string, passes: boolean): Promise<void> => {
        const asked = { box, task: { entryPoint: 'add', reference: '' }, suite: sums, source, limits };
        const { verdict } = await runAndJudge(asked, ['3', '0', '-2']);
        if ((verdict.outcome === 'pass') !== passes) wrong.push([what, verdict]);
      };
      for (const [index, [what, source]] of Object.entries(hostileValues).entries()) {
        await judge(what, source, false);
        await judge(...(right[index % right.length] as [string, string]), true);
      }
      expect(wrong).toEqual([]);
    } finally {
      await box.close();
    }
  });
});
