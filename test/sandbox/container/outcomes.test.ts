import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openOn } from '../../../activities/sandboxes/container/container.ts';
import type { Sandbox } from '../../../activities/sandboxes/sandbox.ts';
import { encodedValues } from '../encoded-values.ts';
import { addProgram, expression, goodAdd, limits, passesAdd } from '../programs.ts';
import { engineNote, testEngine, withoutEngine } from './engine.ts';

describe.skipIf(withoutEngine)(`how a program in a container ends${engineNote}`, () => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await openOn(testEngine(), { processes: 1 });
  }, 300_000);
  afterAll(() => sandbox?.close());

  const ends: readonly (readonly [string, string, string])[] = [
    ['a missing colon', 'def add(a, b)\n    return 1', 'syntax_error'],
    ['a NUL byte', 'x = 1\0', 'syntax_error'],
    ['a lone surrogate in the source', 'x = "\ud800"', 'syntax_error'],
    ['sys.exit at load', 'import sys\nsys.exit(0)', 'early_exit'],
    ['os._exit in a case', 'import os\ndef add(a, b):\n    os._exit(0)', 'early_exit'],
    ['a package that is not there', 'import pandas\ndef add(a, b):\n    return a', 'missing_dependency'],
    ['os.abort', 'import os\ndef add(a, b):\n    os.abort()', 'killed'],
    ['an endless loop', 'def add(a, b):\n    while True: pass', 'cpu_timeout'],
    ['an endless loop at load', 'while True: pass', 'cpu_timeout'],
    ['a loop inside one C function', 'def add(a, b):\n    return sum(range(10**13))', 'cpu_timeout'],
    ['a long sleep', 'import time\ndef add(a, b):\n    time.sleep(1000)', 'wall_timeout'],
    ['a bomb in steps', 'def add(a, b):\n    kept = []\n    while True: kept.append(b"x" * 10**6)', 'memory'],
    ['a bomb at once', 'def add(a, b):\n    return len(bytearray(10**9))', 'memory'],
    ['a raised MemoryError', 'def add(a, b):\n    raise MemoryError', 'memory'],
    ['too much output', 'def add(a, b):\n    return "x" * 10**7', 'output_limit'],
  ];
  it.each(ends)('%s', async (_name, source, end) => {
    const run = await sandbox.run(addProgram(source), { ...limits, caseTimeoutMs: 400 });
    expect([run.end, run.results], run.detail ?? '').toEqual([end, []]);
    expect(passesAdd(await sandbox.run(goodAdd, limits))).toBe(true);
  });

  const exceptions: readonly (readonly [string, string, boolean, string])[] = [
    ['in a case', 'def add(a, b):\n    raise ValueError("no\\nmore")', false, 'ValueError: no'],
    ['without a message', 'def add(a, b):\n    assert a > 5', false, 'AssertionError'],
    ['at load', 'x = [][0]', true, 'IndexError: list index out of range'],
    ['for a missing entry point', 'def plus(a, b): return a', true, "NameError: the program defines no 'add'"],
    [
      'for an endless recursion',
      'def add(a, b): return add(a, b)',
      false,
      'RecursionError: maximum recursion depth exceeded',
    ],
    ['for a class below BaseException', 'class E(BaseException): pass\ndef add(a, b): raise E("x")', false, 'E: x'],
    ['for input()', 'def add(a, b): return input()', false, 'EOFError: EOF when reading a line'],
  ];
  it.each(exceptions)(
    'an exception %s is the last result of a completed run',
    async (_name, source, failedAtLoad, text) => {
      const run = await sandbox.run(addProgram(source), limits);
      expect([run.end, run.results, run.failedAtLoad]).toEqual(['completed', [{ exception: text }], failedAtLoad]);
    },
  );

  it.each([
    ['True', 'true'],
    ['None', 'null'],
    ['2**53', '9007199254740992'],
    ['-2**53 - 1', '{"i":"-9007199254740993"}'],
    ['[1, (2.5, -0.0), {"k": {3}}]', '[1,{"t":[{"f":"2.5"},{"f":"-0.0"}]},{"d":[["k",{"s":[3]}]]}]'],
    ['float("nan"), float("-inf"), 1e300 * 1e10', '{"t":[{"f":"nan"},{"f":"-inf"},{"f":"inf"}]}'],
    ['"é\\ud800\\n"', '"\\u00e9\\ud800\\n"'],
    ['b"\\x00\\xff", 1j, frozenset()', '{"t":[{"b":"00ff"},{"c":["0.0","1.0"]},{"fs":[]}]}'],
    ['range(3)', '{"x":"range"}'],
    ['__import__("collections").Counter("aab")', '{"d":[["a",2],["b",1]]}'],
  ])('%s is encoded as %s', async (code, text) => {
    expect((await sandbox.run(expression(code), limits)).results).toEqual([{ value: text }]);
  });

  it('every encoded value comes back as it went in', async () => {
    const values = [
      '[]',
      '{"t":[]}',
      '{"d":[[{"t":[1,2]},"x"]]}',
      '{"fs":[{"b":"00"}]}',
      '{"i":"123456789012345678901234567890"}',
      '{"f":"nan"}',
      '"\\ud800"',
    ];
    const program = { source: 'def f(x): return x', entryPoint: 'f', inputs: values.map((value) => `[${value}]`) };
    expect((await sandbox.run(program, limits)).results).toEqual(values.map((value) => ({ value })));
  });

  it('a returned value is encoded by its exact type', async () => {
    const runs = await Promise.all(encodedValues.map(([code]) => sandbox.run(expression(code), limits)));
    expect(runs.map(({ results }) => results)).toEqual(encodedValues.map(([, value]) => [{ value }]));
  });

  it('a program gets values of its own, whatever earlier ones did to theirs', async () => {
    const inputs = ['[[3,1,2]]', '[[2,1]]'];
    const program = { source: 'def f(x):\n    x.sort()\n    x.append(9)\n    return x', entryPoint: 'f', inputs };
    const runs = await Promise.all(Array.from({ length: 40 }, () => sandbox.run(program, limits)));
    expect(new Set(runs.map(({ results }) => JSON.stringify(results)))).toEqual(
      new Set(['[{"value":"[1,2,3,9]"},{"value":"[1,2,9]"}]']),
    );
  });

  it('results before the case that met a limit are kept, also in a loop that is one C function', async () => {
    const source = 'def add(a, b):\n    return sum(range(10**13)) if a == -3 else a + b';
    const run = await sandbox.run(addProgram(source), { ...limits, caseTimeoutMs: 300 });
    expect([run.end, run.results]).toEqual(['cpu_timeout', [{ value: '3' }, { value: '0' }]]);
  });

  it('each case has its own limit, and a module may load for two seconds', async () => {
    const spin = (seconds: number) =>
      `import time\nend = time.process_time() + ${seconds}\nwhile time.process_time() < end: pass\n`;
    const slowCase = `def add(a, b):\n    ${spin(0.4).replaceAll('\n', '\n    ')}\n    return a + b`;
    const run = await sandbox.run(addProgram(slowCase), { ...limits, caseTimeoutMs: [5000, 5000, 50] });
    expect([run.end, run.results.length]).toEqual(['cpu_timeout', 2]);
    expect(
      passesAdd(
        await sandbox.run(addProgram(`${spin(0.5)}def add(a, b): return a + b`), { ...limits, caseTimeoutMs: 100 }),
      ),
    ).toBe(true);
  });

  it('cyclic garbage is collected', async () => {
    const node = 'class Node:\n    def __init__(self, before):\n        self.before, self.after = before, None\n';
    const chain =
      'def f(n):\n    last = Node(None)\n    for _ in range(n):\n        last.after = last = Node(last)\n    return n';
    const inputs = Array.from({ length: 40 }, () => '[50000]');
    const run = await sandbox.run({ source: `${node}${chain}`, entryPoint: 'f', inputs }, limits);
    expect([run.end, run.results.length]).toEqual(['completed', 40]);
  });

  it('CPU time and memory are measured', async () => {
    const source = 'def f():\n    x = b"x" * 40_000_000\n    return sum(x[::10]) > 0';
    const run = await sandbox.run({ source, entryPoint: 'f', inputs: ['[]'] }, limits);
    expect(run.memoryBytes).toBeGreaterThan(35_000_000);
    expect(run.memoryBytes).toBeLessThan(80_000_000);
    expect(run.cpuMs).toBeGreaterThan(5);
  });

  it("a program's own child draws other random numbers, as in any Python", async () => {
    const source = [
      'import os, random',
      'def add(a, b):',
      '    reading, writing = os.pipe()',
      '    if os.fork() == 0:',
      '        os.write(writing, repr(random.random()).encode())',
      '        os._exit(0)',
      '    return float(os.read(reading, 99)) == random.random()',
    ].join('\n');
    const { results } = await sandbox.run(addProgram(source), limits);
    expect(results).toEqual([{ value: 'false' }, { value: 'false' }, { value: 'false' }]);
  });

  it('random numbers are the same each time, by itself and in a batch', async () => {
    const source = 'import random\ndef add(a, b):\n    return random.random()';
    const alone = await sandbox.run(addProgram(source), limits);
    // What CPython's random.seed(0); random.random() gives.
    expect([alone.lane, alone.results[0]]).toEqual(['isolated', { value: '{"f":"0.8444218515250481"}' }]);
    const program = addProgram(source);
    const together = await Promise.all(Array.from({ length: 20 }, () => sandbox.run(program, limits)));
    expect(new Set(together.map(({ lane }) => lane))).toContain('batch');
    expect(new Set(together.map(({ results }) => JSON.stringify(results)))).toEqual(
      new Set([JSON.stringify(alone.results)]),
    );
  });

  it('programs that could touch what others see do not share a process', async () => {
    const polluters = [
      'import math\nmath.floor = None\ndef add(a, b): return a + b',
      'import collections\ncollections.Counter.update = None\ndef add(a, b): return a + b',
      'def add(a, b):\n    setattr(add, "x", 1)\n    return a + b',
      'import random\ndef add(a, b):\n    random.seed(5)\n    return a + b',
      'import re\nre.copyreg.dispatch_table[int] = 1\ndef add(a, b): return a + b',
      'def add(a, b):\n    print.__self__.sorted = None\n    return a + b',
      'import functools\nimport math\nfunctools.update_wrapper(math, math, ["pi"])\ndef add(a, b): return a + b',
    ];
    const harmless = Array.from({ length: 40 }, () => goodAdd);
    const runs = await Promise.all(
      [...polluters, ...harmless].map((one) =>
        sandbox.run(typeof one === 'string' ? { ...goodAdd, source: one } : one, limits),
      ),
    );
    expect(runs.slice(0, polluters.length).map(({ lane }) => lane)).toEqual(polluters.map(() => 'isolated'));
    expect(runs.slice(polluters.length).filter(({ lane }) => lane === 'batch').length).toBeGreaterThan(20);
    expect(runs.every(passesAdd)).toBe(true);
  });

  it('test code gives true where its asserts hold and false where one fails', async () => {
    const cases = ['assert candidate(1) == 2', [4], 'assert candidate(1) == 3'];
    const program = {
      source: 'def inc(x):\n    assert x != 7\n    return x + 1\n',
      entryPoint: 'inc',
      inputs: cases.map((one) => JSON.stringify(one)),
      tests: { prelude: 'import math', alias: 'candidate' },
    };
    expect((await sandbox.run(program, limits)).results).toEqual([
      { value: 'true' },
      { value: '5' },
      { value: 'false' },
    ]);
  });
});
