import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEmbeddedSandbox } from '../../activities/sandboxes/embedded/embedded.ts';
import type { Sandbox } from '../../activities/sandboxes/sandbox.ts';
import { addProgram, expression, goodAdd, limits, passesAdd } from './programs.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createEmbeddedSandbox({ processes: 1 });
  await sandbox.run(goodAdd, limits);
}, 90_000);
afterAll(() => sandbox.close());

describe('how a program ends', () => {
  it('a program that returns from every case is completed, with a time for each', async () => {
    const run = await sandbox.run(goodAdd, limits);
    expect(passesAdd(run)).toBe(true);
    expect(run.caseMs.length).toBe(3);
    expect([run.failedAtLoad, run.detail, run.cpuMs]).toEqual([false, null, null]);
  });

  const ends: readonly (readonly [string, string, string])[] = [
    ['a missing colon', 'def add(a, b)\n    return 1', 'syntax_error'],
    ['a NUL byte', 'x = 1\0', 'syntax_error'],
    ['mixed indentation', 'def add(a, b):\n\tx = 1\n        return x', 'syntax_error'],
    ['3,000 parentheses', `x = ${'('.repeat(3000)}${')'.repeat(3000)}`, 'syntax_error'],
    ['a lone surrogate in the source', 'x = "\ud800"', 'syntax_error'],
    ['sys.exit at load', 'import sys\nsys.exit(0)', 'early_exit'],
    ['sys.exit in a case', 'import sys\ndef add(a, b):\n    sys.exit(0)', 'early_exit'],
    ['exit()', 'def add(a, b):\n    raise SystemExit', 'early_exit'],
    ['os._exit in a case', 'import os\ndef add(a, b):\n    os._exit(0)', 'early_exit'],
    ['os._exit at load', 'import os\nos._exit(0)', 'early_exit'],
    ['numpy', 'import numpy as np\ndef add(a, b):\n    return a', 'missing_dependency'],
    ['a package imported in the call', 'def add(a, b):\n    import pandas\n    return a', 'missing_dependency'],
    ['os.abort', 'import os\ndef add(a, b):\n    os.abort()', 'killed'],
    ['an endless loop', 'def add(a, b):\n    while True: pass', 'cpu_timeout'],
    ['an endless loop at load', 'while True: pass', 'cpu_timeout'],
    [
      'a loop that catches everything',
      'def add(a, b):\n    while True:\n        try:\n            while True: pass\n        except BaseException: pass',
      'cpu_timeout',
    ],
    ['a loop inside one C function', 'def add(a, b):\n    return sum(range(10**13))', 'cpu_timeout'],
    [
      'a loop in __str__ of the exception',
      'class E(Exception):\n    def __str__(self):\n        while True: pass\ndef add(a, b):\n    raise E',
      'cpu_timeout',
    ],
    ['a bomb in steps', 'def add(a, b):\n    kept = []\n    while True: kept.append(bytearray(10**6))', 'memory'],
    ['a bomb at once', 'def add(a, b):\n    return len(bytearray(10**9))', 'memory'],
    ['a bomb beyond the address space', 'def add(a, b):\n    return [0] * 10**9', 'memory'],
    ['a raised MemoryError', 'def add(a, b):\n    raise MemoryError', 'memory'],
    ['too much output', 'def add(a, b):\n    return "x" * 10**7', 'output_limit'],
  ];
  it.each(ends)(
    '%s',
    async (_name, source, end) => {
      const run = await sandbox.run(addProgram(source), limits);
      expect([run.end, run.results]).toEqual([end, []]);
      expect(passesAdd(await sandbox.run(goodAdd, limits))).toBe(true);
    },
    30_000,
  );

  const exceptions: readonly (readonly [string, string, boolean, string])[] = [
    ['in a case', 'def add(a, b):\n    raise ValueError("no\\nmore")', false, 'ValueError: no'],
    ['without a message', 'def add(a, b):\n    assert a > 5', false, 'AssertionError'],
    ['at load', 'x = [][0]', true, 'IndexError: list index out of range'],
    ['for a missing entry point', 'def plus(a, b): return a', true, "NameError: the program defines no 'add'"],
    [
      'for a wrong number of arguments',
      'def add(a): return a',
      false,
      'TypeError: add() takes 1 positional argument but 2 were given',
    ],
    [
      'for an endless recursion',
      'def add(a, b): return add(a, b)',
      false,
      'RecursionError: maximum recursion depth exceeded',
    ],
    ['for a class below BaseException', 'class E(BaseException): pass\ndef add(a, b): raise E("x")', false, 'E: x'],
    ['for a KeyboardInterrupt of its own', 'def add(a, b): raise KeyboardInterrupt', false, 'KeyboardInterrupt'],
    [
      'for a message that cannot be made',
      'class E(Exception):\n    def __str__(self): return 1/0\ndef add(a, b): raise E',
      false,
      'E',
    ],
    [
      'for a SyntaxError in a nested eval',
      'def add(a, b): return eval("1 +")',
      false,
      'SyntaxError: invalid syntax (<string>, line 1)',
    ],
    ['for input()', 'def add(a, b): return input()', false, 'EOFError: EOF when reading a line'],
  ];
  it.each(exceptions)(
    'an exception %s is the last result of a completed run',
    async (_name, source, failedAtLoad, text) => {
      const run = await sandbox.run(addProgram(source), limits);
      expect([run.end, run.results, run.failedAtLoad]).toEqual(['completed', [{ exception: text }], failedAtLoad]);
    },
  );

  it("random numbers are the same each time: those of CPython's random.seed(0)", async () => {
    const program = addProgram('import random\ndef add(a, b):\n    return random.random()');
    for (let time = 0; time < 2; time++) {
      expect((await sandbox.run(program, limits)).results[0]).toEqual({ value: '{"f":"0.8444218515250481"}' });
    }
  });

  it('a recursion through C functions is a RecursionError, too', async () => {
    const source =
      'import sys\nsys.setrecursionlimit(10**6)\ndef add(a, b): return sorted([a], key=lambda x: add(x, b))';
    const run = await sandbox.run(addProgram(source), limits);
    expect([run.end, run.results]).toEqual(['completed', [{ exception: expect.stringMatching(/^RecursionError: /) }]]);
  });

  it('results of the cases before the one that ended the run are kept', async () => {
    const source = 'def add(a, b):\n    while a == -3: pass\n    return a + b';
    const run = await sandbox.run(addProgram(source), { ...limits, caseTimeoutMs: 300 });
    expect([run.end, run.results]).toEqual(['cpu_timeout', [{ value: '3' }, { value: '0' }]]);
  });

  it('they are kept when the process had to be killed, too', async () => {
    const source = 'def add(a, b):\n    return sum(range(10**13)) if a == -3 else a + b';
    const run = await sandbox.run(addProgram(source), { ...limits, caseTimeoutMs: 300 });
    expect([run.end, run.results]).toEqual(['cpu_timeout', [{ value: '3' }, { value: '0' }]]);
  });
});

