import { describe, expect, it } from 'vitest';
import { assertAgreement } from '../../../domain/values/assert-check.ts';
import { createJudge } from '../../../domain/values/oracle.ts';
import type { AssertCheck, Value } from '../../../schemas/task.ts';

/** Each row is an assert that was run in Python: the check, the output, the expected value, the result. */
describe('assertAgreement', () => {
  it.each<readonly [AssertCheck, Value, Value, string]>([
    ['equal', { f: '1.0' }, 1, 'equal'],
    ['same', true, true, 'equal'],
    ['same', 1, true, 'unequal'],
    ['same', null, null, 'equal'],
    ['truth', [], true, 'unequal'],
    ['truth', [0], true, 'equal'],
    ['truth', '', false, 'equal'],
    ['truth', { f: 'nan' }, true, 'equal'],
    ['truth', { f: '-0.0' }, true, 'unequal'],
    ['truth', { d: [] }, false, 'equal'],
    ['truth', { x: 'Match' }, true, 'equal'],
    ['truth', { x: 'Box' }, true, 'unknown'],
    ['set', [2, 1, 1], { s: [1, 2] }, 'equal'],
    ['set', 5, { s: [5] }, 'unequal'],
    ['tuple', [1, 2], { t: [1, 2] }, 'equal'],
    ['tuple', [2, 1], { t: [1, 2] }, 'unequal'],
    ['tuple', 'ab', { t: ['a', 'b'] }, 'equal'],
    ['tuple', { x: 'map' }, { t: [] }, 'unknown'],
    [{ below: 0.5 }, { f: '1.5' }, 1, 'unequal'],
    [{ below: 0.5 }, { f: '1.49' }, 1, 'equal'],
    [{ below: 0.5 }, { f: 'nan' }, 1, 'unequal'],
    [{ below: 0.5 }, '1', 1, 'unequal'],
    [{ below: 0.5 }, { x: 'Fraction' }, 1, 'unknown'],
    [{ relTol: 0.001, absTol: 0 }, { f: '1001.0' }, 1000, 'equal'],
    [{ relTol: 0.001, absTol: 0 }, { f: '1002.0' }, 1000, 'unequal'],
    [{ relTol: 0.001, absTol: 0 }, { f: '1e-9' }, 0, 'unequal'],
    [{ relTol: 0, absTol: 1e-8 }, { f: '1e-9' }, 0, 'equal'],
    [{ relTol: 0.1, absTol: 0 }, { f: 'inf' }, { f: 'inf' }, 'equal'],
    [{ relTol: 0.1, absTol: 0 }, { f: 'inf' }, 1, 'unequal'],
    [{ relTol: 0.1, absTol: 0 }, { c: ['1.0', '0.0'] }, 1, 'unequal'],
    [{ below: 0.5 }, { c: ['1.0', '0.25'] }, 1, 'equal'],
    [{ below: 0.5 }, { i: String(2n ** 60n + 1n) }, { i: String(2n ** 60n) }, 'unequal'],
    [{ below: 1.5 }, { i: String(2n ** 60n + 1n) }, { i: String(2n ** 60n) }, 'equal'],
    [{ below: 0.5 }, { i: String(-(2n ** 60n)) }, { f: '-1152921504606846976.0' }, 'equal'],
    [{ below: 0.5 }, true, 1, 'equal'],
    [{ below: 1e308 }, { i: `1${'0'.repeat(400)}` }, { i: `1${'0'.repeat(399)}1` }, 'equal'],
    [{ relTol: 0.1, absTol: 0 }, { i: `1${'0'.repeat(400)}` }, { i: `1${'0'.repeat(400)}` }, 'unequal'],
    [{ relTol: 0.1, absTol: 0 }, { i: `1${'0'.repeat(400)}` }, { f: 'inf' }, 'unequal'],
    [{ relTol: 0, absTol: 0 }, { i: String(2n ** 60n + 1n) }, { i: String(2n ** 60n) }, 'equal'],
  ])('%j of %j against %j is %s', (check, output, expected, agreement) => {
    expect(assertAgreement(check, output, expected)).toBe(agreement);
  });

  it('knows the int 2^53, which the sandbox writes as a plain number', () => {
    expect(assertAgreement('equal', 2 ** 53, { i: '9007199254740992' })).toBe('equal');
    expect(assertAgreement('equal', 2 ** 53, { i: '9007199254740993' })).toBe('unequal');
  });
});

describe('the oracle polynomial_root', () => {
  // x^2 - 3x + 2 has the roots 1 and 2.
  const judge = createJudge({ rule: 'evalplus', atol: 1e-4, special: 'polynomial_root', coefficients: [[2, -3, 1]] });
  it.each<readonly [Value, string]>([
    [1, 'equal'],
    [{ f: '2.00005' }, 'equal'],
    [{ f: '2.0002' }, 'unequal'],
    [null, 'unequal'],
    [{ f: 'nan' }, 'unequal'],
    [{ x: 'Decimal' }, 'unknown'],
  ])('accepts either root: %j is %s', (output, agreement) => {
    expect(judge(output, 1, 0)).toBe(agreement);
  });
});
