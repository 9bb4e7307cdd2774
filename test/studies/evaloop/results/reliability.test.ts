import { expect, test } from 'vitest';
import prompts from '../../../../data/published/evaloop-summary-prompts.json' with { type: 'json' };
import temperatures from '../../../../data/published/evaloop-temperatures.json' with { type: 'json' };
import { reliability } from '../../../../studies/evaloop/results/reliability/reliability.ts';

function published({ rows, settings }: typeof prompts) {
  const [baseline, ...others] = settings.map((setting, at) => ({
    setting,
    scores: rows.map(({ asl }) => asl[at] ?? null),
  }));
  if (!baseline) throw new Error('the table has no baseline');
  return reliability(
    rows.map(({ model }) => model),
    baseline,
    others,
  );
}

test.each([
  ['3', prompts, 0.9505],
  ['4', temperatures, 0.9739],
] as const)(
  "the printed ASL of table %s give its places, its average places and its Spearman's rho",
  (_table, table, rho) => {
    const { models, spearman, interval, leftOut } = published(table);
    expect(models.map(({ baselinePlace, places }) => [baselinePlace, ...places])).toEqual(
      table.rows.map(({ places }) => places),
    );
    for (const [index, { average_place }] of table.rows.entries())
      expect(models[index]?.averagePlace).toBeCloseTo(average_place, 10);
    expect(spearman).toBeCloseTo(rho, 4);
    expect(Number(spearman?.toFixed(3))).toBe(table.spearman);
    expect(interval?.lo).toBeLessThan(rho);
    expect(interval?.hi).toBeGreaterThan(rho);
    expect(leftOut).toEqual([]);
  },
);

test('a model that lacks a score is excluded and named, and the others close up', () => {
  const { models, leftOut, spearman } = reliability(['a', 'b', 'c'], { setting: 'baseline', scores: [3, 2, 1] }, [
    { setting: 'hot', scores: [5, null, 4] },
  ]);
  expect(leftOut).toEqual(['b']);
  expect(models).toEqual([
    { model: 'a', baselinePlace: 1, places: [1], averagePlace: 1 },
    { model: 'c', baselinePlace: 2, places: [2], averagePlace: 2 },
  ]);
  expect(spearman).toBe(1);
});

test('each setting has its own correlation with the baseline, and all together their agreement', () => {
  const result = reliability(['a', 'b', 'c'], { setting: 'baseline', scores: [3, 2, 1] }, [
    { setting: 'same', scores: [30, 20, 10] },
    { setting: 'reverse', scores: [1, 2, 3] },
  ]);
  expect(result.bySetting).toEqual([
    { setting: 'same', spearman: 1, interval: null },
    { setting: 'reverse', spearman: -1, interval: null },
  ]);
  // Average places are all 2, rank sums 5, 6, 7: W = 12 * 2 / (9 * 24).
  expect(result.spearman).toBeNull();
  expect(result.kendallW).toBeCloseTo(1 / 9, 12);
});

test('a baseline alone, and a setting with another number of scores, are refused', () => {
  const baseline = { setting: 'baseline', scores: [1, 2] };
  expect(() => reliability(['a', 'b'], baseline, [])).toThrow('at least one other setting');
  expect(() => reliability(['a', 'b'], baseline, [{ setting: 'hot', scores: [1] }])).toThrow(
    'setting hot needs a score or null for each of 2 models, got 1',
  );
});
