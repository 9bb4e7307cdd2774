import { expect, test } from 'vitest';
import type { CellPart } from '../../../domain/metrics/phrasing-values.ts';
import type { VersionCells } from '../../../domain/metrics/versions/version-cells.ts';
import { compareVersions } from '../../../domain/metrics/versions/version-comparison.ts';
import { uniform } from '../../../domain/random.ts';
import { mcnemarEffect } from '../../../domain/statistics/power/paired-power.ts';
import { mcnemarP } from '../../../domain/statistics/tests/mcnemar.ts';
import scipy from '../../fixtures/scipy/comparison.json' with { type: 'json' };

const options = { seed: 7, alpha: 0.05 };
const whole = (numerator: number): CellPart => ({ numerator, denominator: 1 });
const only = (cells: VersionCells, more: readonly VersionCells[] = []) => {
  const [first] = compareVersions([cells, ...more], options);
  if (first === undefined) throw new Error('one comparison for each entry');
  return first;
};
/**
 * One prompt per task: `broken` tasks pass only with the old version, `mended` only with the new one, others with both.
 */
const passes = (n: number, broken: number, mended: number): VersionCells => ({
  name: `pass ${broken} ${mended}`,
  metric: 'pass_at_1',
  margin: 0,
  tasks: Array.from({ length: n }, (_, task) => ({
    old: [whole(Number(!(task >= broken && task < broken + mended)))],
    now: [whole(Number(task >= broken))],
  })),
});

test('pass@1 with one prompt per task is tested by McNemar: 12 of 50 tasks broken, 3 mended', () => {
  const found = only(passes(50, 12, 3));
  expect(found).toMatchObject({
    method: 'mcnemar_exact',
    old: { mean: 94 },
    now: { mean: 76 },
    verdict: 'worse',
    n: 50,
    nExcluded: 0,
  });
  expect(found.difference).toBeCloseTo(-18, 9);
  expect(found.deltaPercent).toBeCloseTo((-100 * 18) / 94, 9);
  expect(found.p).toBeCloseTo(scipy.mcnemar.find(({ broken, mended }) => broken === 12 && mended === 3)?.p ?? 0, 12);
  // Of 15 discordant tasks 12 against 3 is the least that is significant (p = 0.035; 11 against 4
  // has 0.118): 9 of 50 tasks.
  expect(found.smallestEffect).toBeCloseTo(18, 9);
});

test('the same change is inconclusive in a family of two, with a larger smallest effect', () => {
  const found = only(passes(50, 12, 3), [passes(50, 10, 10)]);
  // 2 x 0.0352 > 0.05; at 0.025 it takes 13 against 2 (p = 0.0074): 11 of 50 tasks.
  expect(found.pAdjusted).toBeCloseTo(2 * (found.p ?? 0), 12);
  expect(found).toMatchObject({ verdict: 'inconclusive', smallestEffect: 22 });
});

test('times have the published Welch test over phrasing means, which does not affect the verdict', () => {
  const expected = scipy.welch[1];
  if (expected === undefined) throw new Error('the fixture has a second case');
  // One task, so that each phrasing's mean time is the value of SciPy's sample.
  const tasks = [{ old: expected.old.map(whole), now: expected.new.map(whole) }];
  const found = only({ name: 'time', metric: 'wall_ms', margin: 0, tasks });
  expect(found.difference).toBeCloseTo(expected.difference, 9);
  expect(found.welch?.p).toBeCloseTo(expected.p, 9);
  // The signs of one task show nothing.
  expect(found).toMatchObject({ method: 'ratio_sign_flip', p: 1, verdict: 'inconclusive' });
  expect(only(passes(50, 12, 3)).welch).toBeNull();
});

test('the verdict on a time is based on its ratio: one slow task gets faster, all others slower', () => {
  // 20 tasks of 10 ms take 12 ms, and one of 10 s takes 5 s: the mean falls by nearly half,
  // a task takes longer by 16 %.
  const tasks = Array.from({ length: 21 }, (_, task) => {
    const [old, now] = task === 20 ? [10_000, 5000] : [10, 12];
    return {
      old: [0, 1, 2].map((phrasing) => whole(old + phrasing / 100)),
      now: [0, 1, 2].map((phrasing) => whole(now + phrasing / 100)),
    };
  });
  const found = only({ name: 'time', metric: 'cpu_ms', margin: 0, tasks });
  expect(found.difference).toBeLessThan(-200);
  expect(found.welch?.p).toBeLessThan(1e-6);
  expect(found.ratio?.ratio).toBeCloseTo((1.2 ** 20 / 2) ** (1 / 21), 3);
  expect(found.verdict).not.toBe('better');
});

test('all times fall by a fifth: better; p counts the signs of the logarithms', () => {
  const tasks = Array.from({ length: 12 }, (_, task) => ({
    old: [whole(10 * (task + 1))],
    now: [whole(8 * (task + 1))],
  }));
  const found = only({ name: 'time', metric: 'wall_ms', margin: 0, tasks });
  expect(found).toMatchObject({
    verdict: 'better',
    ratio: { ratio: expect.closeTo(0.8, 12), n: 12 },
    smallestEffect: null,
  });
  expect(found.p).toBeCloseTo(2 / 2 ** 12, 12);
});

