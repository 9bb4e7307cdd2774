import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { createEmbeddedSandbox } from '../../activities/sandboxes/embedded/embedded.ts';
import { startEmbeddedProcess } from '../../activities/sandboxes/embedded/embedded-process.ts';
import type { ProgramRun } from '../../schemas/program.ts';
import { type Sandbox, SandboxFault } from '../../activities/sandboxes/sandbox.ts';
import { addProgram, goodAdd, limits, passesAdd } from './programs.ts';
import { lookAt } from '../support/processes.ts';
import { inFull, long } from '../support/forms/long.ts';

const onLinux = existsSync('/proc/self/stat');
const spins = addProgram('def add(a, b):\n    while True: pass');
const longLimits = { ...limits, caseTimeoutMs: 600_000 };

const opened: Sandbox[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((sandbox) => sandbox.close()));
});

async function open(processes: number): Promise<Sandbox> {
  const sandbox = await createEmbeddedSandbox({ processes });
  opened.push(sandbox);
  return sandbox;
}

/** Process id, CPU seconds so far, and parent, of every process that is not a zombie. */
function processTable(): { readonly pid: number; readonly parent: number; readonly cpuS: number }[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.flatMap((pid) => {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return fields[0] === 'Z'
        ? []
        : [{ pid: Number(pid), parent: Number(fields[1]), cpuS: (Number(fields[11]) + Number(fields[12])) / 100 }];
    } catch {
      return [];
    }
  });
}

/** A process may end between two looks at it. */
const childrenOf = (parent: number) =>
  processTable().filter(
    (entry) => entry.parent === parent && lookAt(entry.pid)?.command.includes('sandbox/embedded/main') === true,
  );

async function until<T>(probe: () => T | undefined, seconds: number): Promise<T> {
  for (let waited = 0; waited < seconds * 20; waited++) {
    const found = probe();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`nothing happened in ${seconds} s`);
}

describe.skipIf(!onLinux)('processes that die', () => {
  it('a program whose process is killed runs again and gets its result', async () => {
    const sandbox = await open(1);
    await sandbox.run(goodAdd, limits);
    const slow = addProgram('def add(a, b):\n    s = 0\n    for i in range(12_000_000): s += 1\n    return a + b');
    const run = sandbox.run(slow, longLimits);
    await new Promise((resolve) => setTimeout(resolve, 400));
    const [first] = childrenOf(process.pid).sort((one, other) => other.cpuS - one.cpuS);
    process.kill(first?.pid ?? 0, 'SIGKILL');
    expect(passesAdd(await run)).toBe(true);
    expect(childrenOf(process.pid).map((entry) => entry.pid)).not.toContain(first?.pid);
  }, 60_000);

  /** The end of an endless program whose process is killed twice, by the kernel for lack of memory or by others */
  async function endOfKilled(isForMemory: boolean): Promise<ProgramRun> {
    const killed: number[] = [];
    const sandbox = await createEmbeddedSandbox({ processes: 1 }, () => (isForMemory ? killed.length : 7));
    opened.push(sandbox);
    await sandbox.run(goodAdd, limits);
    const startS = Math.max(...childrenOf(process.pid).map(({ cpuS }) => cpuS));
    const run = sandbox.run(spins, longLimits);
    void run.catch(() => undefined);
    while (killed.length < 2) {
      // One that has had twice the CPU time that starting takes is at the program.
      const isAtWork = ({ cpuS, pid }: { cpuS: number; pid: number }) => cpuS > 2 * startS + 1 && !killed.includes(pid);
      const pid = await until(() => childrenOf(process.pid).find(isAtWork)?.pid, 200);
      killed.push(pid);
      process.kill(pid, 'SIGKILL');
    }
    expect(passesAdd(await sandbox.run(goodAdd, limits))).toBe(true);
    return await run;
  }

  it('a program whose process is killed twice is killed', async () => {
    expect((await endOfKilled(false)).end).toBe('killed');
  }, 480_000);

  long(
    `without a verdict if it was the kernel, for lack of memory${inFull}`,
    async () => {
      await expect(endOfKilled(true)).rejects.toThrow(/for lack of memory/);
    },
    480_000,
  );

  it('close leaves no process, even while one starts and one runs', async () => {
    const sandbox = await open(2);
    await sandbox.run(goodAdd, limits);
    const lost = Promise.allSettled([sandbox.run(spins, longLimits), sandbox.run(spins, longLimits)]);
    await new Promise((resolve) => setTimeout(resolve, 300));
    await sandbox.close();
    expect(childrenOf(process.pid)).toEqual([]);
    for (const settled of await lost)
      expect(settled).toMatchObject({ status: 'rejected', reason: { name: 'SandboxFault' } });
    await expect(sandbox.run(goodAdd, limits)).rejects.toThrow(SandboxFault);
  }, 60_000);

  it('children end when their parent is killed, also in the middle of a loop in C', async () => {
    const module = fileURLToPath(new URL('../../activities/sandboxes/embedded/embedded.ts', import.meta.url));
    const program = JSON.stringify(addProgram('def add(a, b): return sum(range(10**13))'));
    const code = `
      const { createEmbeddedSandbox } = await import(${JSON.stringify(module)});
      const sandbox = await createEmbeddedSandbox({ processes: 1 });
      sandbox.run(${program}, ${JSON.stringify({ ...limits, caseTimeoutMs: 20_000 })});`;
    const parent = spawn(process.execPath, ['--no-warnings', '--input-type=module', '-e', code], { stdio: 'ignore' });
    const parentPid = parent.pid ?? 0;
    const children = await until(() => {
      const found = childrenOf(parentPid);
      return found.length === 2 && found.some((entry) => entry.cpuS > 6) ? found.map((entry) => entry.pid) : undefined;
    }, 60);
    parent.kill('SIGKILL');
    await until(() => (processTable().some((entry) => children.includes(entry.pid)) ? undefined : true), 40);
  }, 120_000);
});

