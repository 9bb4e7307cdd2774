import fc from 'fast-check';
import { expect, test } from 'vitest';
import { passAtK, passHatK } from '../../../domain/metrics/pass-at-k.ts';
import scipy from '../../fixtures/scipy/pass.json' with { type: 'json' };

/** All ways to choose k of n, as lists of places. */
function subsets(n: number, k: number, from = 0): number[][] {
  if (k === 0) return [[]];
  return Array.from({ length: n - from }, (_, offset) => from + offset).flatMap((first) =>
    subsets(n, k - 1, first + 1).map((rest) => [first, ...rest]),
  );
}

test('they are the shares of all subsets of k samples with one, or only, samples that pass: every n up to 8', () => {
  for (let n = 1; n <= 8; n += 1)
    for (let c = 0; c <= n; c += 1)
      for (let k = 1; k <= n; k += 1) {
        const all = subsets(n, k);
        // The first c samples pass.
        const some = all.filter((places) => places.some((place) => place < c)).length;
        const every = all.filter((places) => places.every((place) => place < c)).length;
        expect(passAtK(n, c, k), `pass@k of ${n}, ${c}, ${k}`).toBeCloseTo(some / all.length, 12);
        expect(passHatK(n, c, k), `pass^k of ${n}, ${c}, ${k}`).toBeCloseTo(every / all.length, 12);
      }
});

test.each(scipy.pass_at_k)("n $n, c $c, k $k: SciPy's hypergeometric distribution", ({ n, c, k, at, hat }) => {
  expect(passAtK(n, c, k)).toBeCloseTo(at, 12);
  expect(passHatK(n, c, k)).toBeCloseTo(hat, 12);
});

test('k = 1 is the pass rate for both; more k raises pass@k and lowers pass^k', () => {
  const sizes = fc.integer({ min: 2, max: 200 }).chain((n) => fc.tuple(fc.constant(n), fc.integer({ min: 0, max: n })));
  fc.assert(
    fc.property(sizes, ([n, c]) => {
      expect(passAtK(n, c, 1)).toBeCloseTo(c / n, 12);
      expect(passHatK(n, c, 1)).toBeCloseTo(c / n, 12);
      for (const k of [1, Math.ceil(n / 2), n - 1]) {
        expect(passAtK(n, c, k + 1)).toBeGreaterThanOrEqual((passAtK(n, c, k) as number) - 1e-12);
        expect(passHatK(n, c, k + 1)).toBeLessThanOrEqual((passHatK(n, c, k) as number) + 1e-12);
      }
    }),
    { seed: 21 },
  );
});

test('with fewer than k samples there is no value; impossible counts are refused', () => {
  expect(passAtK(4, 4, 5)).toBeNull();
  expect(passHatK(4, 4, 5)).toBeNull();
  expect(passAtK(0, 0, 1)).toBeNull();
  for (const [n, c, k] of [
    [3, 4, 1],
    [3, -1, 1],
    [3, 1, 0],
    [3, 1.5, 1],
  ] as const)
    expect(() => passAtK(n, c, k)).toThrow('0 <= c <= n');
});
