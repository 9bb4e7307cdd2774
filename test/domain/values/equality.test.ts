import { describe, expect, it } from 'vitest';
import { type Agreement, agreement } from '../../../domain/values/equality.ts';
import type { Value } from '../../../schemas/task.ts';

/** Pairs as judged by Python's interpreter; each is tested in both orders. */
const pairs: readonly (readonly [what: string, a: Value, b: Value, agreement: Agreement])[] = [
  ['1 and True', 1, true, 'equal'],
  ['0 and False', 0, false, 'equal'],
  ['2 and True', 2, true, 'unequal'],
  ['1 and 1.0', 1, { f: '1.0' }, 'equal'],
  ['1 and 1+0j', 1, { c: ['1.0', '0.0'] }, 'equal'],
  ['1.5 and 1.5+0j', { f: '1.5' }, { c: ['1.5', '-0.0'] }, 'equal'],
  ['1+2j and 1+2.0j', { c: ['1', '2'] }, { c: ['1.0', '2.0'] }, 'equal'],
  ['1+2j and 1', { c: ['1.0', '2.0'] }, 1, 'unequal'],
  ['0.0 and -0.0', { f: '0.0' }, { f: '-0.0' }, 'equal'],
  ['0 and -0.0', 0, { f: '-0.0' }, 'equal'],
  ['nan and nan', { f: 'nan' }, { f: 'nan' }, 'unequal'],
  ['[nan] and [nan] of another process', [{ f: 'nan' }], [{ f: 'nan' }], 'unequal'],
  ['inf and inf', { f: 'inf' }, { f: 'inf' }, 'equal'],
  ['inf and -inf', { f: 'inf' }, { f: '-inf' }, 'unequal'],
  ['0.1 + 0.2 and 0.3', { f: '0.30000000000000004' }, { f: '0.3' }, 'unequal'],
  ['2**53 and float(2**53)', { i: '9007199254740992' }, { f: '9007199254740992.0' }, 'equal'],
  ['2**53 + 1 and float(2**53)', { i: '9007199254740993' }, { f: '9007199254740992.0' }, 'unequal'],
  ['10**23 and 1e23', { i: '100000000000000000000000' }, { f: '1e+23' }, 'unequal'],
  ['int(1e23) and 1e23', { i: '99999999999999991611392' }, { f: '1e+23' }, 'equal'],
  ['an int written with a leading zero', { i: '007' }, 7, 'equal'],
  ['"1" and 1', '1', 1, 'unequal'],
  ['"" and None', '', null, 'unequal'],
  ['None and False', null, false, 'unequal'],
  ['"a" and b"a"', 'a', { b: '61' }, 'unequal'],
  ['bytes in upper and lower case hex', { b: 'AB' }, { b: 'ab' }, 'equal'],
  ['[1] and (1,)', [1], { t: [1] }, 'unequal'],
  ['[1, 2] and [2, 1]', [1, 2], [2, 1], 'unequal'],
  ['[] and ()', [], { t: [] }, 'unequal'],
  ['{1, 2} and {2, 1}', { s: [1, 2] }, { s: [2, 1] }, 'equal'],
  ['{1} and frozenset({1.0})', { s: [1] }, { fs: [{ f: '1.0' }] }, 'equal'],
  ['a set that is written with a member four times, and once', { s: [1, 1, { f: '1.0' }, 1] }, { s: [1] }, 'equal'],
  ['set() and {}', { s: [] }, { d: [] }, 'unequal'],
  ['{(1, 2)} and {(1.0, 2)}', { s: [{ t: [1, 2] }] }, { s: [{ t: [{ f: '1.0' }, 2] }] }, 'equal'],
  ['{frozenset({1, 2})} and {frozenset({2, 1})}', { s: [{ fs: [1, 2] }] }, { s: [{ fs: [2, 1] }] }, 'equal'],
  [
    '{1: "a", 2: "b"} in another order',
    {
      d: [
        [1, 'a'],
        [2, 'b'],
      ],
    },
    {
      d: [
        [2, 'b'],
        [1, 'a'],
      ],
    },
    'equal',
  ],
  ['{1: "a"} and {True: "a"}', { d: [[1, 'a']] }, { d: [[true, 'a']] }, 'equal'],
  ['{1: "a"} and {1: "b"}', { d: [[1, 'a']] }, { d: [[1, 'b']] }, 'unequal'],
  [
    '{"a": 1} and {"a": 1, "b": 1}',
    { d: [['a', 1]] },
    {
      d: [
        ['a', 1],
        ['b', 1],
      ],
    },
    'unequal',
  ],
  ['["1,2"] and ["1", "2"]', ['1,2'], ['1', '2'], 'unequal'],
  ['lone surrogates', '\ud800', '\ud800', 'equal'],
  ['a map and a list', { x: 'map' }, [1], 'unequal'],
  ['a generator and another one', { x: 'generator' }, { x: 'generator' }, 'unequal'],
  ['a Counter and a dict', { x: 'Counter' }, { d: [] }, 'unknown'],
  ['a Decimal inside a list', [{ x: 'Decimal' }], [1], 'unknown'],
];

describe("agreement is Python's ==", () => {
  it.each(pairs)('on %s', (_what, a, b, expected) => {
    expect(agreement(a, b)).toBe(expected);
    expect(agreement(b, a)).toBe(expected);
  });

  it('is unknown for values nested deeper than Python compares', () => {
    let deep: Value = 1;
    for (let depth = 0; depth < 100_000; depth += 1) deep = [deep];
    expect(agreement(deep, deep)).toBe('unknown');
  });

  it('compares sets of a hundred thousand tuples in any order within two seconds', () => {
    const members = Array.from({ length: 100_000 }, (_, index): Value => ({ t: [index, String(index)] }));
    const start = process.cpuUsage();
    expect(agreement({ s: members }, { s: members.toReversed() })).toBe('equal');
    expect(process.cpuUsage(start).user / 1e6).toBeLessThan(2);
  });

  it.each<Value>([{ q: 1 } as never, { i: 'x' }, { f: 'one' }, { i: '1', f: '1.0' }, { d: [[1]] } as never, 1.5])(
    'throws on %j',
    (value) => {
      expect(() => agreement(value, 1)).toThrow();
    },
  );
});
