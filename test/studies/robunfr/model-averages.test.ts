import { expect, test } from 'vitest';
import { averageOverModels, changeOverModels } from '../../../studies/robunfr/results/rows/model-averages.ts';

const spread = (mean: number | null, stdev: number | null) => ({ mean, stdev });

test('table 6 of the paper, Function-Only and NFR-Integrated design: unreadability of tables 3 and 4', () => {
  const functionOnly = [
    spread(2.77, 0.04),
    spread(3.42, 0.04),
    spread(2.5, 0.04),
    spread(2.62, 0.03),
    spread(2.03, 0.01),
    spread(2.6, 0.02),
  ];
  const design = [
    spread(1.79, 0.1),
    spread(2.68, 0.2),
    spread(1.35, 0.17),
    spread(1.27, 0.15),
    spread(0.79, 0.1),
    spread(1.54, 0.5),
  ];
  const average = averageOverModels(design);
  const change = changeOverModels(
    design.map(({ mean }, model) => ({ own: mean, plain: functionOnly[model]?.mean ?? null })),
  );
  // Printed: 1.57 +- 0.20, 41.0 % down from 2.66.
  expect(average.mean).toBeCloseTo(1.57, 2);
  expect(average.stdev).toBeCloseTo(0.2, 2);
  expect(Math.abs((change.deltaPercent ?? 0) + 41)).toBeLessThan(0.1);
  expect(average.n).toBe(6);
});

test('a model without a value is excluded, and one phrasing has no STDEV', () => {
  expect(averageOverModels([spread(4, null), spread(null, null)])).toEqual({ mean: 4, stdev: null, n: 1 });
  expect(averageOverModels([])).toEqual({ mean: null, stdev: null, n: 0 });
  const unmatched = { own: null, plain: null };
  expect(changeOverModels([{ own: 4, plain: 2 }, unmatched])).toEqual({ own: 4, plain: 2, deltaPercent: 100 });
  expect(changeOverModels([])).toEqual({ own: null, plain: null, deltaPercent: null });
});
