import { expect, test } from 'vitest';
import { type Duration, kaplanMeier, logRank } from '../../../domain/statistics/kaplan-meier.ts';
import reference from '../../fixtures/scipy/survival.json' with { type: 'json' };

test('curves and their log-log intervals are those of SciPy and lifelines, with censoring at the end and before it', () => {
  for (const [index, group] of reference.groups.entries()) {
    const steps = kaplanMeier(group);
    const expected = reference.curves[index] ?? [];
    expect(steps).toHaveLength(expected.length);
    for (const [at, { survival, interval }] of steps.entries()) {
      expect(survival).toBeCloseTo(expected[at]?.survival as number, 12);
      if (interval === null) continue;
      expect(interval.lo).toBeCloseTo(expected[at]?.lo as number, 9);
      expect(interval.hi).toBeCloseTo(expected[at]?.hi as number, 9);
    }
  }
});

test('the log-rank statistic and its p are those of SciPy and lifelines', () => {
  for (const { groups, statistic, p } of reference.log_rank) {
    const [first, second] = groups.map((index) => reference.groups[index] as Duration[]) as [Duration[], Duration[]];
    const found = logRank(first, second);
    expect(found.statistic).toBeCloseTo(statistic, 9);
    expect(found.p).toBeCloseTo(p, 9);
    expect(logRank(second, first).statistic).toBeCloseTo(statistic, 9);
  }
});

test('by hand: of five that end at 1, 2 and 2 or not at all, 4/5 and then 2/5 last; the hazards are 1/5, 1/2 and 0', () => {
  const steps = kaplanMeier([
    { time: 1, ended: true },
    { time: 2, ended: true },
    { time: 2, ended: true },
    { time: 3, ended: false },
    { time: 3, ended: false },
  ]);
  expect(steps.map(({ atRisk, ended, hazard }) => [atRisk, ended, hazard])).toEqual([
    [5, 1, 1 / 5],
    [4, 2, 1 / 2],
    [2, 0, 0],
  ]);
  expect(steps.map(({ survival }) => survival)).toEqual([0.8, 0.4, 0.4]);
});

test('nothing to compare is no test, with the reason', () => {
  const lasting = [{ time: 3, ended: false }];
  expect(logRank([], lasting)).toMatchObject({ statistic: null, p: null, reason: 'a group is empty' });
  expect(logRank(lasting, lasting)).toMatchObject({ statistic: null, reason: expect.stringContaining('none ended') });
  expect(kaplanMeier([])).toEqual([]);
  expect(kaplanMeier(lasting).map(({ interval }) => interval)).toEqual([null, null, null]);
});
