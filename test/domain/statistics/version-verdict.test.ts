import { expect, test } from 'vitest';
import { versionVerdict } from '../../../domain/statistics/tests/version-verdict.ts';

const rule = { direction: 'higher', margin: 0.5, alpha: 0.05 } as const;

test.each([
  { what: 'significantly up where higher is good', difference: 3, lo: 1, hi: 5, p: 0.01, verdict: 'better' },
  { what: 'significantly down where higher is good', difference: -3, lo: -5, hi: -1, p: 0.01, verdict: 'worse' },
  { what: 'within the margin though significant', difference: 0.3, lo: 0.1, hi: 0.5, p: 0.001, verdict: 'no_change' },
  { what: 'within the margin and not significant', difference: 0, lo: -0.4, hi: 0.4, p: 1, verdict: 'no_change' },
  {
    what: 'at the margin but for rounding',
    difference: 0.4,
    lo: 0.1,
    hi: 0.1 + 0.4 + Number.EPSILON,
    p: 0.001,
    verdict: 'no_change',
  },
  { what: 'beyond the margin but not significant', difference: 3, lo: -1, hi: 7, p: 0.2, verdict: 'inconclusive' },
  {
    what: 'significant alone but not within its family',
    difference: 3,
    lo: 0.2,
    hi: 6,
    p: 0.3,
    verdict: 'inconclusive',
  },
])('$what is $verdict', ({ difference, lo, hi, p, verdict }) => {
  expect(versionVerdict({ difference, interval: { lo, hi }, p }, rule)).toBe(verdict);
});

test('if lower is good, a significant rise is worse and a fall better', () => {
  const lower = { ...rule, direction: 'lower' } as const;
  expect(versionVerdict({ difference: 3, interval: { lo: 1, hi: 5 }, p: 0.01 }, lower)).toBe('worse');
  expect(versionVerdict({ difference: -3, interval: { lo: -5, hi: -1 }, p: 0.01 }, lower)).toBe('better');
});

test('without a margin only a difference of exactly 0 is no change', () => {
  const exact = { ...rule, margin: 0 };
  expect(versionVerdict({ difference: 0, interval: { lo: 0, hi: 0 }, p: 1 }, exact)).toBe('no_change');
  expect(versionVerdict({ difference: 0.01, interval: { lo: -0.1, hi: 0.1 }, p: 0.8 }, exact)).toBe('inconclusive');
});

test('a missing comparison or test is inconclusive', () => {
  expect(versionVerdict({ difference: null, interval: null, p: null }, rule)).toBe('inconclusive');
  expect(versionVerdict({ difference: 9, interval: null, p: null }, rule)).toBe('inconclusive');
});
