import { expect, test } from 'vitest';
import { aucE, aucENormalized } from '../../../../studies/promptse/results/elasticity/auc-e.ts';
import type { ByDistance } from '../../../../studies/promptse/distances.ts';
import {
  elasticityFull,
  elasticityLight,
  excessLight,
  floorFull,
} from '../../../../studies/promptse/results/elasticity/elasticity.ts';
import { softExec } from '../../../../studies/promptse/soft-exec.ts';
import scipy from '../../../fixtures/scipy/promptse.json' with { type: 'json' };
import published from '../../../../data/published/promptse.json' with { type: 'json' };

test('SoftExec is SciPy’s, and of one passing sample its softmax weight, even beyond the range of exp', () => {
  for (const { logprobs, passed, weights, score } of scipy.soft_exec) {
    const scoreOf = (passes: (index: number) => boolean) =>
      softExec(logprobs.map((logprobSum, index) => ({ logprobSum, passed: passes(index) })));
    for (const [only, weight] of weights.entries()) expect(scoreOf((index) => index === only)).toBeCloseTo(weight, 12);
    expect(scoreOf((index) => passed[index] as boolean)).toBeCloseTo(score, 12);
  }
});

test('SoftExec is 3/4 when the passing one of two samples is three times as likely', () => {
  expect(
    softExec([
      { logprobSum: Math.log(3), passed: true },
      { logprobSum: 0, passed: false },
    ]),
  ).toBeCloseTo(0.75, 15);
});

test('SoftExec is undefined without samples, and exactly 1 when all pass', () => {
  expect(softExec([])).toBeNull();
  for (const step of [3, 7, 11, 13, 17]) {
    const all = Array.from({ length: 16 }, (_, index) => ({ logprobSum: -index / step, passed: true }));
    expect(softExec(all)).toBe(1);
  }
});

test('elasticities are those of NumPy', () => {
  for (const { original, variants, full, light } of scipy.elasticity) {
    expect(elasticityFull(original, variants)).toBeCloseTo(full, 12);
    expect(elasticityLight(original, variants)).toBeCloseTo(light, 12);
  }
});

test('variants that fall on both sides of the original cancel out in the light form and count in the full one', () => {
  expect(elasticityFull(0.5, [0.25, 0.75])).toBe(0.75);
  expect(elasticityLight(0.5, [0.25, 0.75])).toBe(1);
  expect(elasticityFull(0.5, [])).toBeNull();
});

test('the full floor is the mean over all pairs of draws: 0.1, 0.4 and 0.7 give 1 - (0.3 + 0.6 + 0.3) / 3', () => {
  expect(floorFull([0.1, 0.4, 0.7])).toBeCloseTo(0.6, 12);
  expect(floorFull([0.4])).toBeNull();
});

test('the light excess is the mean over all choices of answers, by SciPy and, where few, one by one', () => {
  const answers = ([passed = 0, count = 0]: readonly number[]) => ({ passed, count });
  for (const { baseline, originals, variants, excess } of scipy.excess_light) {
    const found = excessLight({
      ...{ baseline: answers(baseline), originals: answers(originals), variants: answers(variants) },
    });
    expect(found?.excess).toBeCloseTo(excess, 10);
    const [, m = 0] = baseline;
    expect(found?.samples).toBe(Math.min((originals[1] ?? 0) - m, variants[1] ?? 0));
  }
});

test('the light excess needs an answer to the original beyond the baseline', () => {
  const baseline = { passed: 2, count: 4 };
  expect(excessLight({ baseline, originals: baseline, variants: { passed: 5, count: 20 } })).toBeNull();
});

test("AUC-E is Simpson's rule with 1/9, and with 1/6 when normalised", () => {
  for (const { curve, auc_e, normalized } of scipy.auc_e) {
    expect(aucE(curve as unknown as ByDistance<number>)).toBeCloseTo(auc_e, 12);
    expect(aucENormalized(curve as unknown as ByDistance<number>)).toBeCloseTo(normalized, 12);
  }
});

test("the paper's best model: elasticity near 0.97 at every distance gives the AUC-E that it prints, 0.646", () => {
  const best = published.models.find(({ model }) => model === 'Qwen-1.5B');
  expect(Math.abs(aucE([0.97, 0.97, 0.97]) - (best?.auc_e ?? 0))).toBeLessThan(0.002);
});
