/** Intervals of RobuNFR's estimates against simulated truth. */
import { describe, expect, test } from 'vitest';
import type { Solution } from '../../../domain/metrics/nfr-solutions.ts';
import { nfrSummaryRows } from '../../../studies/robunfr/results/rows/summary-rows.ts';
import { uniform } from '../../../domain/random.ts';
import { deviationInterval } from '../../../domain/statistics/intervals/deviation-interval.ts';
import type { Row } from '../../../schemas/tables.ts';

const runs = Number(process.env['EVENKEEL_COVERAGE_RUNS'] ?? 60);
/** 93 % less three standard errors of so many runs. */
const leastCovered = 0.93 - 3 * Math.sqrt((0.93 * 0.07) / runs);
const normal = (next: () => number): number => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
const key = { run: 'r', study: 's', model: 'm', benchmark: 'b', language: 'python' };
const settings = { ceiling: () => 1, missing: () => 'none' };
const phrasings = 10;

test('SciPy: of ten shares the interval reaches over chi-square with 6.7 degrees of freedom and Bonett’s', () => {
  // test/fixtures/scipy/deviation.py: chi-square alone 0.0203 to 0.0643, Bonett 0.0170 to 0.0701.
  const found = deviationInterval([0.9, 0.92, 0.94, 0.95, 0.88, 0.91, 0.93, 0.9, 0.92, 0.99], 0.01);
  expect(found).toEqual({ lo: expect.closeTo(0.0170262344, 9), hi: expect.closeTo(0.070128513, 9) });
});

test('SciPy: of ten values spread evenly it is chi-square’s, with 7.2 degrees of freedom', () => {
  // Bonett's, 0.222 to 0.515, lies within.
  const found = deviationInterval([0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1], 0.01);
  expect(found).toEqual({ lo: expect.closeTo(0.20120473, 8), hi: expect.closeTo(0.60713149, 8) });
});

test('SciPy: of four values chi-square alone, wider where they are counts of few', () => {
  const values = [3, 5, 4, 8];
  expect(deviationInterval(values, 1e-9)).toEqual({
    lo: expect.closeTo(1.22375729, 7),
    hi: expect.closeTo(8.05458269, 7),
  });
  expect(deviationInterval(values, 1)).toEqual({
    lo: expect.closeTo(1.20478677, 7),
    hi: expect.closeTo(8.75617415, 7),
  });
  expect(deviationInterval([1], 0.1)).toBeNull();
});

test('ten equal values end where one that differs by a step would end', () => {
  const values = Array.from({ length: 10 }, () => 0.7);
  // 0.1 / sqrt(10) * sqrt(9 / chi2.ppf(0.025, 9))
  expect(deviationInterval(values, 0.1)).toEqual({ lo: 0, hi: expect.closeTo(0.05773086296, 9) });
});

/**
 * Tasks differ in ease; with the requirement 0.1 less passes, code is 1.5 times as dense in smells, and takes 1.3 times
 * as long, give or take.
 */
function rows(next: () => number, tasks: number): readonly Row[] {
  const solutions = Array.from({ length: tasks }, (_, index) => {
    const [ease, time] = [0.4 + 0.6 * next(), Math.exp(2 + normal(next))];
    const slower = 1.3 * Math.exp(0.3 * normal(next));
    return Array.from({ length: 2 * phrasings }, (_item, at): Solution => {
      const asked = at < phrasings;
      const loc = 5 + Math.floor(10 * next());
      const smells = Array.from({ length: loc }, () => Number(next() < (asked ? 0.15 : 0.1))).reduce(
        (sum, one) => sum + one,
        0,
      );
      const ms = time * (asked ? slower : 1) * Math.exp(0.1 * normal(next));
      const variant = asked ? `guard-${at}` : 'original';
      return {
        ...{
          taskId: `T/${index}`,
          variant,
          repetition: asked ? 0 : at,
          phrasing: asked ? variant : null,
          simulated: true,
        },
        ...{ setting: asked ? 'nfr-integrated' : 'function-only', dimension: asked ? 'guard' : 'function-only' },
        outcomes: new Map([['base', next() < ease - (asked ? 0.1 : 0) ? 'pass' : 'wrong_output']]),
        quality: { loc, codeSmells: smells, unreadability: 0, exceptionHandling: 0 },
        timing: { wallMs: ms, cpuMs: ms, passed: true },
      };
    });
  });
  return nfrSummaryRows(key, solutions.flat(), settings).nfr_summary.filter((row) => row['dimension'] === 'guard');
}

const truths = {
  'pass_at_1 mean': 60,
  'pass_at_1 delta_percent': 100 * (60 / 70 - 1),
  'code_smell mean': 1.5,
  'code_smell delta_percent': 50,
  'wall_ms ratio': 1.3,
};

describe.each([5, 20, 60])('of %i tasks', (tasks) => {
  test('AVG, change and ratio of times lie in their intervals', () => {
    const next = uniform(tasks);
    const drawn = Array.from({ length: runs }, () => rows(next, tasks));
    for (const [name, truth] of Object.entries(truths)) {
      const [metric, column] = name.split(' ') as [string, string];
      const held = drawn.filter((own) => {
        const row = own.find((one) => one['metric'] === metric);
        return Number(row?.[`${column}_lo`]) <= truth && truth <= Number(row?.[`${column}_hi`]);
      });
      expect([name, held.length / runs]).toEqual([name, expect.toSatisfy((share: number) => share >= leastCovered)]);
    }
  }, 60_000);
});

/** A phrasing moves the chance of every task by some points; its value is a share over the tasks. */
describe.each([5, 20, 60, 164])('STDEV over phrasings, of %i tasks', (tasks) => {
  test.each([
    [0.97, 0],
    [0.8, 0],
    [0.6, 0.08],
  ])('at a pass rate of %f, moved by %f, lies in its interval', (share, moved) => {
    const next = uniform(tasks);
    const value = (): number => {
      const chance = Math.min(1, Math.max(0, share + moved * normal(next)));
      return Array.from({ length: tasks }, () => Number(next() < chance)).reduce((sum, one) => sum + one, 0) / tasks;
    };
    const truth = Math.sqrt((share * (1 - share) - moved ** 2) / tasks + moved ** 2);
    const held = Array.from({ length: 4 * runs }, () => {
      const values = Array.from({ length: phrasings }, value);
      const found = deviationInterval(values, 1 / tasks);
      return found !== null && found.lo <= truth && truth <= found.hi;
    });
    expect(held.filter(Boolean).length / held.length).toBeGreaterThanOrEqual(leastCovered);
  });
});
