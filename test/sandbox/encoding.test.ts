import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEmbeddedSandbox } from '../../activities/sandboxes/embedded/embedded.ts';
import type { Sandbox } from '../../activities/sandboxes/sandbox.ts';
import { encodedValues } from './encoded-values.ts';
import { expression, limits, onlyResult } from './programs.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createEmbeddedSandbox({ processes: 1 });
  await sandbox.run(expression('1'), limits);
}, 90_000);
afterAll(() => sandbox.close());

const run = async (code: string, before?: string) => onlyResult(await sandbox.run(expression(code, before), limits));

describe('a returned value is encoded by its exact type', () => {
  it.each(encodedValues)('%.60s', async (code, expected) => {
    expect(await run(code)).toBe(expected);
  });

  const kinds = ['int', 'float', 'str', 'bytes', 'list', 'tuple', 'set', 'frozenset', 'dict', 'complex'];
  it.each(kinds)('a subclass of %s is a value of another type', async (kind) => {
    expect(await run('[K()]', `class K(${kind}):\n    def __eq__(self, other): return True\n    __hash__ = None`)).toBe(
      '[{"x":"K"}]',
    );
  });

  it('an object that claims another class, or another name, is still of its own type', async () => {
    expect(await run('K()', 'class K:\n    __class__ = int')).toBe('{"x":"K"}');
    const meta = 'class M(type):\n    __name__ = "int"\nclass K(metaclass=M): pass';
    expect(await run('K()', meta)).toBe('{"x":"K"}');
  });

  it('nothing of a class is run to find out that it is of another type', async () => {
    const meta =
      'class M(type):\n    def __eq__(self, other): raise ValueError\n    __hash__ = __eq__\n' +
      'class K(metaclass=M): pass';
    expect(await run('[[K(), K()], [1, K()], (K(), 1)]', meta)).toBe(
      '[[{"x":"K"},{"x":"K"}],[1,{"x":"K"}],{"t":[{"x":"K"},1]}]',
    );
  });
});

describe('an input arrives as the Python value that it encodes', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['null', 'None'],
    ['true', 'True'],
    ['7', '7'],
    ['{"i":"1267650600228229401496703205376"}', '2**100'],
    [`{"i":"1${'0'.repeat(5000)}"}`, '10**5000'],
    ['{"f":"-0.0"}', '-0.0'],
    ['{"f":"nan"}', 'float("nan")'],
    ['{"f":"1.0"}', '1.0'],
    ['"\\ud800x"', '"\\ud800x"'],
    ['"\\ud83d\\ude00"', '"\\U0001F600"'],
    ['{"b":"00ff"}', 'b"\\x00\\xff"'],
    ['{"c":["1.5","-0.0"]}', 'complex(1.5, -0.0)'],
    ['{"t":[1,[2]]}', '(1, [2])'],
    ['{"s":[1]}', '{1}'],
    ['{"fs":[{"t":[1,2]}]}', 'frozenset([(1, 2)])'],
    ['{"d":[[{"t":[1]},{"d":[]}]]}', '{(1,): {}}'],
  ];
  it.each(cases)('%.60s is %s', async (encoded, code) => {
    const source =
      'import sys\nsys.set_int_max_str_digits(0)\ndef f(v):\n' +
      `    return type(v).__name__ + ascii(v) == type(${code}).__name__ + ascii(${code})\n`;
    const result = await sandbox.run({ source, entryPoint: 'f', inputs: [`[${encoded}]`] }, limits);
    expect(onlyResult(result)).toBe('true');
  });

  it('each case gets its own copy', async () => {
    const source = 'kept = []\ndef f(v):\n    v.append(1)\n    kept.append(v)\n    return kept\n';
    const result = await sandbox.run({ source, entryPoint: 'f', inputs: ['[[0]]', '[[0]]'] }, limits);
    expect(result.results).toEqual([{ value: '[[0,1]]' }, { value: '[[0,1],[0,1]]' }]);
  });
});

describe('values without a bound end in a mark or at the output limit', () => {
  it('a list that contains itself is cut at a fixed depth', async () => {
    const text = await run('loop()', 'def loop():\n    a = []\n    a.append(a)\n    return a');
    expect(text).toBe(`${'['.repeat(400)}{"x":"list"}${']'.repeat(400)}`);
  });

  it('a list 100,000 deep is cut at the same depth', async () => {
    const deep = 'def deep():\n    a = []\n    for _ in range(100000): a = [a]\n    return a';
    expect(await run('deep()', deep)).toBe(`${'['.repeat(400)}{"x":"list"}${']'.repeat(400)}`);
  });

  it.each([
    ['a list that contains itself twice', 'loop()', 'def loop():\n    a = []\n    a += [a, a]\n    return a'],
    ['a long string', '"x" * 2_000_000', ''],
    ['long bytes', 'b"x" * 600_000', ''],
    ['a long list', '[0] * 600_000', ''],
    ['an int of 10**8 bits', '1 << 10**8', ''],
  ])('%s is output_limit', async (_name, code, before) => {
    const result = await sandbox.run(expression(code, before), limits);
    expect([result.end, result.results]).toEqual(['output_limit', []]);
  });

  it('the limit is for all cases together', async () => {
    const program = { source: 'def f():\n    return "x" * 98', entryPoint: 'f', inputs: ['[]', '[]', '[]', '[]'] };
    const result = await sandbox.run(program, { ...limits, outputBytes: 300 });
    expect([result.end, result.results.length]).toEqual(['output_limit', 3]);
  });
});
