import { describe, expect, it } from 'vitest';
import { parseExactJson } from '../../../domain/values/exact-json.ts';
import { floatText, parseFloatText, valueOfJson } from '../../../domain/values/value.ts';

describe('floatText is the repr of Python', () => {
  // Written by CPython 3.11: repr(x).
  it.each([
    [1, '1.0'],
    [-0, '-0.0'],
    [0.1, '0.1'],
    [1e16, '1e+16'],
    [1e15, '1000000000000000.0'],
    [123456789012345680, '1.2345678901234568e+17'],
    [0.0001, '0.0001'],
    [0.00001, '1e-05'],
    [1.5e-7, '1.5e-07'],
    [1e100, '1e+100'],
    [5e-324, '5e-324'],
    [Number.POSITIVE_INFINITY, 'inf'],
    [Number.NaN, 'nan'],
  ])('for %d', (value, text) => {
    expect(floatText(value)).toBe(text);
    expect(parseFloatText(text)).toBe(value);
  });
});

describe('valueOfJson after parseExactJson reads JSON as Python does', () => {
  it.each([
    ['5', 5],
    ['5.0', { f: '5.0' }],
    ['-0', 0],
    ['-0.0', { f: '-0.0' }],
    ['1e3', { f: '1000.0' }],
    ['9007199254740993', { i: '9007199254740993' }],
    ['-123456789123456789', { i: '-123456789123456789' }],
    ['[Infinity, -Infinity, NaN]', [{ f: 'inf' }, { f: '-inf' }, { f: 'nan' }]],
    ['["Infinity", "say \\"NaN\\"", Infinity]', ['Infinity', 'say "NaN"', { f: 'inf' }]],
    [
      '{"b": 1, "10": 2, "a": 3, "9": 4}',
      {
        d: [
          ['b', 1],
          ['10', 2],
          ['a', 3],
          ['9', 4],
        ],
      },
    ],
    ['{"f": "x"}', { d: [['f', 'x']] }],
    ['[true, null, "é\\u0000"]', [true, null, 'é\u0000']],
  ])('%s', (text, value) => {
    expect(valueOfJson(parseExactJson(text))).toEqual(value);
  });

  it('refuses text that is not JSON', () => {
    expect(() => parseExactJson('[1, NaN')).toThrow(SyntaxError);
  });
});
