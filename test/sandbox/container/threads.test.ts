/** Threads cost address space, which is limited: a program may have some all the same. */
import { describe, expect, it } from 'vitest';
import { createBubblewrapSandbox } from '../../../activities/sandboxes/bubblewrap.ts';
import { openOn } from '../../../activities/sandboxes/container/container.ts';
import { limits } from '../programs.ts';
import { engineNote, testEngine, wallsNote, withoutEngine, withoutWalls } from './engine.ts';

const source = [
  'import threading',
  'def f(n):',
  '    barrier, met = threading.Barrier(n), []',
  '    def work():',
  '        met.append([0] * 1000)',
  '        barrier.wait()',
  '    threads = [threading.Thread(target=work, daemon=True) for _ in range(n)]',
  '    for thread in threads: thread.start()',
  '    for thread in threads: thread.join()',
  '    return len(met)',
].join('\n');

describe.each([
  { name: 'container', skip: withoutEngine, note: engineNote, open: () => openOn(testEngine(), { processes: 1 }) },
  { name: 'bubblewrap', skip: withoutWalls, note: wallsNote, open: () => createBubblewrapSandbox({ processes: 1 }) },
])('a program in the $name tier$note', ({ skip, open }) => {
  it.skipIf(skip)('has 32 threads at a time', { timeout: 300_000 }, async () => {
    const box = await open();
    try {
      const roomy = { ...limits, memoryBytes: 512 * 1024 * 1024 };
      const run = await box.run({ source, entryPoint: 'f', inputs: ['[8]', '[32]'] }, roomy);
      expect([run.end, run.results]).toEqual(['completed', [{ value: '8' }, { value: '32' }]]);
    } finally {
      await box.close();
    }
  });
});
