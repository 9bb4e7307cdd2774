import { expect, test } from 'vitest';
import { addedVariance } from '../../../domain/statistics/added-variance.ts';
import { leastSquares } from '../../../domain/statistics/least-squares.ts';
import { scheirerRayHare } from '../../../domain/statistics/tests/scheirer-ray-hare.ts';
import fixture from '../../fixtures/scipy/regression.json' with { type: 'json' };

test('a line through (0, 1), (1, 3), (2, 5) is 1 + 2x, and a dependent column changes nothing', () => {
  const [one, x] = [
    [1, 1, 1],
    [0, 1, 2],
  ];
  const { coefficients, residualSquares, rank } = leastSquares([one, x, x.map((value) => 3 * value + 1)], [1, 3, 5]);
  expect(coefficients).toEqual([1, 2, 0].map((value) => expect.closeTo(value, 12)));
  expect(residualSquares).toBeCloseTo(0, 12);
  expect(rank).toBe(2);
});

test("added variance, partial F and cluster-robust errors are statsmodels'", () => {
  for (const { y, controls, added, cluster, ...expected } of fixture.added) {
    const found = addedVariance(y, controls, added, cluster);
    if (found.reason !== null) throw new Error(found.reason);
    expect(found).toMatchObject({ n: y.length, clusters: new Set(cluster).size });
    expect(found.r2Controls).toBeCloseTo(expected.r2_controls, 9);
    expect(found.deltaR2).toBeCloseTo(expected.r2 - expected.r2_controls, 9);
    expect(found.f).toMatchObject({ df1: expected.df1, df2: expected.df2 });
    expect(found.f?.statistic).toBeCloseTo(expected.f, 8);
    expect(found.f?.p).toBeCloseTo(expected.p, 9);
    for (const [index, { coefficient, standardError, p, interval }] of found.effects.entries())
      for (const [at, value] of [coefficient, standardError, p, interval?.lo, interval?.hi].entries())
        expect(value).toBeCloseTo(expected.effects[index]?.[at] as number, 9);
  }
});

test('indistinguishable effects are undefined, with a reason', () => {
  const x = { name: 'x', values: [1, 2, 3, 4] };
  const clusters = ['a', 'a', 'b', 'b'];
  expect(addedVariance([1, 1, 1, 1], [], [x], clusters).reason).toBe('the outcome is constant');
  expect(addedVariance([1, 2, 4, 3], [x], [{ name: 'again', values: [2, 4, 6, 8] }], clusters).reason).toBe(
    'the added variables are linear combinations of the controls',
  );
  expect(addedVariance([1, 2, 4, 3], [], [x], ['a', 'a', 'a', 'a']).reason).toBe('fewer than two clusters');
  expect(addedVariance([], [], [x], []).reason).toBe('no observation');
});

test('the interaction on ranks is that of NumPy, with ties, empty cells and cells of different size', () => {
  for (const { first, second, value, h, df, p } of fixture.interaction) {
    const found = scheirerRayHare(
      value.map((one, index) => ({ first: first[index] as string, second: second[index] as string, value: one })),
    );
    expect(found.df).toBe(df);
    expect(found.statistic).toBeCloseTo(h, 9);
    expect(found.p).toBeCloseTo(p, 9);
  }
  const alone = [1, 2, 3].map((value) => ({ first: 'tiny', second: 'A', value }));
  expect(scheirerRayHare(alone).reason).toContain('no two levels');
  expect(scheirerRayHare(alone.map((one) => ({ ...one, value: 1 }))).reason).toBe('all values are equal');
});
