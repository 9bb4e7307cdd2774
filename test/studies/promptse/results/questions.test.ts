import { expect, test } from 'vitest';
import { calibrationOf } from '../../../../studies/promptse/results/calibration/calibration-groups.ts';
import { calibrationError } from '../../../../studies/promptse/results/calibration/calibration.ts';
import {
  effectIntervals,
  groupEffect,
  sizeFamilyInteraction,
} from '../../../../studies/promptse/results/questions/delta-effect.ts';
import { groupOf, sizeGroupOf } from '../../../../domain/metrics/model-groups.ts';
import { closeness, lightAgreement } from '../../../../studies/promptse/results/questions/light-agreement.ts';
import { structureOf, type TaskPoint } from '../../../../studies/promptse/results/questions/structure.ts';
import scipy from '../../../fixtures/scipy/epsilon_squared.json' with { type: 'json' };
import published from '../../../../data/published/promptse.json' with { type: 'json' };

test('size groups: tiny below 3, small below 10, medium below 20 billion, large from 20', () => {
  expect([1.5, 3, 6.7, 10, 13, 20, 33].map(sizeGroupOf)).toEqual([
    'tiny',
    'small',
    'small',
    'medium',
    'medium',
    'large',
    'large',
  ]);
  expect(groupOf({ family: null, sizeB: null }, 'size')).toBeNull();
});

const facts = { family: 'A', sizeB: 7, excess: null, tasks: new Map<string, TaskPoint>() };

test('four models, one in each quadrant; performance and stability are unrelated', () => {
  const points = [
    { ...facts, model: 'a', passAt1: 0.9, aucE: 0.6 },
    { ...facts, model: 'b', passAt1: 0.8, aucE: 0.4, family: 'B' },
    { ...facts, model: 'c', passAt1: 0.2, aucE: 0.61, sizeB: 30 },
    { ...facts, model: 'd', passAt1: 0.3, aucE: 0.41, sizeB: null },
  ];
  const found = structureOf(points);
  expect(found).toMatchObject({ quadrants: [1, 1, 1, 1], spearman: { n: 4 } });
  // Ranks of pass@1: 4 3 1 2, of AUC-E: 3 1 4 2; squared differences 1 + 4 + 9 + 0, rho = 1 - 6 * 14 / 60.
  expect(found.spearman.statistic).toBeCloseTo(-0.4, 12);
  expect(found.excessSpearman.reason).toBe('fewer than two pairs');
  expect(found.models.map(({ quadrant }) => quadrant)).toEqual([
    'high, steady',
    'high, touchy',
    'low, steady',
    'low, touchy',
  ]);
  expect(found.groups.map(({ by, group, n, least, greatest }) => [by, group, n, least, greatest])).toEqual([
    ['family', 'A', 3, 0.41, 0.61],
    ['family', 'B', 1, 0.4, 0.4],
    ['size', 'small', 2, 0.4, 0.6],
    ['size', 'large', 1, 0.61, 0.61],
  ]);
  expect(structureOf([]).spearman.reason).toBe('fewer than two pairs');
});

test('of the two models with both values in the paper, the better one is the less steady', () => {
  const points = published.models.flatMap(({ model, pass_at_1: passAt1, auc_e: aucE }) =>
    passAt1 === null || aucE === null ? [] : [{ ...facts, model, passAt1, aucE }],
  );
  expect(points).toHaveLength(2);
  expect(structureOf(points).spearman.statistic).toBe(-1);
});

const delta = (sizeB: number, family: string, value: number, task = 'T/1', distance = 0.1) => ({
  ...{ model: `${family}${sizeB}`, sizeB, family, cluster: task, distance, delta: value },
});

test.each(scipy.cases)(
  'epsilon squared lies in the jackknife’s interval over tasks, worked out with SciPy’s H and t',
  ({ groups, interval }) => {
    const deltas = groups.map((own, group) =>
      own.flatMap((values, task) => values.map((value) => delta(group, 'A', value, `T/${task}`))),
    );
    const [lo = 0, hi = 0] = interval;
    expect(effectIntervals(deltas).epsilonSquared).toEqual({ lo: expect.closeTo(lo, 9), hi: expect.closeTo(hi, 9) });
  },
);

test('spread of |delta| by size: mean, sample variance, share of falls; tests where there is another group', () => {
  const effect = groupEffect(
    [delta(1, 'A', -0.1), delta(1, 'A', 0.3, 'T/2', 0.2), delta(30, 'B', -0.5), delta(30, 'B', -0.7, 'T/2')],
    'size',
  );
  const [tiny, large, ...byDistance] = effect?.spreads ?? [];
  expect(tiny).toMatchObject({
    ...{ group: 'tiny', distance: null, n: 2, meanAbsolute: 0.2, shareNegative: 0.5 },
    variance: expect.closeTo(0.02, 12),
  });
  // One fall in two tasks is Clopper and Pearson's interval of 1 of 2.
  expect(tiny?.intervals.shareNegative?.lo).toBeCloseTo(0.0126, 4);
  expect(tiny?.intervals.shareNegative?.hi).toBeCloseTo(0.9874, 4);
  expect(large).toMatchObject({ group: 'large', shareNegative: 1 });
  expect(byDistance.map(({ group, distance, n }) => [group, distance, n])).toEqual([
    ['tiny', 0.1, 1],
    ['tiny', 0.2, 1],
    ['large', 0.1, 2],
  ]);
  // Ranks 1 2 | 3 4: H = 12 / 20 * (9 / 2 + 49 / 2) - 15 = 2.4.
  expect(effect?.kruskalWallis.statistic).toBeCloseTo(2.4, 12);
  expect(effect?.epsilonSquared).toBeCloseTo(0.8, 12);
  expect(effect?.pairs).toEqual([
    expect.objectContaining({ groups: ['tiny', 'large'], cliffsDelta: -1, corrected: expect.any(Number) }),
  ]);
  // Two models: either order is as likely, so no p can come below 1.
  expect(effect?.models).toMatchObject({
    p: null,
    leastP: 1,
    n: 2,
    reason: expect.stringContaining('cannot be tested: of 2 models'),
  });
  expect(groupEffect([delta(1, 'A', 0)], 'size')?.kruskalWallis.reason).toBe('fewer than two groups with values');
  expect(groupEffect([{ ...delta(1, 'A', 0), sizeB: null }], 'size')).toBeNull();
});

