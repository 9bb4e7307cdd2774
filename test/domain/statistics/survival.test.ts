import { expect, test } from 'vitest';
import { seedOf, uniform } from '../../../domain/random.ts';
import { type PairedDurations, pairedLogRank } from '../../../domain/statistics/tests/paired-log-rank.ts';
import { shareInterval } from '../../../domain/statistics/intervals/share-interval.ts';
import { type Duration, survivalSteps } from '../../../domain/statistics/survival-steps.ts';
import reference from '../../fixtures/scipy/survival.json' with { type: 'json' };

const seed = seedOf('survival');
const at = (time: number, ended = true): Duration => ({ time, ended });

const isWhole = (group: readonly Duration[]): boolean =>
  group.every(({ time, ended }) => ended || time === Math.max(...group.map((one) => one.time)));

test('the curve is that of SciPy and lifelines, also with censoring before the end', () => {
  for (const [index, group] of reference.groups.entries()) {
    const expected = reference.curves[index] ?? [];
    const steps = survivalSteps(group.map((cell) => [cell]));
    expect(steps).toHaveLength(expected.length);
    for (const [at, { survival, interval }] of steps.entries()) {
      expect(survival).toBeCloseTo(expected[at]?.survival as number, 12);
      expect(interval?.lo).toBeLessThanOrEqual(survival);
      expect(interval?.hi).toBeGreaterThanOrEqual(survival);
    }
  }
});

test('the ends are Clopper-Pearson if every task has one cell and none is censored early', () => {
  const whole = reference.groups.filter(isWhole);
  expect(whole.length).toBeGreaterThan(0);
  for (const group of whole)
    for (const { survival, interval, hazardInterval, atRisk, ended } of survivalSteps(group.map((cell) => [cell]))) {
      expect(interval?.lo).toBeCloseTo(
        shareInterval(Math.round(survival * group.length), group.length)?.lo as number,
        12,
      );
      expect(interval?.hi).toBeCloseTo(
        shareInterval(Math.round(survival * group.length), group.length)?.hi as number,
        12,
      );
      expect(hazardInterval.lo).toBeCloseTo(shareInterval(ended, atRisk)?.lo as number, 12);
      expect(hazardInterval.hi).toBeCloseTo(shareInterval(ended, atRisk)?.hi as number, 12);
    }
});

test('with one of three censored after its first loop, the band is that of 1 and of 2 of 3', () => {
  const [, second] = survivalSteps([[at(1, false)], [at(2)], [at(3, false)]]);
  expect(second).toMatchObject({ atRisk: 2, ended: 1, survival: 0.5 });
  expect(second?.interval?.lo).toBeCloseTo(shareInterval(1, 3)?.lo as number, 12);
  expect(second?.interval?.hi).toBeCloseTo(shareInterval(2, 3)?.hi as number, 12);
  // Red before: of 1 of the 2 that are known to have come so far. The third may have ended there too, or lasted.
  expect(second?.hazardInterval.lo).toBeCloseTo(shareInterval(1, 3)?.lo as number, 12);
  expect(second?.hazardInterval.hi).toBeCloseTo(shareInterval(2, 3)?.hi as number, 12);
});

test('five cells that end at 1, 2, 2 and never: 4/5 and then 2/5 last; hazards 1/5, 1/2 and 0 (by hand)', () => {
  const steps = survivalSteps([[at(1)], [at(2)], [at(2)], [at(3, false)], [at(3, false)]]);
  expect(steps.map(({ atRisk, ended, hazard }) => [atRisk, ended, hazard])).toEqual([
    [5, 1, 1 / 5],
    [4, 2, 1 / 2],
    [2, 0, 0],
  ]);
  expect(steps.map(({ survival }) => survival)).toEqual([0.8, 0.4, 0.4]);
});

