/**
 * An engine of the test's own that crashes, restarts, and runs out of disk while programs are judged: every one gets
 * its verdict, once and the right one.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statfsSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ContainerEngine, findEngine } from '../../activities/sandboxes/container/container-engine.ts';
import { imageTag } from '../../activities/sandboxes/container/container-image.ts';
import { openOn } from '../../activities/sandboxes/container/container.ts';
import type { Sandbox } from '../../activities/sandboxes/sandbox.ts';
import type { Program } from '../../schemas/program.ts';
import { type Daemon, startDaemon } from '../../scripts/setup-engine.ts';
import { engineNote, testEngine, withoutEngine } from '../sandbox/container/engine.ts';
import { addProgram, limits } from '../sandbox/programs.ts';

const isRoot = process.platform === 'linux' && process.getuid?.() === 0;
const note = isRoot ? engineNote : ' (skipped: needs Linux and root, for a second engine)';

/** What each program gives by hand: its end, and its first result. */
const kinds: readonly (readonly [source: string, wanted: string])[] = [
  ['def add(a, b): return a + b', 'completed {"value":"3"}'],
  ['def add(a, b): return a - b', 'completed {"value":"-1"}'],
  ['def add(a, b): raise KeyError(a)', 'completed {"exception":"KeyError: 1"}'],
  ['import sys\ndef add(a, b): sys.exit(0)', 'early_exit undefined'],
  ['def add(a, b:', 'syntax_error undefined'],
  ['import time\ndef add(a, b):\n    time.sleep(0.05)\n    return a', 'completed {"value":"1"}'],
  ['def add(a, b):\n    for i in range(200_000): a += 1\n    return a', 'completed {"value":"200001"}'],
];
const loop = ['def add(a, b):\n    while True: pass', 'cpu_timeout undefined'] as const;

/** Programs of their own text, more than 10 s of work for two slots. */
function manyPrograms(): (readonly [Program, string])[] {
  const all = Array.from({ length: 100 }, (_, round) =>
    [...kinds, ...(round % 20 === 0 ? [loop] : [])].map((kind) => [round, kind] as const),
  ).flat();
  return all.map(([round, [source, wanted]]) => [addProgram(`# ${round}\n${source}`), wanted]);
}

describe.skipIf(withoutEngine || !isRoot)(`an engine of its own${note}`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'evenkeel-losses-'));
  const run = join(folder, 'run');
  const data = join(folder, 'data');
  let daemon: Daemon;
  let engine: ContainerEngine;
  let box: Sandbox;

  beforeAll(async () => {
    for (const path of [run, data]) mkdirSync(path);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2000m', 'evenkeel-losses', data]);
    daemon = await startDaemon(data, run);
    const found = await findEngine({ DOCKER_HOST: daemon.host });
    if (found.engine === null) throw new Error(found.why);
    engine = found.engine;
    const loaded = await engine.docker.loadImage(await testEngine().docker.getImage(imageTag()).get());
    await new Promise((resolve, reject) => loaded.once('end', resolve).once('error', reject).resume());
    box = await openOn(engine, { processes: 2 });
  }, 300_000);
  afterAll(async () => {
    await box?.close();
    await daemon?.stop();
    execFileSync('umount', ['--lazy', data]);
    rmSync(folder, { recursive: true, force: true });
  });

  const slots = async () => await engine.docker.listContainers({ all: true, filters: { label: ['evenkeel.slot=1'] } });

  async function expectRightVerdicts(during: () => Promise<void>): Promise<void> {
    const asked = manyPrograms();
    let answers = 0;
    const judged = Promise.all(
      asked.map(async ([program]) => {
        const { end, results } = await box.run(program, { ...limits, caseTimeoutMs: 1000 });
        answers += 1;
        return `${end} ${JSON.stringify(results[0])}`;
      }),
    );
    while (answers < asked.length / 10) await sleep(20);
    await during();
    expect(answers).toBeLessThan(asked.length);
    expect(await judged).toEqual(asked.map(([, wanted]) => wanted));
    expect((await slots()).length).toBeLessThanOrEqual(2);
  }

  it('that is killed and comes back', async () => {
    await expectRightVerdicts(async () => {
      await daemon.kill();
      await sleep(2000);
      daemon = await startDaemon(data, run);
    });
  });

  it('that is stopped, with all of its containers, and comes back', async () => {
    await expectRightVerdicts(async () => {
      await daemon.stop();
      await sleep(2000);
      daemon = await startDaemon(data, run);
    });
  });

  it('whose disk is full when slots are lost, until there is room again', async () => {
    await expectRightVerdicts(async () => {
      const filler = join(data, 'filler');
      fill(filler);
      expect(statfsSync(data).bavail).toBe(0);
      for (const { Id } of await slots()) await engine.docker.getContainer(Id).kill({ signal: 'SIGKILL' });
      await sleep(5000);
      unlinkSync(filler);
    });
  });

  it('leaves nothing when it is closed', async () => {
    await box.close();
    expect(await slots()).toEqual([]);
  });
});

/** Writes until there is no room for a byte. */
function fill(path: string): void {
  for (const bytes of [1 << 26, 1 << 20, 1 << 12])
    for (;;)
      try {
        writeFileSync(path, Buffer.alloc(bytes), { flag: 'a' });
      } catch {
        break;
      }
}