describe('limits', () => {
  it('each case has its own time limit', async () => {
    const source =
      'import time\ndef add(a, b):\n    end = time.perf_counter() + 0.4\n' +
      '    while time.perf_counter() < end: pass\n    return a + b';
    const run = await sandbox.run(addProgram(source), { ...limits, caseTimeoutMs: [5000, 5000, 50] });
    expect([run.end, run.results.length]).toEqual(['cpu_timeout', 2]);
  });

  it('a module may load for two seconds even when a case may not', async () => {
    const slow =
      'import time\nend = time.perf_counter() + 0.5\nwhile time.perf_counter() < end: pass\n' +
      'def add(a, b): return a + b';
    expect(passesAdd(await sandbox.run(addProgram(slow), { ...limits, caseTimeoutMs: 100 }))).toBe(true);
  });

  it('a program within its memory limit completes, and its memory is reported', async () => {
    const run = await sandbox.run(expression('len(bytearray(40_000_000))'), limits);
    expect(run.results).toEqual([{ value: '40000000' }]);
    expect(run.memoryBytes).toBeGreaterThan(35_000_000);
    expect(run.memoryBytes).toBeLessThan(60_000_000);
  });

  it('output of print is dropped, however much', async () => {
    const source =
      'import sys, os\ndef add(a, b):\n    print("y" * 10**6)\n    sys.stderr.write("z")\n' +
      '    os.write(1, b"3")\n    return a + b';
    expect(passesAdd(await sandbox.run(addProgram(source), limits))).toBe(true);
  });

  it('time.sleep sleeps', async () => {
    const run = await sandbox.run(expression('__import__("time").sleep(0.3)'), limits);
    expect(run.results).toEqual([{ value: 'null' }]);
    expect(run.caseMs[0]).toBeGreaterThanOrEqual(300);
  });
});

describe('the interpreter is a whole Python', () => {
  const modules = (
    'math re random collections itertools functools heapq bisect string json datetime decimal fractions ' +
    'statistics copy hashlib typing enum dataclasses textwrap operator array zlib base64 csv calendar struct uuid ' +
    'secrets asyncio threading unittest logging pathlib tempfile html urllib.parse xml.etree.ElementTree'
  ).split(' ');
  it.each(modules)('%s can be imported', async (name) => {
    const run = await sandbox.run(expression(`__import__(${JSON.stringify(name)}).__name__`), limits);
    expect(run.results).toEqual([{ value: JSON.stringify(name.split('.')[0]) }]);
  });

  it('dataclasses, enums and caches work in a program', async () => {
    const source = `
from __future__ import annotations
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
class Sign(Enum):
    PLUS = 1
@dataclass(order=True)
class Pair:
    a: int
    b: int
@lru_cache(maxsize=None)
def total(a, b):
    return Pair(a, b).a + b
def add(a, b):
    assert Sign(1) is Sign.PLUS and Pair(1, 2) < Pair(1, 3)
    return total(a, b)
`;
    expect(passesAdd(await sandbox.run(addProgram(source), limits))).toBe(true);
  });

  it('code under __main__ does not run', async () => {
    expect(
      passesAdd(await sandbox.run(addProgram('def add(a, b): return a + b\nif __name__ == "__main__": 1 / 0'), limits)),
    ).toBe(true);
  });
});
