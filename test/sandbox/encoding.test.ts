import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEmbeddedSandbox } from '../../activities/sandboxes/embedded.ts';
import type { Sandbox } from '../../activities/sandboxes/sandbox.ts';
import { expression, limits, onlyResult } from './programs.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createEmbeddedSandbox({ processes: 1 });
  await sandbox.run(expression('1'), limits);
}, 90_000);
afterAll(() => sandbox.close());

const run = async (code: string, before?: string) => onlyResult(await sandbox.run(expression(code, before), limits));

/** Python expression, and the JSON text that schemas/task.ts prescribes for it. */
const values: readonly (readonly [string, string])[] = [
  ['None', 'null'],
  ['True', 'true'],
  ['1', '1'],
  ['-7', '-7'],
  ['2**53', '9007199254740992'],
  ['2**53 + 1', '{"i":"9007199254740993"}'],
  ['-(2**53) - 1', '{"i":"-9007199254740993"}'],
  ['2**100', '{"i":"1267650600228229401496703205376"}'],
  ['10**5000', `{"i":"1${'0'.repeat(5000)}"}`],
  ['1.0', '{"f":"1.0"}'],
  ['0.1 + 0.2', '{"f":"0.30000000000000004"}'],
  ['-0.0', '{"f":"-0.0"}'],
  ['float("nan")', '{"f":"nan"}'],
  ['float("-inf")', '{"f":"-inf"}'],
  ['1e300', '{"f":"1e+300"}'],
  ['5e-324', '{"f":"5e-324"}'],
  ['1j', '{"c":["0.0","1.0"]}'],
  ['complex(float("nan"), -0.0)', '{"c":["nan","-0.0"]}'],
  ['"a\\"\\n"', '"a\\"\\n"'],
  ['"\\u00e9\\U0001F600"', '"\\u00e9\\ud83d\\ude00"'],
  ['"\\ud800"', '"\\ud800"'],
  ['"\\ude00\\ud83d"', '"\\ude00\\ud83d"'],
  // Two characters in Python, which JSON could only write like the one that they are halves of.
  ['"\\ud83d" + "\\ude00"', '{"x":"str"}'],
  ['"\\x00"', '"\\u0000"'],
  ['b"\\x00\\xff"', '{"b":"00ff"}'],
  ['b""', '{"b":""}'],
  ['[]', '[]'],
  ['[1, [True, None]]', '[1,[true,null]]'],
  ['(1,)', '{"t":[1]}'],
  ['()', '{"t":[]}'],
  ['{3}', '{"s":[3]}'],
  ['set()', '{"s":[]}'],
  ['frozenset([(1, 2)])', '{"fs":[{"t":[1,2]}]}'],
  ['{}', '{"d":[]}'],
  ['{1: "a", (2, 3): {4: [5.5]}}', '{"d":[[1,"a"],[{"t":[2,3]},{"d":[[4,[{"f":"5.5"}]]]}]]}'],
  ['{"b": 1, "a": 2}', '{"d":[["b",1],["a",2]]}'],
  ['[range(3)]', '[{"x":"range"}]'],
  ['(i for i in [1])', '{"x":"generator"}'],
  ['bytearray(b"a")', '{"x":"bytearray"}'],
  ['{}.keys()', '{"x":"dict_keys"}'],
  ['...', '{"x":"ellipsis"}'],
  ['int', '{"x":"type"}'],
  ['__import__("decimal").Decimal("1")', '{"x":"Decimal"}'],
  ['__import__("fractions").Fraction(1, 2)', '{"x":"Fraction"}'],
  ['__import__("collections").deque([1])', '{"x":"deque"}'],
  // Equal to a dict of the same items in Python, so encoded as one.
  ['__import__("collections").OrderedDict(a=1)', '{"d":[["a",1]]}'],
  ['__import__("collections").Counter("a")', '{"d":[["a",1]]}'],
  ['__import__("collections").defaultdict(int, a=1)', '{"d":[["a",1]]}'],
  ['__import__("collections").namedtuple("P", "x")(1)', '{"x":"P"}'],
  ['__import__("enum").IntEnum("E", "A").A', '{"x":"E"}'],
];

describe('a returned value is encoded by its exact type', () => {
  it.each(values)('%.60s', async (code, expected) => {
    expect(await run(code)).toBe(expected);
  });

  const kinds = ['int', 'float', 'str', 'bytes', 'list', 'tuple', 'set', 'frozenset', 'dict', 'complex'];
  it.each(kinds)('a subclass of %s is a value of another type', async (kind) => {
    expect(await run('[K()]', `class K(${kind}):\n    def __eq__(self, other): return True\n    __hash__ = None`)).toBe('[{"x":"K"}]');
  });

  it('an object that claims another class, or another name, is still of its own type', async () => {
    expect(await run('K()', 'class K:\n    __class__ = int')).toBe('{"x":"K"}');
    const meta = 'class M(type):\n    __name__ = "int"\nclass K(metaclass=M): pass';
    expect(await run('K()', meta)).toBe('{"x":"K"}');
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
    const source = `import sys\nsys.set_int_max_str_digits(0)\ndef f(v):\n    return type(v).__name__ + ascii(v) == type(${code}).__name__ + ascii(${code})\n`;
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
