import { describe, expect, it } from 'vitest';
import { createJudge } from '../../../domain/values/oracle.ts';
import type { Oracle, Value } from '../../../schemas/task.ts';

const evalplus = (atol: number, special: string | null = null, secondAnswers?: readonly Value[]): Oracle =>
  secondAnswers === undefined
    ? { rule: 'evalplus', atol, special }
    : { rule: 'evalplus', atol, special, secondAnswers };
const judge = (oracle: Oracle, output: Value, expected: Value, index = 0): string =>
  createJudge(oracle)(output, expected, index);
const float = (text: string): Value => ({ f: text });

describe('the evalplus oracle', () => {
  // Bounds by hand: |output - expected| <= atol + 1e-7 |expected|.
  it.each<readonly [string, number, Value, Value, string]>([
    ['1e-6 apart near 0 when a float is expected', 0, float('0.000001'), float('0.0'), 'equal'],
    ['1.1e-6 apart near 0', 0, float('0.0000011'), float('0.0'), 'unequal'],
    ['1e-7 of a large float', 0, float('1000000.1'), float('1000000.0'), 'equal'],
    ['just outside of 1e-6 + 1e-7 * 1e6', 0, float('1000000.10001'), float('1000000.0'), 'unequal'],
    ['an int for a float of equal worth', 0, 2, float('2.0'), 'equal'],
    ['an int for a float that is only close', 0, 2, float('2.0000001'), 'unequal'],
    ['ints are exact when no tolerance is set', 0, 100_000_001, 100_000_000, 'unequal'],
    ['ints are close when the task sets a tolerance', 1e-4, 100_000_001, 100_000_000, 'equal'],
    ['True for 1.0001 within a tolerance is another type', 1e-3, true, float('1.0001'), 'unequal'],
    ['lists of floats', 0, [float('0.1'), float('0.2000001')], [float('0.1'), float('0.2')], 'equal'],
    ['lists of other lengths', 0, [float('0.1')], [float('0.1'), float('0.2')], 'unequal'],
    ['a tuple for a list of floats', 0, { t: [float('0.1')] }, [float('0.1000001')], 'unequal'],
    [
      'a nested list is not made of floats, so there is no tolerance',
      0,
      [[float('0.1000001')]],
      [[float('0.1')]],
      'unequal',
    ],
    ['a nested list within a tolerance', 1e-4, [[float('0.10001')], [1]], [[float('0.1')], [1]], 'equal'],
    [
      'nested lists of other shapes are not broadcast',
      1e-4,
      [[float('0.10001')]],
      [[float('0.1'), float('0.1')]],
      'unequal',
    ],
    ['an empty list', 0, [], [float('1.0')], 'unequal'],
    ['texts within a tolerance', 1e-4, 'a', 'b', 'unequal'],
    ['nan is never close', 0, float('nan'), float('nan'), 'unequal'],
    ['infinities are equal', 0, [float('inf')], [float('inf')], 'equal'],
    ['a finite number for infinity', 0, float('1e308'), float('inf'), 'unequal'],
    ['complex numbers within a tolerance', 1e-4, { c: ['1.00001', '2.0'] }, { c: ['1.0', '2.0'] }, 'equal'],
    ['ints beyond 64 bits are exact', 1e-4, { i: '100000000000000000001' }, { i: '100000000000000000000' }, 'unequal'],
    ['dicts are exact', 1e-4, { d: [[1, float('0.10001')]] }, { d: [[1, float('0.1')]] }, 'unequal'],
  ])('%s', (_name, atol, output, expected, agreement) => {
    expect(judge(evalplus(atol), output, expected)).toBe(agreement);
  });

  it('keeps the tolerance of 1e-6 from the first expected float on', () => {
    const cases = createJudge(evalplus(0));
    expect(cases(100_000_001, 100_000_000, 0)).toBe('unequal');
    expect(cases(float('1.0'), float('1.0'), 1)).toBe('equal');
    expect(cases(100_000_001, 100_000_000, 2)).toBe('equal');
  });
});

describe('special oracles', () => {
  it.each<readonly [string, Value, Value, string]>([
    ['order', [2, 1], { t: [1, 2] }, 'equal'],
    ['repetition', [1, 1, 2], [2, 1], 'equal'],
    ['a missing member', [1], [1, 2], 'unequal'],
    ['a text as the set of its characters', 'ab', ['b', 'a'], 'equal'],
    ['a dict as the set of its keys', { d: [['a', 1]] }, ['a'], 'equal'],
    ['bytes as the set of their numbers', { b: '6162' }, [98, 97], 'equal'],
    ['members that cannot be hashed', [[1]], [[1]], 'unequal'],
    ['a tuple that holds a list', [{ t: [[1]] }], [{ t: [[1]] }], 'unequal'],
    ['a number', 5, [5], 'unequal'],
    ['None', null, [], 'unequal'],
    ['a generator', { x: 'generator' }, [1], 'unknown'],
  ])('set_equal looks at %s', (_name, output, expected, agreement) => {
    expect(judge(evalplus(0, 'set_equal'), output, expected)).toBe(agreement);
  });

  it.each<readonly [Value, Value, string]>([
    [{ x: 'Match' }, { x: 'Match' }, 'equal'],
    [true, { x: 'Match' }, 'equal'],
    [false, { x: 'Match' }, 'unequal'],
    ['text', { x: 'Match' }, 'equal'],
    [null, { x: 'Match' }, 'unequal'],
    [null, null, 'equal'],
    [false, null, 'equal'],
    [true, null, 'unequal'],
    [0, null, 'unequal'],
  ])('not_none: %j for %j is %s', (output, expected, agreement) => {
    expect(judge(evalplus(0, 'not_none'), output, expected)).toBe(agreement);
  });

  it('any accepts every output', () => {
    expect(judge(evalplus(0, 'any'), { x: 'object' }, true)).toBe('equal');
  });

  it('zero_accepted accepts 0 as well as the expected value', () => {
    expect([0, false, 7, 8].map((output) => judge(evalplus(0, 'zero_accepted'), output, 7))).toEqual([
      'equal',
      'equal',
      'equal',
      'unequal',
    ]);
  });

  it("second_answer accepts the case's other result", () => {
    const oracle = evalplus(0, 'second_answer', [1, 20]);
    expect([10, 20, 1].map((output) => judge(oracle, output, 10, 1))).toEqual(['equal', 'equal', 'unequal']);
    expect(() => judge(oracle, 5, 10, 2)).toThrow(/case 2/);
  });

  it('an unknown name is an error', () => {
    expect(() => judge(evalplus(0, 'sets'), 1, 1)).toThrow(/sets/);
  });
});
