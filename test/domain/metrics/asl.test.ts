import fc from 'fast-check';
import { expect, test } from 'vitest';
import published from '../../../data/published/evaloop-golden.json' with { type: 'json' };
import { aslUnweighted, averageSustainableLoops, type LoopCell, sustainedCounts } from '../../../domain/metrics/asl.ts';
import { absoluteDrop, survivalCurve } from '../../../domain/metrics/survival.ts';

const cell = (sustainedLoops: number, similarity: number | null = null): LoopCell => ({ sustainedLoops, similarity });

/** Five tasks, three loops; worked by hand in the paper's terms: (0 + 1 + 4 + 9 + 9) / (3 x 5). */
const worked = [cell(0), cell(1, 0.5), cell(2, 0.8), cell(3), cell(3)];

test('ASL without similarities of sustained loops 0, 1, 2, 3, 3 is 23/15', () => {
  expect(aslUnweighted(sustainedCounts(worked, 3))).toBeCloseTo(23 / 15, 12);
});

test('ASL of the same with Sim 0.5 at one loop and 0.8 at two is 22.1/15: 1 x 0.5 + 4 x 0.9 + 2 x 9', () => {
  expect(averageSustainableLoops(worked, 3)).toEqual({ asl: expect.closeTo(22.1 / 15, 12), reason: null });
});

test.each(published.rows)('the published counts of $model give ASL $asl_unweighted and pass@1 $pass_at_1', (row) => {
  expect(row.n_sustained.reduce((sum, count) => sum + count, 0)).toBe(378);
  expect(aslUnweighted(row.n_sustained)).toBeCloseTo(row.asl_unweighted, 3);
  expect(survivalCurve(row.n_sustained, [])[0]?.share).toBeCloseTo(row.pass_at_1, 3);
});

test('s_i averages only the cells with a score, while all of them count in n_i and T', () => {
  const cells = [cell(1, 0.4), cell(1, 0.8), cell(1, null), cell(0)];
  expect(averageSustainableLoops(cells, 2).asl).toBeCloseTo((3 * 1 * 0.6) / (2 * 4), 12);
});

test('ASL is undefined, with a reason, if no cell that sustained i loops has a score', () => {
  const cells = [cell(2, null), cell(2, null), cell(1, 0.9), cell(3)];
  expect(averageSustainableLoops(cells, 3)).toEqual({
    asl: null,
    reason: 'no similarity for any cell that sustained 2 of 3 loops (2 of them)',
  });
});

test('a cell that is cut short has i (i - 1), the least that it can be, and is in no mean', () => {
  // Broken after 2 of 4 loops with Sim 0.6: 4 x 1.6/2. Cut short after 2 loops: 2 x 1, after 3: 3 x 2, after 1: 0.
  const cut = [2, 3, 1].map((loops) => ({ ...cell(loops), isCutShort: true }));
  expect(averageSustainableLoops([cell(2, 0.6), ...cut, cell(4)], 4)).toEqual({
    asl: expect.closeTo((3.2 + 2 + 6 + 0 + 16) / (4 * 5), 12),
    reason: null,
  });
  // Under every course that they may take, ASL is not less.
  for (const loops of [2, 3])
    expect(averageSustainableLoops([cell(2, 0.6), cell(loops, 0)], 4).asl).toBeGreaterThanOrEqual(
      averageSustainableLoops([cell(2, 0.6), { ...cell(2), isCutShort: true }], 4).asl as number,
    );
});

test('cells at 0 and M loops need no score', () => {
  expect(averageSustainableLoops([cell(0), cell(3)], 3).asl).toBeCloseTo(9 / 6, 12);
});

test('a score at M loops is not used', () => {
  expect(averageSustainableLoops([cell(3, 0.1)], 3).asl).toBe(3);
});

test('without cells there is no ASL, no drop and no curve', () => {
  expect(averageSustainableLoops([], 3)).toEqual({ asl: null, reason: 'there are no cells that count' });
  expect(aslUnweighted([0, 0, 0])).toBeNull();
  expect(absoluteDrop([0, 0, 0])).toBeNull();
  expect(survivalCurve([0, 0, 0], [])).toEqual([]);
});

test('sustained loops beyond M are refused', () => {
  expect(() => sustainedCounts([cell(4)], 3)).toThrow('from 0 to 3, got 4');
});

test('the survival curve of n = 1, 1, 1, 2 is 0.8, 0.6, 0.4 and its drop 0.4', () => {
  const curve = survivalCurve([1, 1, 1, 2], [{ lo: 0.1, hi: 0.9 }]);
  expect(curve.map((point) => point.share)).toEqual([0.8, 0.6, 0.4]);
  expect(curve.map((point) => [point.loop, point.survivors])).toEqual([
    [1, 4],
    [2, 3],
    [3, 2],
  ]);
  expect(absoluteDrop([1, 1, 1, 2])).toBeCloseTo(0.4, 12);
  expect(curve.map(({ interval }) => interval)).toEqual([{ lo: 0.1, hi: 0.9 }, null, null]);
});

const loopCells = fc.array(
  fc.record({ sustainedLoops: fc.integer({ min: 0, max: 6 }), similarity: fc.double({ min: 0, max: 1, noNaN: true }) }),
  {
    minLength: 1,
  },
);

/** Formula 1 to 5 of the paper, literally: per-loop similarities, task means, s_i, sum. */
function byThePaper(cells: readonly LoopCell[], maxLoops: number): number {
  let sum = 0;
  for (let i = 1; i <= maxLoops; i += 1) {
    const group = cells.filter((one) => one.sustainedLoops === i);
    if (group.length === 0) continue;
    const taskMeans = group.map((one) => {
      const perLoop = Array.from({ length: i }, (_, index) =>
        index + 1 < i || i === maxLoops ? 1 : (one.similarity ?? 0),
      );
      return perLoop.reduce((a, b) => a + b) / i;
    });
    sum += group.length * i * i * (taskMeans.reduce((a, b) => a + b) / group.length);
  }
  return sum / (maxLoops * cells.length);
}

test('ASL equals formulas 1 to 5 of the paper and lies between 0 and ASL without similarities', () => {
  fc.assert(
    fc.property(loopCells, (cells) => {
      const { asl } = averageSustainableLoops(cells, 6);
      expect(asl).toBeCloseTo(byThePaper(cells, 6), 10);
      expect(asl).toBeGreaterThanOrEqual(0);
      expect(asl).toBeLessThanOrEqual((aslUnweighted(sustainedCounts(cells, 6)) ?? -1) + 1e-12);
    }),
  );
});
