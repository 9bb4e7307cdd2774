import fc from 'fast-check';
import { expect, test } from 'vitest';
import { passAtK } from '../../../domain/metrics/pass-at-k.ts';

/** The share of all k-subsets of n samples that hold one of the first c. */
function byEnumeration(n: number, c: number, k: number): number {
  let subsets = 0;
  let hits = 0;
  for (let mask = 0; mask < 2 ** n; mask += 1) {
    const members = Array.from({ length: n }, (_, index) => index).filter((index) => (mask >> index) & 1);
    if (members.length !== k) continue;
    subsets += 1;
    if (members.some((index) => index < c)) hits += 1;
  }
  return hits / subsets;
}

test('passAtK is the share of k-subsets with a passing sample, for all n up to 8', () => {
  for (let n = 1; n <= 8; n += 1) {
    for (let c = 0; c <= n; c += 1) {
      for (let k = 1; k <= n; k += 1) expect(passAtK(n, c, k)).toBeCloseTo(byEnumeration(n, c, k), 12);
    }
  }
});

test('passAtK is 1 when fewer than k samples fail, and 0 when none passes', () => {
  expect(passAtK(200, 196, 5)).toBe(1);
  expect(passAtK(200, 0, 5)).toBe(0);
});

test('passAtK grows with c and with k', () => {
  const cases = fc
    .integer({ min: 2, max: 300 })
    .chain((n) => fc.tuple(fc.constant(n), fc.integer({ min: 0, max: n - 1 }), fc.integer({ min: 1, max: n - 1 })));
  fc.assert(
    fc.property(cases, ([n, c, k]) => {
      expect(passAtK(n, c + 1, k)).toBeGreaterThanOrEqual(passAtK(n, c, k));
      expect(passAtK(n, c, k + 1)).toBeGreaterThanOrEqual(passAtK(n, c, k) - 1e-12);
    }),
  );
});

test.each([
  { n: 4, c: 2, k: 5 },
  { n: 4, c: 5, k: 1 },
  { n: 4, c: -1, k: 1 },
  { n: 4, c: 2, k: 0 },
  { n: 4.5, c: 2, k: 1 },
])('passAtK refuses n $n, c $c, k $k', ({ n, c, k }) => {
  expect(() => passAtK(n, c, k)).toThrow(`n ${n}, c ${c}, k ${k}`);
});
