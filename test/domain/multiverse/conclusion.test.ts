/** Expected values are counted by hand; see each test. */
import { describe, expect, test } from 'vitest';
import { choiceEffects, concludeOver, sideOf, type UniverseValue } from '../../../domain/multiverse/conclusion.ts';
import { curvesOf, type Finding } from '../../../domain/multiverse/finding.ts';
import { combinationsOf } from '../../../domain/multiverse/universe.ts';

const at = (estimate: number | null, half: number, extraction = 'paper', excluded = 'excluded'): UniverseValue => ({
  options: { extraction, excluded },
  estimate,
  interval: estimate === null ? null : { lo: estimate - half, hi: estimate + half },
});

test('combinations: the own options first, the last choice changes fastest', () => {
  expect(
    combinationsOf([
      { name: 'suites', options: ['all', 'base'] },
      { name: 'limits', options: ['failed'] },
      { name: 'excluded', options: ['excluded', 'failed'] },
    ]),
  ).toEqual([
    { suites: 'all', limits: 'failed', excluded: 'excluded' },
    { suites: 'all', limits: 'failed', excluded: 'failed' },
    { suites: 'base', limits: 'failed', excluded: 'excluded' },
    { suites: 'base', limits: 'failed', excluded: 'failed' },
  ]);
  expect(combinationsOf([])).toEqual([{}]);
});

test('an interval that touches 0 is on no side', () => {
  expect(
    [
      { lo: 0, hi: 2 },
      { lo: -2, hi: 0 },
      { lo: 0.1, hi: 2 },
      { lo: -2, hi: -0.1 },
    ].map(sideOf),
  ).toEqual([0, 0, 1, -1]);
  expect(sideOf(null)).toBe(0);
});

describe('over all universes', () => {
  const verdict = (...values: UniverseValue[]) => concludeOver(values)?.verdict;

  test('every interval above 0, or every one below', () => {
    expect(verdict(at(3, 1), at(5, 2))).toBe('holds');
    expect(verdict(at(-3, 1), at(-5, 2))).toBe('holds');
  });

  test('the same sign, with an interval that includes 0', () => {
    expect(verdict(at(3, 1), at(1, 2))).toBe('same_direction');
    expect(verdict(at(-3, 1), at(-1, 2))).toBe('same_direction');
  });

  test('the opposite sign in a universe that is not sure', () => {
    expect(verdict(at(3, 1), at(-1, 2))).toBe('reverses');
    expect(verdict(at(-3, 1), at(1, 2), at(0, 2))).toBe('reverses');
  });

  // Red before: "direction depends", though the direction never changes.
  test('a tie reverses nothing', () => {
    expect(verdict(at(3, 1), at(0, 2))).toBe('same_direction');
    expect(verdict(at(-3, 1), at(0, 0))).toBe('same_direction');
  });

  test('sure on both sides, and sure nowhere', () => {
    expect(verdict(at(3, 1), at(-3, 1), at(0, 1))).toBe('contradicts');
    expect(verdict(at(3, 4), at(-3, 4))).toBe('open');
  });

  test('shares are of the universes with an estimate', () => {
    expect(concludeOver([at(3, 1), at(1, 2), at(-1, 2), at(0, 1), at(null, 0)])).toMatchObject({
      ...{ universes: 4, missing: 1, least: -1, greatest: 3 },
      ...{ positive: 0.5, negative: 0.25, above: 0.25, below: 0 },
    });
    expect(concludeOver([at(null, 0)])).toBeNull();
  });
});

test('the choice that matters most: sums of squares by hand', () => {
  // Mean 16, total 36 + 16 + 16 + 36 = 104. Extraction: means 11 and 21, 4 * 25 = 100. Excluded: 15 and 17, 4.
  const known = [
    { estimate: 10, options: { extraction: 'paper', excluded: 'excluded' } },
    { estimate: 12, options: { extraction: 'paper', excluded: 'failed' } },
    { estimate: 20, options: { extraction: 'strict', excluded: 'excluded' } },
    { estimate: 22, options: { extraction: 'strict', excluded: 'failed' } },
  ];
  expect(choiceEffects(known)).toEqual([
    { choice: 'extraction', share: expect.closeTo(100 / 104, 12), shift: 10 },
    { choice: 'excluded', share: expect.closeTo(4 / 104, 12), shift: 2 },
  ]);
  expect(choiceEffects(known.map((one) => ({ ...one, estimate: 0.1 + 0.2 })))).toEqual([]);
});

describe('curves', () => {
  const finding = (more: Partial<Finding>): Finding => ({
    subject: {
      ...{ study: 's', benchmark: 'b', metric: 'pass_at_1', dimension: 'd', workflow: 'd' },
      ...{ model: 'first', other: 'second' },
    },
    ...{ isOwn: false, options: {}, estimate: 1, interval: { lo: 0.5, hi: 2 }, unit: '%', direction: 'higher' },
    ...{ isSigned: true, tasks: 4, notAsked: 0, simulated: false },
    ...more,
  });

  test('a difference is turned so that the model that is better in the own universe comes first', () => {
    const [curve] = curvesOf([
      finding({ estimate: 3, interval: { lo: 1, hi: 4 } }),
      finding({ isOwn: true, estimate: -2, interval: { lo: -5, hi: 1 } }),
    ]);
    expect(curve).toMatchObject({
      subject: { model: 'second', other: 'first' },
      own: { estimate: 2, interval: { lo: -1, hi: 5 } },
      findings: [{ estimate: 2 }, { estimate: -3, interval: { lo: -4, hi: -1 } }],
      conclusion: { verdict: 'reverses', below: 0.5 },
    });
  });

  test('where less is better, the model with less comes first; a value of one model is never turned', () => {
    const [less] = curvesOf([finding({ isOwn: true, direction: 'lower', estimate: 2, interval: null })]);
    expect(less).toMatchObject({ subject: { model: 'second' }, own: { estimate: -2 } });
    const [alone] = curvesOf([
      finding({ isOwn: true, estimate: -2, interval: null, subject: { ...finding({}).subject, other: null } }),
    ]);
    expect(alone).toMatchObject({ subject: { model: 'first', other: null }, own: { estimate: -2 } });
  });

  test('without the own universe there is no own value; without any estimate there is no curve', () => {
    expect(curvesOf([finding({})])).toMatchObject([{ own: null }]);
    expect(curvesOf([finding({ estimate: null, interval: null })])).toEqual([]);
  });
});