test('a margin of times is in ms of a typical task', () => {
  // 400 tasks of 1 to 400 ms whose times do not change: surely within 25 % of a task of the geometric mean
  // of 149 ms (400!^(1/400)).
  const tasks = Array.from({ length: 400 }, (_, task) => ({ old: [whole(task + 1)], now: [whole(task + 1)] }));
  const of = (margin: number) => only({ name: 'time', metric: 'wall_ms', margin, tasks });
  const hi = Math.log(of(0).ratio?.interval.hi ?? 0);
  const typical = Math.exp(
    Array.from({ length: 400 }, (_, task) => Math.log(task + 1)).reduce((sum, log) => sum + log, 0) / 400,
  );
  expect(typical).toBeGreaterThan(148);
  expect(of(typical * Math.expm1(hi) * 0.99).verdict).toBe('inconclusive');
  expect(of(typical * Math.expm1(hi) * 1.01).verdict).toBe('no_change');
});

test('a density that falls by half in every task is better; the versions are swapped task by task', () => {
  const random = uniform(5);
  const tasks = Array.from({ length: 60 }, () => {
    const loc = 10 + Math.floor(20 * random());
    return {
      old: [1, 2, 3].map(() => ({ numerator: 4 + Math.floor(3 * random()), denominator: loc })),
      now: [1, 2, 3].map(() => ({ numerator: 2 + Math.floor(2 * random()), denominator: loc })),
    };
  });
  expect(only({ name: 'smell', metric: 'code_smell', margin: 0, tasks })).toMatchObject({
    method: 'sign_flip',
    verdict: 'better',
  });
});

test('pass@1 over several phrasings is tested by swaps; its smallest effect is that of McNemar’s test', () => {
  // Per task: ten phrasings that agree. 20 of 100 tasks mended, 10 broken.
  const tasks = Array.from({ length: 100 }, (_, task) => ({
    old: Array.from({ length: 10 }, () => whole(Number(task >= 20))),
    now: Array.from({ length: 10 }, () => whole(Number(task < 90))),
  }));
  const found = only({ name: 'pass', metric: 'pass_at_1', margin: 0, tasks });
  expect(found).toMatchObject({
    method: 'sign_flip',
    verdict: 'inconclusive',
    old: { mean: 80, stdev: 0 },
    now: { mean: 90 },
  });
  expect(found.smallestEffect).toBeCloseTo(100 * (mcnemarEffect(100, 0.3, 0.05) as number), 9);
  // Differences of 1, 0 and -1: McNemar's exact p of 20 against 10, though the answers are ten times as many.
  expect(found.p).toBeCloseTo(mcnemarP(10, 20), 12);
});

// Red before: a smallest effect of a ms or so, though eight tasks reach 2 / 2^8 at best, and Holm asks for 0.05 / 14.
test('where no signs of the tasks that change can be significant, no effect is promised', () => {
  const times = (n: number): VersionCells => ({
    ...{ name: 'time', metric: 'wall_ms', margin: 0 },
    tasks: Array.from({ length: n }, (_, task) => ({ old: [whole(20)], now: [whole(39 + (task % 3))] })),
  });
  const others = Array.from({ length: 13 }, (_, index) => ({ ...passes(50, 12, 3), name: `other ${index}` }));
  expect(only(times(8), others)).toMatchObject({ p: 2 / 2 ** 8, verdict: 'inconclusive', smallestEffect: null });
  expect(only(times(8)).smallestEffect).not.toBeNull();
  // Two phrasings of each of 60 tasks, of which 5 change.
  const few = Array.from({ length: 60 }, (_, task) => ({
    old: [whole(1), whole(1)],
    now: [whole(1), whole(+(task > 4))],
  }));
  expect(only({ name: 'pass', metric: 'pass_at_1', margin: 0, tasks: few })).toMatchObject({
    ...{ method: 'sign_flip', p: 2 / 2 ** 5, smallestEffect: null },
  });
});

// Red before: 0, as if the smallest change could have been detected.
test('equal answers over several phrasings say nothing of the smallest detectable change', () => {
  const tasks = Array.from({ length: 30 }, (_, task) => ({
    old: [whole(Number(task > 2)), whole(1)],
    now: [whole(Number(task > 2)), whole(1)],
  }));
  const found = only({ name: 'pass', metric: 'pass_at_1', margin: 0, tasks });
  expect(found).toMatchObject({ method: 'sign_flip', difference: 0, p: 1, smallestEffect: null });
});

test('agreeing on 40 tasks does not show no change, on 400 within a margin it does; so does a small change', () => {
  expect(only(passes(40, 0, 0))).toMatchObject({
    difference: 0,
    p: 1,
    verdict: 'inconclusive',
    smallestEffect: null,
  });
  // The rule of three, two-sided: 1 - 0.025^(1/40) and 1 - 0.025^(1/400).
  expect(only(passes(40, 0, 0)).interval?.hi).toBeCloseTo(100 * (1 - 0.025 ** (1 / 40)), 6);
  expect(only({ ...passes(400, 0, 0), margin: 1 })).toMatchObject({ verdict: 'no_change' });
  expect(only({ ...passes(400, 2, 1), margin: 5 })).toMatchObject({ verdict: 'no_change' });
});