test('size matters in one family and not in the other: an interaction; in both alike: none', () => {
  const tasks = Array.from({ length: 20 }, (_, index) => [`T/${index}`, index / 1000] as const);
  const sizes = (large: number) =>
    tasks.flatMap(([task, more]) => [
      ...[delta(1, 'A', 0.1 + more, task), delta(30, 'A', 0.5 + more, task)],
      ...[delta(1, 'B', 0.1 + more, task), delta(30, 'B', large + more, task)],
    ]);
  const crossed = sizeFamilyInteraction(sizes(0.1));
  expect(crossed.df).toBe(1);
  expect(crossed.p).toBeLessThan(0.001);
  expect(sizeFamilyInteraction(sizes(0.5)).p).toBeGreaterThan(0.9);
  expect(sizeFamilyInteraction(sizes(0.5).filter(({ family }) => family === 'A')).reason).toContain('no two levels');
});

test('Light against full by performance, family and size, and the models whose rank drifts', () => {
  const model = (name: string, passAt1: number, light: number, full: number, sizeB: number | null, family: string) => ({
    ...{
      model: name,
      passAt1,
      sizeB,
      family,
      published: { light, full },
      normalized: { light: 1.5 * light, full: 1.5 * full },
    },
    tasks: [
      { light, full, cluster: 'T/1' },
      { light: 1, full: 1, cluster: 'T/2' },
    ],
  });
  const { strata, drift } = lightAgreement([
    model('a', 0.1, 0.6, 0.5, 1, 'A'),
    model('b', 0.5, 0.5, 0.55, 7, 'A'),
    model('c', 0.9, 0.4, 0.4, null, 'B'),
  ]);
  const names = strata.map(({ by, name, models }) => `${by} ${name} ${models}`);
  expect(names).toEqual([
    ...[
      'all all models 3',
      'model a 1',
      'model b 1',
      'model c 1',
      'performance low 1',
      'performance middle 1',
      'performance high 1',
    ],
    ...['family A 2', 'family B 1', 'size tiny 1', 'size small 1'],
  ]);
  const [all] = strata;
  expect(all?.overModels?.errors?.mae).toBeCloseTo(0.05, 12);
  expect(all?.overModelsNormalized?.errors?.mae).toBeCloseTo(0.075, 12);
  expect(all?.overTasks.errors).toMatchObject({ n: 6, mae: expect.closeTo(0.025, 12) });
  expect(strata[1]?.overModels).toBeNull();
  expect(drift).toEqual([
    { model: 'a', full: 2, light: 1 },
    { model: 'b', full: 1, light: 2 },
  ]);
});

test('closeness is about the light value as a prediction of the full one', () => {
  const near = closeness(
    [
      { light: 0.5, full: 0.4, cluster: 'a' },
      { light: 0.6, full: 0.6, cluster: 'b' },
      { light: 0.9, full: 0.8, cluster: 'c' },
      { light: 0.3, full: 0.3, cluster: 'd' },
      { light: 0.2, full: 0.2, cluster: 'e' },
    ],
    1,
  );
  expect(near.spearman.statistic).toBe(1);
  // Squares around the mean of 0.46: 0.0036 + 0.0196 + 0.1156 + 0.0256 + 0.0676.
  expect(near.errors).toMatchObject({ mae: expect.closeTo(0.2 / 5, 12), r2: expect.closeTo(1 - 0.02 / 0.232, 12) });
  expect(closeness([], 1).errors).toBeNull();
  // Every estimate lies in its interval, and none is empty, also at a rank correlation of 1.
  const { intervals } = near;
  expect(intervals.spearman?.hi).toBe(1);
  expect(intervals.spearman?.lo).toBeLessThan(0.9);
  expect(intervals.mae?.lo).toBeLessThan(0.2 / 5);
  expect(intervals.mae?.hi).toBeGreaterThan(0.2 / 5);
  expect(closeness([], 1).intervals).toMatchObject({ pearson: null, mae: null, r2: null });
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

// Red before: with equal quartiles every success was unsure and every failure sure, by the same confidence.
test('a model that is always as confident has no sure failures and unsure successes by its own quartiles', () => {
  const cell = {
    ...{ task: 't', emotion: null, quadrant: null, distance: 0, bin: 9, n: 10, confidence: 9.8, passed: 7 },
    ...{ sureFailures: 3, unsureSuccesses: 0, sureFailuresOwn: null, unsureSuccessesOwn: null },
  };
  const found = calibrationOf([cell, { ...cell, task: 'u' }], ['m', 'all', 'all samples']);
  expect(found).toMatchObject({ sureFailures: { value: 0.3 }, sureFailuresOwn: null, unsureSuccessesOwn: null });
});
