import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createBubblewrapSandbox } from '../../../activities/sandboxes/bubblewrap.ts';
import { openOn } from '../../../activities/sandboxes/container/container.ts';
import { lastOwnCore } from '../../../activities/sandboxes/timing-core.ts';
import type { Sandbox } from '../../../activities/sandboxes/sandbox.ts';
import type { ProgramTiming } from '../../../schemas/program.ts';
import { addProgram, goodAdd, limits, passesAdd } from '../programs.ts';
import { engineNote, testEngine, wallsNote, withoutEngine, withoutWalls } from './engine.ts';
import { cpuNs, median, pair, underLoad } from './timing-pair.ts';

const tiers = [
  { name: 'container', skip: withoutEngine, note: engineNote, open: () => openOn(testEngine(), { processes: 2 }) },
  { name: 'bubblewrap', skip: withoutWalls, note: wallsNote, open: () => createBubblewrapSandbox({ processes: 2 }) },
];

for (const { name, skip, note, open } of tiers)
  describe.skipIf(skip)(`the timing lane of the ${name} tier${note}`, () => {
    let sandbox: Sandbox;
    beforeAll(async () => {
      sandbox = await open();
    }, 300_000);
    afterAll(() => sandbox?.close());
    const time = async (jobs: Parameters<NonNullable<Sandbox['time']>>[0]): Promise<ProgramTiming[]> =>
      (await sandbox.time?.(jobs)) ?? [];

    // Neighbours of a virtual machine may take half of a core for the few milliseconds that this takes: three tries.
    it('tells twice the work from once on a busy machine, while other programs wait', { retry: 2 }, async () => {
      const [timings, runs] = await underLoad(1, () =>
        Promise.all([time(pair), Promise.all(Array.from({ length: 40 }, () => sandbox.run(goodAdd, limits)))]),
      );
      const [one, two] = timings.map((timing) => median(cpuNs(timing))) as [number, number];
      expect(two / one, JSON.stringify(timings)).toBeGreaterThan(1.4);
      expect(two / one, JSON.stringify(timings)).toBeLessThan(2.8);
      expect(runs.every(passesAdd)).toBe(true);
      for (const { end, detail, repeats, core } of timings) {
        expect([end, detail, repeats.length, core]).toEqual(['completed', null, 5, lastOwnCore()]);
        for (const { cpuNs: cpu, wallNs, waitedNs, isNoisy } of repeats) {
          expect(cpu).toBeLessThan(1.1 * wallNs);
          expect(isNoisy).toBe(waitedNs > Math.max(200_000, wallNs / 20));
        }
      }
    });

    it('times are those of the calls up to the one that raised; a program that is stopped has none', async () => {
      const tests = { prelude: '', alias: 'candidate' };
      const bulk = Array.from({ length: 3000 }, (_, index) => `x${index} = ${index}`).join('\n');
      const wrong = `${bulk}\nassert candidate(1, 2) == 4`;
      const counts = addProgram('def add(a, b):\n    for i in range(100_000): pass\n    return a + b');
      const programs = [
        addProgram('import time\ndef add(a, b):\n    time.sleep(0.05)\n    return a + b'),
        { ...counts, inputs: [JSON.stringify(wrong)], tests },
        addProgram('def add(a, b):\n    return 1 // (a or b)'),
        addProgram('[][0]'),
        addProgram('def add('),
        addProgram('def add(a, b):\n    while True: pass'),
        addProgram('import os\ndef add(a, b): os._exit(0)'),
      ];
      const timings = await time(programs.map((program) => ({ program, limits: { ...limits, caseTimeoutMs: 300 } })));
      expect(timings.map(({ end, repeats }) => [end, repeats.length])).toEqual([
        ...[
          ['completed', 5],
          ['completed', 5],
          ['completed', 5],
          ['completed', 0],
        ],
        ...[
          ['syntax_error', 0],
          ['cpu_timeout', 0],
          ['early_exit', 0],
        ],
      ]);
      expect(timings.map(({ detail }) => detail?.split(':')[0] ?? null)).toEqual([
        ...[null, 'AssertionError', 'ZeroDivisionError', 'IndexError', 'SyntaxError'],
        ...['more than 300 ms of CPU time', 'the process ended before the program had answered'],
      ]);
      for (const { cpuNs: cpu, wallNs } of timings[0]?.repeats ?? []) {
        expect(wallNs).toBeGreaterThan(150e6);
        expect(cpu).toBeLessThan(50e6);
      }
      expect(Math.min(...cpuNs(timings[1] as ProgramTiming))).toBeGreaterThan(500_000);
    });

    it('a call that is given up leaves those that wait with it their times', async () => {
      const spins = {
        program: addProgram('def add(a, b):\n    while True: pass'),
        limits: { ...limits, caseTimeoutMs: 600_000 },
      };
      const controller = new AbortController();
      setTimeout(() => controller.abort(new Error('given up')), 3000);
      const [givenUp, other] = [sandbox.time?.([spins], controller.signal), time([{ program: goodAdd, limits }])];
      await expect(givenUp).rejects.toThrow('given up');
      expect((await other).map(({ end, repeats }) => [end, repeats.length])).toEqual([['completed', 5]]);
    });

    it('is ended by an abort and by the end of the sandbox', async () => {
      const spins = {
        program: addProgram('def add(a, b):\n    while True: pass'),
        limits: { ...limits, caseTimeoutMs: 600_000 },
      };
      const controller = new AbortController();
      const timed = sandbox.time?.([spins], controller.signal);
      setTimeout(() => controller.abort(new Error('stop it')), 1500);
      await expect(timed).rejects.toThrow('stop it');
      expect(passesAdd(await sandbox.run(goodAdd, limits))).toBe(true);
      const last = sandbox.time?.([spins]);
      setTimeout(() => void sandbox.close(), 1500);
      await expect(last).rejects.toThrow('closed while it timed');
    });
  });
