import { describe, expect, it } from 'vitest';
import { parsePythonLiteral } from '../../../domain/python/constant.ts';

/** Values as Python 3 prints them, on the right in the encoding of schemas/task.ts. */
describe('parsePythonLiteral reads', () => {
  it.each<readonly [string, unknown]>([
    ['None', null],
    ['[True, False]', [true, false]],
    ['1_000', 1000],
    ['0x1F + 0b11 + 0o7', 41],
    ['9007199254740993', { i: '9007199254740993' }],
    ['1.', { f: '1.0' }],
    ['.5e-7', { f: '5e-08' }],
    ['1e400', { f: 'inf' }],
    ['3j', { c: ['0.0', '3.0'] }],
    ['-0-1j', { c: ['0.0', '-1.0'] }],
    ['-0.0', { f: '-0.0' }],
    ['()', { t: [] }],
    ['(1)', 1],
    ['(1,)', { t: [1] }],
    ['[1, [2], ]', [1, [2]]],
    ['{}', { d: [] }],
    [
      "{'a': 1, 2: (3,)}",
      {
        d: [
          ['a', 1],
          [2, { t: [3] }],
        ],
      },
    ],
    ["{1: 'a', True: 'b'}", { d: [[1, 'b']] }],
    ['{1, 2, 1}', { s: [1, 2] }],
    ['set()', { s: [] }],
    ['set([1, 1])', { s: [1] }],
    ['tuple([1, 2])', { t: [1, 2] }],
    ["list('ab')", ['a', 'b']],
    ['str(12)', '12'],
    [String.raw`'a\n\t\x41B\'\q\101'`, "a\n\tAB'\\qA"],
    [String.raw`r'\d' "x"`, '\\dx'],
    [String.raw`b'a\xff'`, { b: '61ff' }],
    ['"""a\n"b"\n"""', 'a\n"b"\n'],
    ['[1, # one\n 2]', [1, 2]],
  ])('%s', (text, value) => {
    expect(parsePythonLiteral(text)).toEqual(value);
  });

  it('the given names', () => {
    expect(parsePythonLiteral('[inf, -inf]', { inf: { f: 'inf' } })).toEqual([{ f: 'inf' }, { f: '-inf' }]);
  });
});

describe('parsePythonLiteral computes as Python does', () => {
  it.each<readonly [string, unknown]>([
    ['3 * 19 * 3', 171],
    ['2 ** 3 ** 2', 512],
    ['-2 ** 2', -4],
    ['0 ** 0', 1],
    ['10 ** 20', { i: '100000000000000000000' }],
    ['2.0 / 3.0', { f: '0.6666666666666666' }],
    ['6 / 3', { f: '2.0' }],
    ['-7 // 2', -4],
    ['-7 % 3', 2],
    ['7 % -3', -2],
    ['0.1 + 0.2', { f: '0.30000000000000004' }],
    ["'ab' + 'c'", 'abc'],
    ['1 - 2j', { c: ['1.0', '-2.0'] }],
  ])('%s', (text, value) => {
    expect(parsePythonLiteral(text)).toEqual(value);
  });
});

describe('parsePythonLiteral leaves to Python', () => {
  it.each([
    'x',
    'f(1)',
    '1 / 0',
    '2 ** -1',
    '0.5 ** 0.5',
    'True + 1',
    '[1] * 2',
    "'a' % 1",
    'not True',
    '1 == 1',
    'list({1, 2})',
    "Counter('a')",
    'math.pi',
  ])('%s', (text) => {
    expect(() => parsePythonLiteral(text)).toThrow(expect.objectContaining({ name: 'NotConstant' }));
  });
});

describe('parsePythonLiteral refuses', () => {
  it.each([
    '',
    '1 2',
    '[1',
    '(1',
    '{1: 2, 3}',
    "'a",
    "'a\nb'",
    "f'{x}'",
    "'a' b'a'",
    '007',
    '[i for i in x]',
    'lambda: 1',
    '1 < 2 < 3',
    'No solution',
    '1 if x else 2',
    'f(a=)',
    '@',
  ])('%j', (text) => {
    expect(() => parsePythonLiteral(text)).toThrow(expect.objectContaining({ name: 'PythonSyntaxError' }));
  });
});
