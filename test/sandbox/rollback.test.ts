import { existsSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { childCommand, findPyodide, hostIsolation } from '../../activities/sandboxes/embedded/embedded-command.ts';
import { type EmbeddedProcess, startEmbeddedProcess } from '../../activities/sandboxes/embedded/embedded-process.ts';
import type { Program, ProgramRun } from '../../schemas/program.ts';
import { addProgram, expression, goodAdd, limits, onlyResult, passesAdd } from './programs.ts';

let child: EmbeddedProcess;
beforeAll(async () => {
  child = await startEmbeddedProcess(childCommand(findPyodide(), hostIsolation()), new AbortController().signal);
}, 90_000);
afterAll(() => child.kill());

async function run(program: Program, on = child): Promise<ProgramRun> {
  const result = await on.run(program, limits);
  if (result === null) throw new Error('the process died');
  return result;
}

const polluters: readonly (readonly [string, string, string])[] = [
  ['a builtin', 'import builtins; builtins.sorted = lambda *a, **k: []', 'sorted([2, 1])'],
  ['a function of a module', 'import math; math.sqrt = lambda x: -1', '__import__("math").sqrt(4)'],
  ['a new module attribute', 'import math; math.kept = 1', 'hasattr(__import__("math"), "kept")'],
  ['the recursion limit', 'import sys; sys.setrecursionlimit(77)', '__import__("sys").getrecursionlimit()'],
  [
    'sys.modules',
    'import sys; sys.modules["json"] = None; sys.modules["kept"] = sys',
    '[n in __import__("sys").modules for n in ("json", "kept")] + [__import__("json").dumps(1)]',
  ],
  ['sys.path', 'import sys; sys.path.clear()', 'len(__import__("sys").path)'],
  ['sys.stdout', 'import sys; sys.stdout = None', '__import__("sys").stdout is None'],
  ['the random state', 'import random; random.seed(5); random.random()', '__import__("random").random()'],
  ['the decimal context', 'import decimal; decimal.getcontext().prec = 2', '__import__("decimal").getcontext().prec'],
  ['the digits limit', 'import sys; sys.set_int_max_str_digits(0)', '__import__("sys").get_int_max_str_digits()'],
  ['the collector', 'import gc; gc.disable()', '__import__("gc").isenabled()'],
  ['a trace function', 'import sys; sys.settrace(lambda *a: None)', '__import__("sys").gettrace() is None'],
  ['the environment', 'import os; os.environ["KEPT"] = "1"', '"KEPT" in __import__("os").environ'],
  ['a file', 'open("/tmp/kept", "w").write("x")', '__import__("os").path.exists("/tmp/kept")'],
  ['a folder', 'import os; os.mkdir("/tmp/kept")', '__import__("os").listdir("/tmp")'],
  ['the working folder', 'import os; os.chdir("/lib")', '__import__("os").getcwd()'],
  [
    'a changed library',
    'import os; os.remove("/lib/python314.zip")',
    '__import__("os").path.exists("/lib/python314.zip")',
  ],
  [
    'open files',
    'kept = [open("/lib/python314.zip", "rb") for _ in range(500)]',
    'open("/lib/python314.zip", "rb").fileno()',
  ],
  ['standard output', 'import os; os.close(1)', '__import__("os").close(1)'],
  ['closed files', 'import os; os.closerange(0, 100)', '[__import__("os").fstat(fd).st_mode > 0 for fd in range(3)]'],
  [
    'a signal handler',
    'import signal; signal.signal(signal.SIGTERM, lambda *a: None)',
    'repr(__import__("signal").getsignal(15))',
  ],
  ['an abort', 'import os; os.abort()', '1'],
  ['an exit', 'import os; os._exit(3)', '1'],
  [
    'a full stack',
    'import sys; sys.setrecursionlimit(10**6)\ndef r(): return sorted([1], key=lambda x: r())\nr()',
    '1',
  ],
  [
    'an import under way',
    'import builtins, unittest.mock; builtins.__import__ = None',
    '__import__("unittest").mock is None if hasattr(__import__("unittest"), "mock") else 0',
  ],
];

describe('nothing of a program is left for the next one in the same process', () => {
  it.each(polluters)('%s', async (_name, pollution, code) => {
    const before = await run(expression(code));
    await child.run(addProgram(`${pollution}\ndef add(a, b): return 0`), limits);
    const after = await run(expression(code));
    expect(after.end).toBe('completed');
    expect(after.results).toEqual(before.results);
    expect(child.isAlive()).toBe(true);
  });

  const probed = polluters.filter(
    ([name]) => !/^(a file|a folder|the working|a changed|closed|an abort|an exit|a full|a trace)/.test(name),
  );
  it.each(probed)('and the check would have seen it: %s', async (_name, pollution, code) => {
    const clean = await run(expression(code));
    const inside = await run(expression(code, pollution));
    expect(inside.results).not.toEqual(clean.results);
  });
});

describe('thousands of programs', () => {
  it.skipIf(!existsSync('/proc/self/status'))(
    '3,000 programs later the process is as big as before and as fast',
    async () => {
      const batch = async (count: number) => {
        const began = performance.now();
        for (let i = 0; i < count; i++) expect(passesAdd(await run(goodAdd))).toBe(true);
        return (performance.now() - began) / count;
      };
      await batch(300);
      const early = { size: residentBytes(child.pid), ms: await batch(300) };
      await batch(2400);
      const late = { ms: await batch(300), size: residentBytes(child.pid) };
      expect(late.size).toBeLessThan(early.size + 12e6);
      expect(late.ms).toBeLessThan(early.ms * 3);
    },
    120_000,
  );

  it('a program that grew the memory for good retires the process, after its result', async () => {
    const apart = await startEmbeddedProcess(
      childCommand(findPyodide(), hostIsolation()),
      new AbortController().signal,
    );
    const grown = await run(expression('len(bytearray(100_000_000))'), apart);
    expect(onlyResult(grown)).toBe('100000000');
    expect(apart.isAlive()).toBe(false);
    await apart.gone;
  }, 60_000);
});

function residentBytes(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;
}
