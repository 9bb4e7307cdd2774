import { describe, expect, it } from 'vitest';
import { cohenKappa, kappaOfCounts } from '../../../domain/statistics/cohen-kappa.ts';
import { krippendorffAlpha } from '../../../domain/statistics/krippendorff-alpha.ts';

describe("Krippendorff's alpha", () => {
  it('is 0.095 for the binary data of two coders in Krippendorff (2011), section B', () => {
    const [meg, owen] = [
      [0, 1, 0, 0, 0, 0, 0, 0, 1, 0],
      [1, 1, 1, 0, 0, 1, 0, 0, 0, 0],
    ];
    expect(krippendorffAlpha((meg ?? []).map((value, index) => [value, owen?.[index] ?? null]))).toBeCloseTo(0.095, 3);
  });

  it('is 0.743 for the nominal data of four coders with gaps in Krippendorff (2011), section C', () => {
    const x = null;
    const coders = [
      [1, 2, 3, 3, 2, 1, 4, 1, 2, x, x, x],
      [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, x, 3],
      [x, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, x],
      [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, x],
    ];
    const units = Array.from({ length: 12 }, (_, unit) => coders.map((coder) => coder[unit] ?? null));
    expect(krippendorffAlpha(units)).toBeCloseTo(0.743, 3);
  });

  it('is undefined without pairs and without any variation', () => {
    expect(
      krippendorffAlpha([
        [1, null],
        [null, 2],
      ]),
    ).toBeNull();
    expect(
      krippendorffAlpha([
        [true, true],
        [true, true],
      ]),
    ).toBeNull();
  });
});

describe("Cohen's kappa", () => {
  const pairs = (both: number, first: number, second: number, none: number): [boolean, boolean][] => [
    ...Array.from({ length: both }, (): [boolean, boolean] => [true, true]),
    ...Array.from({ length: first }, (): [boolean, boolean] => [true, false]),
    ...Array.from({ length: second }, (): [boolean, boolean] => [false, true]),
    ...Array.from({ length: none }, (): [boolean, boolean] => [false, false]),
  ];

  it('is 0.4 for 20 yes, 15 no, 5 and 10 of 50 in disagreement: by hand (0.7 - 0.5) / 0.5', () => {
    expect(cohenKappa(pairs(20, 5, 10, 15))).toBeCloseTo(0.4, 12);
  });

  it('distinguishes equal agreement by chance: 0.1304 and 0.2593 for 45/15/25/15 and 25/35/5/35', () => {
    expect(cohenKappa(pairs(45, 15, 25, 15))).toBeCloseTo(0.1304, 4);
    expect(cohenKappa(pairs(25, 35, 5, 35))).toBeCloseTo(0.2593, 4);
  });

  it('is undefined without units, and if chance alone always agrees', () => {
    expect(cohenKappa([])).toBeNull();
    expect(cohenKappa(pairs(3, 0, 0, 0))).toBeNull();
  });
});

describe("Cohen's kappa of counts", () => {
  it('is 0.4 for 20 proposals that both grant, 15 that both refuse and 5 and 10 that one grants', () => {
    expect(kappaOfCounts({ both: 20, onlyFirst: 5, onlySecond: 10, neither: 15 })).toBeCloseTo(0.4, 12);
  });

  it('is that of the pairs', () => {
    const pairs = [...Array(3).fill([1, 1]), ...Array(4).fill([1, 0]), [0, 1], ...Array(6).fill([0, 0])];
    const counts = { both: 3, onlyFirst: 4, onlySecond: 1, neither: 6 };
    expect(kappaOfCounts(counts)).toBeCloseTo(cohenKappa(pairs) ?? Number.NaN, 12);
  });

  it('is undefined without units, and where chance alone would always agree', () => {
    expect(kappaOfCounts({ both: 0, onlyFirst: 0, onlySecond: 0, neither: 0 })).toBeNull();
    expect(kappaOfCounts({ both: 7, onlyFirst: 0, onlySecond: 0, neither: 0 })).toBeNull();
  });
});