describe('faults and aborts', () => {
  it('a process that does not start is a SandboxFault with what it said', async () => {
    const command = { file: process.execPath, args: ['-e', 'console.error("no such interpreter"); process.exit(3)'] };
    await expect(startEmbeddedProcess(command, new AbortController().signal)).rejects.toThrow(SandboxFault);
    await expect(startEmbeddedProcess(command, new AbortController().signal)).rejects.toThrow('no such interpreter');
    await expect(
      startEmbeddedProcess({ file: '/nonexistent/node', args: [] }, new AbortController().signal),
    ).rejects.toThrow(SandboxFault);
  });

  it('a process that writes something else than replies is a SandboxFault', async () => {
    const command = {
      file: process.execPath,
      args: ['-e', 'require("fs").writeSync(3, "HTTP/1.1 200 OK");setTimeout(() => {}, 60000)'],
    };
    await expect(startEmbeddedProcess(command, new AbortController().signal)).rejects.toThrow(SandboxFault);
  });

  it('an aborted run rejects with the reason at once, and the next program is judged', async () => {
    const sandbox = await open(1);
    await sandbox.run(goodAdd, limits);
    const controller = new AbortController();
    const run = sandbox.run(spins, longLimits, controller.signal);
    setTimeout(() => controller.abort(new Error('stop it')), 200);
    const began = performance.now();
    await expect(run).rejects.toThrow('stop it');
    expect(performance.now() - began).toBeLessThan(5000);
    expect(passesAdd(await sandbox.run(goodAdd, limits))).toBe(true);
  }, 60_000);

  it('more programs than processes wait, and all are judged', async () => {
    const sandbox = await open(2);
    const runs = await Promise.all(
      Array.from({ length: 40 }, (_, i) =>
        sandbox.run(i % 10 === 3 ? spins : goodAdd, { ...limits, caseTimeoutMs: 300 }),
      ),
    );
    // On a starved machine the wall cap may come first.
    const judged = runs.map((run) => (passesAdd(run) ? 'pass' : run.end.replace('wall', 'cpu')));
    expect(judged).toEqual(Array.from({ length: 40 }, (_, i) => (i % 10 === 3 ? 'cpu_timeout' : 'pass')));
  }, 60_000);
});
