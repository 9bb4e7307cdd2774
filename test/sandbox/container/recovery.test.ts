import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { openOn } from '../../../activities/sandboxes/container/container.ts';
import { imageTag } from '../../../activities/sandboxes/container/container-image.ts';
import { clearOrphans } from '../../../activities/sandboxes/container/container-owner.ts';
import { type Sandbox, SandboxFault } from '../../../activities/sandboxes/sandbox.ts';
import { addProgram, goodAdd, limits, passesAdd } from '../programs.ts';
import { engineNote, testEngine, withoutEngine } from './engine.ts';

const spins = addProgram('def add(a, b):\n    while True: pass');
const loop = (rounds: string) =>
  addProgram(`def add(a, b):\n    s = 0\n    for i in range(${rounds}): s += 1\n    return a + b`);
const slow = loop('5_000_000');
/** Still under way 200 ms later, also on a fast machine. */
const lasting = loop('40_000_000');
const longLimits = { ...limits, caseTimeoutMs: 600_000 };

describe.skipIf(withoutEngine)(`when containers are lost${engineNote}`, () => {
  const opened: Sandbox[] = [];
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((sandbox) => sandbox.close()));
  });
  const open = async (processes: number, silenceMs?: number): Promise<Sandbox> => {
    const sandbox = await openOn(testEngine(), { processes, ...(silenceMs === undefined ? {} : { silenceMs }) });
    opened.push(sandbox);
    await sandbox.run(goodAdd, limits);
    return sandbox;
  };
  const slotsOf = async (pid = process.pid): Promise<string[]> => {
    const all = await testEngine().docker.listContainers({ all: true, filters: { label: ['evenkeel.slot=1'] } });
    return all.filter(({ Labels }) => Labels['evenkeel.owner']?.split(' ')[1] === String(pid)).map(({ Id }) => Id);
  };
  const until = async <T>(probe: () => Promise<T | undefined>): Promise<T> => {
    for (;;) {
      const found = await probe();
      if (found !== undefined) return found;
      await pause(50);
    }
  };
  const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
  const kill = async (id: string | undefined) => {
    await testEngine()
      .docker.getContainer(id ?? '')
      .kill({ signal: 'SIGKILL' });
  };

  it('a program whose slot is lost runs again, and the ones behind it too', async () => {
    const sandbox = await open(1);
    const [first] = await slotsOf();
    const runs = [sandbox.run(lasting, longLimits), ...Array.from({ length: 30 }, () => sandbox.run(goodAdd, limits))];
    await pause(200);
    await kill(first);
    expect((await Promise.all(runs)).map(passesAdd)).toEqual(runs.map(() => true));
    expect(await slotsOf()).not.toContain(first);
  });

  it('a program whose slots are killed one by one is judged if that ends, and killed if it does not', async () => {
    const sandbox = await open(2);
    const busy = async (): Promise<string | undefined> => {
      for (const id of await slotsOf()) {
        const processes = await testEngine()
          .docker.getContainer(id)
          .top()
          .then(
            (top: { Processes: unknown[] | null }) => top.Processes ?? [],
            () => [],
          );
        if (processes.length === 2) return id;
      }
      return undefined;
    };
    const killsUntilOver = async (run: Promise<unknown>, most: number): Promise<number> => {
      let over = false;
      void run.then(() => {
        over = true;
      });
      const killed = new Set<string>();
      while (!over && killed.size < most) {
        const id = await busy();
        if (id !== undefined && !killed.has(id))
          await kill(id).then(
            () => killed.add(id),
            () => undefined,
          );
        await pause(50);
      }
      return killed.size;
    };
    const judged = sandbox.run(slow, longLimits);
    expect(await killsUntilOver(judged, 6)).toBe(6);
    expect(passesAdd(await judged)).toBe(true);
    const endless = sandbox.run(spins, longLimits);
    expect(await killsUntilOver(endless, 20)).toBe(10);
    expect(await endless).toMatchObject({ end: 'killed', results: [] });
    expect(passesAdd(await sandbox.run(goodAdd, limits))).toBe(true);
  });

  it('a slot that hangs is lost: its program runs again', async () => {
    const sandbox = await open(1, 4000);
    const [first] = await slotsOf();
    const run = sandbox.run(lasting, longLimits);
    await pause(200);
    await testEngine()
      .docker.getContainer(first ?? '')
      .pause();
    expect(passesAdd(await run)).toBe(true);
    expect(await slotsOf()).not.toContain(first);
  });

  it('a program whose slot hangs, and then its fresh one, is killed', async () => {
    const sandbox = await open(1, 4000);
    const run = sandbox.run(spins, longLimits);
    const hung = new Set<string>();
    while (hung.size < 2) {
      const [id] = (await slotsOf()).filter((slot) => !hung.has(slot));
      await pause(1500);
      if (id === undefined) continue;
      await testEngine().docker.getContainer(id).pause();
      hung.add(id);
    }
    expect(await run).toMatchObject({ end: 'killed', results: [] });
    expect(passesAdd(await sandbox.run(goodAdd, limits))).toBe(true);
  });

  it('close leaves no container, even while programs run', async () => {
    const sandbox = await open(2);
    const lost = Promise.allSettled([
      sandbox.run(spins, longLimits),
      sandbox.run(spins, longLimits),
      sandbox.run(goodAdd, limits),
    ]);
    await pause(100);
    await sandbox.close();
    expect(await slotsOf()).toEqual([]);
    for (const settled of (await lost).slice(0, 2))
      expect(settled).toMatchObject({ status: 'rejected', reason: { name: 'SandboxFault' } });
    await expect(sandbox.run(goodAdd, limits)).rejects.toThrow(SandboxFault);
  });

  it('an aborted run rejects with the reason at once, and the next program is judged', async () => {
    const sandbox = await open(1);
    const controller = new AbortController();
    const run = sandbox.run(spins, longLimits, controller.signal);
    setTimeout(() => controller.abort(new Error('stop it')), 200);
    const began = performance.now();
    await expect(run).rejects.toThrow('stop it');
    expect(performance.now() - began).toBeLessThan(3000);
    expect(passesAdd(await sandbox.run(goodAdd, limits))).toBe(true);
  });

  it('containers end when their owner is killed, also in the middle of a loop', async () => {
    const url = (path: string) => JSON.stringify(fileURLToPath(new URL(path, import.meta.url)));
    const code = `
      const { openOn } = await import(${url('../../../activities/sandboxes/container/container.ts')});
      const { testEngine } = await import(${url('./engine.ts')});
      const sandbox = await openOn(testEngine(), { processes: 2 });
      sandbox.run(${JSON.stringify(spins)}, ${JSON.stringify(longLimits)});`;
    const owner = spawn(process.execPath, ['--no-warnings', '--input-type=module', '-e', code], { stdio: 'ignore' });
    const pid = owner.pid ?? 0;
    await until(async () => ((await slotsOf(pid)).length > 0 ? true : undefined));
    await pause(1500);
    owner.kill('SIGKILL');
    await until(async () => ((await slotsOf(pid)).length === 0 ? true : undefined));
    await open(1);
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith(`evenkeel-slot-${pid}-`))).toEqual([]);
  });

  it('what a dead owner left is cleared away, what a living one has is not', async () => {
    await open(1);
    const mine = await slotsOf();
    const labels = (
      await testEngine()
        .docker.getContainer(mine[0] ?? '')
        .inspect()
    ).Config.Labels;
    const [host] = (labels['evenkeel.owner'] ?? '').split(' ');
    const orphan = await testEngine().docker.createContainer({
      Image: imageTag(),
      Labels: { 'evenkeel.slot': '1', 'evenkeel.owner': `${host} 4194304 77` },
      HostConfig: { NetworkMode: 'none' },
    });
    const others = await testEngine().docker.createContainer({
      Image: imageTag(),
      Labels: { 'evenkeel.slot': '1', 'evenkeel.owner': 'another-machine/1234 4194304 77' },
      HostConfig: { NetworkMode: 'none' },
    });
    try {
      expect(await clearOrphans(testEngine().docker)).toBe(1);
      await expect(orphan.inspect()).rejects.toThrow(/no such container/i);
      expect(await slotsOf()).toEqual(mine);
      expect((await others.inspect()).Id).toBe(others.id);
    } finally {
      await others.remove({ force: true });
    }
  });
});
