import { describe, expect, it } from 'vitest';
import { assertCase } from '../../../domain/benchmarks/assert-case.ts';
import { assertSuite, checkFunction } from '../../../domain/benchmarks/assert-suite.ts';

describe('an assert becomes a call with an expected value', () => {
  it.each<readonly [string, unknown, unknown, unknown]>([
    ['assert f(1, [2.5]) == (3, "a")', [1, [{ f: '2.5' }]], { t: [3, 'a'] }, 'equal'],
    ['assert f((1, 2)) == [1], "a message"', [{ t: [1, 2] }], [1], 'equal'],
    ['assert abs(f(1.33) - 0.33) < 1e-6', [{ f: '1.33' }], { f: '0.33' }, { below: 1e-6 }],
    ['assert f(3) is None', [3], null, 'same'],
    ['assert f([])', [[]], true, 'truth'],
    ['assert not f(2)', [2], false, 'truth'],
    ['assert set(f(1)) == set([2, 2])', [1], { s: [2] }, 'set'],
    ['assert tuple(f(1)) == tuple([2])', [1], { t: [2] }, 'tuple'],
    ['assert math.isclose(f(10), 4188.5, rel_tol=0.001)', [10], { f: '4188.5' }, { relTol: 0.001, absTol: 0 }],
  ])('%s', (statement, args, expected, check) => {
    expect(assertCase(statement, 'f')).toEqual({ args, expected, check });
  });

  it('an assert of True alone tests nothing', () => {
    expect(assertCase('assert True, "fine"', 'f')).toBe('nothing');
  });
});

describe('test code stays test code', () => {
  it.each([
    'assert f(1) == g(1)',
    'assert f(x) == 1',
    'assert f(1) == f(1)',
    'assert f(f(1)) == 1',
    'assert f(1) != 2',
    'assert f(1) == 2 and f(2) == 3',
    'assert f(1, k=2) == 3',
    'assert g(1) == 2',
    'assert f(1) == No solution',
    'assert set(f(1)) == [2]',
    'assert abs(f(1)) < 2',
    'assert f("a") == f',
    'for x in range(3):\n    assert f(x) == x',
    'import math',
  ])('%s', (statement) => {
    expect(assertCase(statement, 'f')).toBeNull();
  });
});

describe('assertSuite', () => {
  const suite = (...statements: string[]): object =>
    assertSuite({ name: 'base', statements, alias: 'f', prelude: 'import math' });

  it('of convertible asserts contains no test code', () => {
    expect(suite('assert f(1) == 2', 'assert True', 'assert f(2) == 3')).toEqual({
      ...{ name: 'base', inputs: [[1], [2]], expected: [2, 3], oracle: { rule: 'equal' } },
    });
  });

  it('keeps the order of calls and test code, and puts statements without tests before the code that uses them', () => {
    expect(suite('import copy', 'assert f(1) == 2', 'x = 5', 'assert f(x) == 6', 'assert f([])', 'y = 1')).toEqual({
      name: 'base',
      inputs: [[1], [], [[]]],
      expected: [2, true, true],
      oracle: { rule: 'asserts', checks: ['equal', 'equal', 'truth'] },
      script: { prelude: 'import math', alias: 'f', cases: [null, 'import copy\nx = 5\nassert f(x) == 6', null] },
    });
  });
});

describe('checkFunction', () => {
  it('gives the statements of check and those outside it', () => {
    const test =
      "\nMETADATA = {\n    'author': 'jt'\n}\n\n\ndef check(candidate):\n    # Easy\n    assert candidate(1) == 2\n" +
      '    for i in [1]:\n        assert candidate(i)\n\n';
    expect(checkFunction(test)).toEqual({
      body: ['# Easy\nassert candidate(1) == 2', expect.stringMatching(/^for i in \[1\]:\n {4}assert candidate\(i\)/)],
      beside: [expect.stringMatching(/METADATA/)],
    });
    expect(checkFunction('assert f(1) == 2')).toBeNull();
  });
});