test('the interval excludes 0 exactly if McNemar is significant', () => {
  for (const [broken, mended] of [
    [6, 0],
    [5, 0],
    [12, 3],
    [11, 4],
    [1, 7],
    [1, 8],
  ] as const) {
    const { interval, p } = only(passes(50, broken, mended));
    expect((interval?.lo ?? 0) > 0 || (interval?.hi ?? 0) < 0).toBe((p ?? 1) <= 0.05);
  }
});

test('a task a thousand times as slow as the others dominates the mean time, but not the ratio', () => {
  const times = [1, 1, 1, 1, 1000];
  const tasks = times.map((time, task) => ({ old: [whole(time)], now: [whole(task === 4 ? time / 2 : 2 * time)] }));
  const found = only({ name: 'time', metric: 'cpu_ms', margin: 0, tasks });
  expect(found.difference).toBeCloseTo((4 - 500) / 5, 9);
  // Four tasks twice as slow, one twice as fast: 2^(3/5).
  expect(found.ratio?.ratio).toBeCloseTo(2 ** 0.6, 12);
  expect(found.ratio?.n).toBe(5);
  expect(found.ratio?.interval.lo).toBeLessThan(1);
  expect(found.ratio?.interval.hi).toBeGreaterThan(2);
  expect(only(passes(50, 12, 3)).ratio).toBeNull();
});

test('a cell counts if both versions have a value', () => {
  const tasks = [
    { old: [whole(1), whole(1)], now: [whole(1), null] },
    { old: [whole(0), whole(1)], now: [whole(0), whole(0)] },
    { old: [null, null], now: [whole(1), whole(1)] },
  ];
  // Phrasing 1: tasks 1 and 2, 50 % against 50 %; phrasing 2: task 2 only, 100 % against 0 %.
  expect(only({ name: 'pass', metric: 'pass_at_1', margin: 0, tasks })).toMatchObject({
    old: { mean: 75 },
    now: { mean: 25 },
    n: 3,
    nExcluded: 3,
  });
});

test('an empty comparison is inconclusive and not a member of the family', () => {
  const nothing = { name: 'none', metric: 'unreadability', margin: 0, tasks: [{ old: [null], now: [null] }] } as const;
  expect(only(nothing)).toMatchObject({ difference: null, p: null, pAdjusted: null, verdict: 'inconclusive' });
  const [, change] = compareVersions([nothing, passes(50, 12, 3)], options);
  expect(change?.pAdjusted).toBe(change?.p);
  expect(change?.smallestEffect).toBeCloseTo(18, 9);
});

// Both versions pass 28 of 40 tasks, 21 of them the same; what the new one fails could not be judged.
test('a version is neither better nor the same because its failures could not be judged', () => {
  const tasks = Array.from({ length: 40 }, (_, task) => ({
    old: [whole(Number(task % 10 < 7))],
    now: [task < 28 ? whole(1) : null],
  }));
  const cells: VersionCells = { name: 'hides', metric: 'pass_at_1', margin: 0, tasks };
  // Red before: 7 mended and none broken, p = 2 / 2^7.
  expect(only(cells)).toMatchObject({ verdict: 'better', p: 2 / 2 ** 7 });
  const answered = tasks.map(() => [[true], [true]]);
  const known = only({ ...cells, answered });
  // At worst 7 mended and 7 broken.
  expect(known).toMatchObject({ verdict: 'inconclusive', p: 1, difference: expect.closeTo(100 * (7 / 28), 9) });
  expect(known.interval?.lo).toBeLessThan(0);
  const same = tasks.map(({ now }) => ({ old: [whole(1)], now }));
  expect(only({ ...cells, tasks: same, margin: 15 }).verdict).toBe('no_change');
  expect(only({ ...cells, tasks: same, margin: 15, answered }).verdict).toBe('inconclusive');
  const judged = passes(50, 12, 3);
  const all = judged.tasks.map(() => [[true], [true]]);
  expect(only({ ...judged, answered: all })).toEqual(only(judged));
});

// Red before: an interval up to 9 points, without the difference of 100 that stands next to it.
test('the interval of a difference has that of the answers judged in both versions, too', () => {
  const tasks = Array.from({ length: 200 }, (_, task) => ({
    old: [whole(Number(task >= 10))],
    now: [task < 10 ? whole(1) : null],
  }));
  const found = only({
    ...{ name: 'few', metric: 'pass_at_1', margin: 0, tasks },
    answered: tasks.map(() => [[true], [true]]),
  });
  expect(found).toMatchObject({ difference: 100, n: 10, nExcluded: 190, p: 1, verdict: 'inconclusive' });
  expect(found.interval?.hi).toBeGreaterThanOrEqual(100);
  // If all 190 failed: 10 of 200 tasks against 190.
  expect(found.interval?.lo).toBeLessThanOrEqual(-90);
});
