import { expect, test } from 'vitest';
import { calibrationError } from '../../../domain/metrics/calibration.ts';
import { closeness, sizeEffect, sizeGroupOf, structureOf } from '../../../domain/metrics/promptse-questions.ts';
import published from '../../../data/published/promptse.json' with { type: 'json' };

test('size groups: tiny below 3, small below 10, medium below 20 billion, large from 20', () => {
  expect([1.5, 3, 6.7, 10, 13, 20, 33].map(sizeGroupOf)).toEqual(['tiny', 'small', 'small', 'medium', 'medium', 'large', 'large']);
});

test('four models, one in each quadrant; performance and stability are unrelated', () => {
  const points = [
    { model: 'a', passAt1: 0.9, aucE: 0.6 },
    { model: 'b', passAt1: 0.8, aucE: 0.4 },
    { model: 'c', passAt1: 0.2, aucE: 0.61 },
    { model: 'd', passAt1: 0.3, aucE: 0.41 },
  ];
  expect(structureOf(points)).toMatchObject({ quadrants: [1, 1, 1, 1], spearman: { n: 4 } });
  // Ranks of pass@1: 4 3 1 2, of AUC-E: 3 1 4 2; squared differences 1 + 4 + 9 + 0, rho = 1 - 6 * 14 / 60.
  expect(structureOf(points).spearman.statistic).toBeCloseTo(-0.4, 12);
  expect(structureOf([]).spearman.reason).toBe('fewer than two pairs');
});

test('the two models of which the paper prints both values are the other way round in each: better and less steady', () => {
  const points = published.models.flatMap(({ model, pass_at_1: passAt1, auc_e: aucE }) =>
    passAt1 === null || aucE === null ? [] : [{ model, passAt1, aucE }],
  );
  expect(points).toHaveLength(2);
  expect(structureOf(points).spearman.statistic).toBe(-1);
});

test('spread of |delta| by size: mean, sample variance, share of falls; tests where there is another group', () => {
  const effect = sizeEffect([
    { sizeB: 1, delta: -0.1 },
    { sizeB: 1, delta: 0.3 },
    { sizeB: 30, delta: -0.5 },
    { sizeB: 30, delta: -0.7 },
  ]);
  expect(effect.spreads[0]).toEqual({ group: 'tiny', n: 2, meanAbsolute: 0.2, variance: expect.closeTo(0.02, 12), shareNegative: 0.5 });
  expect(effect.spreads[1]).toMatchObject({ group: 'large', shareNegative: 1 });
  // Ranks 1 2 | 3 4: H = 12 / 20 * (9 / 2 + 49 / 2) - 15 = 2.4.
  expect(effect.kruskalWallis.statistic).toBeCloseTo(2.4, 12);
  expect(effect.epsilonSquared).toBeCloseTo(0.8, 12);
  expect(effect.pairs).toEqual([expect.objectContaining({ groups: ['tiny', 'large'], cliffsDelta: -1, corrected: expect.any(Number) })]);
  expect(sizeEffect([{ sizeB: 1, delta: 0 }]).kruskalWallis.reason).toBe('fewer than two groups with values');
});

test('closeness is about the light value as a prediction of the full one', () => {
  const near = closeness([
    { light: 0.5, full: 0.4 },
    { light: 0.6, full: 0.6 },
    { light: 0.9, full: 0.8 },
  ]);
  expect(near.spearman.statistic).toBe(1);
  expect(near.errors).toMatchObject({ mae: expect.closeTo(0.2 / 3, 12), r2: expect.closeTo(1 - 0.02 / 0.08, 12) });
  expect(closeness([]).errors).toBeNull();
});

test('calibration error of two bins: ten samples at 0.9 with five right, ten at 0.2 with two right, is 4 / 20', () => {
  expect(
    calibrationError([
      { n: 10, confidence: 9, passed: 5 },
      { n: 10, confidence: 2, passed: 2 },
    ]),
  ).toBeCloseTo(0.2, 12);
  expect(calibrationError([])).toBeNull();
});