test('ten equal repetitions of a task do not narrow the band', () => {
  const once = [[at(1)], [at(2)], [at(3, false)], [at(3, false)]];
  const tenTimes = once.map(([cell]) => Array.from({ length: 10 }, () => cell as Duration));
  const [first, repeated] = [survivalSteps(once), survivalSteps(tenTimes)];
  expect(repeated.map(({ atRisk }) => atRisk)).toEqual(first.map(({ atRisk }) => 10 * atRisk));
  for (const [index, step] of repeated.entries()) {
    expect(step.interval?.lo).toBeCloseTo(first[index]?.interval?.lo as number, 12);
    expect(step.interval?.hi).toBeCloseTo(first[index]?.interval?.hi as number, 12);
    expect(step.hazardInterval.lo).toBeCloseTo(first[index]?.hazardInterval.lo as number, 12);
  }
});

test('if all last, the band has a width; without cells there are no steps', () => {
  const [step] = survivalSteps([[at(1, false)], [at(1, false)], [at(1, false)]]);
  expect(step?.interval).toEqual({ lo: expect.closeTo(0.2924, 4), hi: 1 });
  expect(survivalSteps([])).toEqual([]);
});

/** Mantel's observed minus expected endings of the first group, loop by loop. */
function mantelExcess(first: readonly Duration[], second: readonly Duration[]): number {
  const all = [...first, ...second];
  let excess = 0;
  for (let time = 1; time <= Math.max(...all.map((one) => one.time)); time += 1) {
    const endings = (group: readonly Duration[]): number =>
      group.filter((one) => one.ended && one.time === time).length;
    const risk = (group: readonly Duration[]): number => group.filter((one) => one.time >= time).length;
    if (risk(all) > 0) excess += endings(first) - (endings(all) * risk(first)) / risk(all);
  }
  return excess;
}

/** All ways to swap the two models within whole tasks. */
function countedP(tasks: readonly PairedDurations[]): number {
  const excess = (way: number): number => {
    const sides = tasks.map(
      ({ first, second }, place) =>
        (way & (1 << place) ? [second, first] : [first, second]) as [Duration[], Duration[]],
    );
    return Math.abs(
      mantelExcess(
        sides.flatMap(([one]) => one),
        sides.flatMap(([, other]) => other),
      ),
    );
  };
  const observed = excess(0);
  const ways = 2 ** tasks.length;
  return Array.from({ length: ways }, (_, way) => excess(way)).filter((one) => one >= observed - 1e-9).length / ways;
}

test('the paired log-rank’s p counts Mantel’s statistic over all swaps of two models within tasks', () => {
  const random = uniform(seed);
  const lasting = (ease: number): Duration => {
    let time = 1;
    while (time < 5 && random() < ease) time += 1;
    return time === 5 ? at(4, false) : at(time);
  };
  for (const repetitions of [1, 3])
    for (let round = 0; round < 12; round += 1) {
      const tasks = Array.from({ length: 7 }, () => {
        const ease = random();
        const of = (shift: number): Duration[] =>
          Array.from({ length: repetitions }, () => lasting(Math.min(1, ease + shift)));
        return { first: of(0.2), second: of(0) };
      });
      const found = pairedLogRank(tasks, { seed });
      if (found.reason !== null) continue;
      expect(found.p).toBeCloseTo(countedP(tasks), 9);
      expect(found.n).toBe(14 * repetitions);
    }
});

test('models that fail the same tasks are distinguished by the few that differ', () => {
  // Twenty tasks that both lose at once, twenty that both keep, eight that only the second loses: unpaired, 20 of 48
  // against 28 of 48.
  const both = (cell: Duration) => ({ first: [cell], second: [cell] });
  const tasks = [
    ...Array.from({ length: 20 }, () => both(at(1))),
    ...Array.from({ length: 20 }, () => both(at(3, false))),
    ...Array.from({ length: 8 }, () => ({ first: [at(3, false)], second: [at(1)] })),
  ];
  expect(pairedLogRank(tasks, { seed }).p).toBeCloseTo(2 / 2 ** 8, 12);
});

test('without common tasks there is no test, but a reason', () => {
  expect(pairedLogRank([], { seed })).toMatchObject({ statistic: null, p: null, reason: 'no task counts under both' });
  const alike = { first: [at(2)], second: [at(2)] };
  expect(pairedLogRank([alike, alike], { seed })).toMatchObject({
    statistic: null,
    reason: expect.stringContaining('alike'),
  });
});
