import { expect, test } from 'vitest';
import { adviceOf } from '../../../domain/gate/advice.ts';
import { estimateOf, type GateEstimate } from '../../../domain/gate/estimate.ts';
import {
  applications,
  evaluateGate,
  type GateCheck,
  type GateResult,
  type GateSubject,
  gateExitStatus,
  withoutIdleRules,
} from '../../../domain/gate/evaluate.ts';
import { gatePolicySchema } from '../../../domain/gate/policy.ts';

const pass: GateSubject = {
  metric: 'pass_at_1',
  benchmark: 'humaneval',
  suite: 'base',
  dimension: 'reliability',
  workflow: 'nfr-integrated',
};
const smell: GateSubject = { ...pass, metric: 'code_smell', suite: null };

const outcomes = (
  rules: readonly object[],
  subjects: readonly GateSubject[],
  estimate: (subject: GateSubject) => GateEstimate,
) => {
  const { outcome, rules: results } = evaluateGate(gatePolicySchema.parse({ rules }), subjects, estimate);
  return {
    status: gateExitStatus[outcome],
    checks: results.flatMap(({ checks }) => checks.map((check) => check.outcome)),
  };
};
const interval = (lo: number, hi: number) => (): GateEstimate => ({
  old: 80,
  now: 80 + (lo + hi) / 2,
  interval: { lo, hi },
});

test.each([
  { what: 'loss at most 1 point', lo: -1, hi: 0.5, status: 0 },
  { what: 'gain', lo: 2, hi: 5, status: 0 },
  { what: 'loss of more than 1 point for certain', lo: -5, hi: -1.1, status: 4 },
  { what: 'loss that may be more than 1 point', lo: -2, hi: 0, status: 5 },
  { what: 'loss of 1 point or more', lo: -5, hi: -1, status: 5 },
])('with a margin of 1 point of pass, a $what exits $status', ({ lo, hi, status }) => {
  expect(outcomes([{ metric: 'pass_at_1', margin: 1 }], [pass], interval(lo, hi)).status).toBe(status);
});

test('if lower is good, a rise is a loss; a rule may reverse the direction', () => {
  const rise = interval(0.2, 0.4);
  expect(outcomes([{ metric: 'code_smell', margin: 0.1 }], [smell], rise).status).toBe(4);
  expect(outcomes([{ metric: 'code_smell', margin: 0.1, direction: 'higher' }], [smell], rise).status).toBe(0);
});

test('a margin in percent refers to the old value', () => {
  // 2 % of 80 is 1.6 points.
  expect(outcomes([{ metric: 'pass_at_1', marginPercent: 2 }], [pass], interval(-1.6, 0)).status).toBe(0);
  expect(outcomes([{ metric: 'pass_at_1', marginPercent: 2 }], [pass], interval(-1.7, 0)).status).toBe(5);
});

// Of 80 %, 80 points may be lost, or 20 where lower is good; smells have no limit.
test.each([
  [{ metric: 'pass_at_1', margin: 80 }, true],
  [{ metric: 'pass_at_1', margin: 79.9 }, false],
  [{ metric: 'pass_at_1', marginPercent: 100 }, true],
  [{ metric: 'pass_at_1', margin: 20, direction: 'lower' }, true],
  [{ metric: 'pass_at_1', margin: 19.9, direction: 'lower' }, false],
  [{ metric: 'code_smell', margin: 1e6 }, false],
])('a rule that no version could fail is known as such: %o, %s', (rule, known) => {
  const { rules } = evaluateGate(gatePolicySchema.parse({ rules: [rule] }), [pass, smell], interval(-1, 1));
  const [check] = rules[0]?.checks ?? [];
  expect(check?.cannotFail === true).toBe(known);
  expect(check && adviceOf(check)?.includes('cannot fail') === true).toBe(known);
});

/** Each task with the same value in both versions. */
const onTasks = (rule: object, values: readonly (readonly [old: number, now: number])[]) => {
  const tasks = values.map(([old, now], task) => ({ taskId: `T/${task}`, old, now }));
  const gate = evaluateGate(gatePolicySchema.parse({ rules: [rule] }), [pass], (_subject, _level, question) =>
    estimateOf({ tasks, range: { kind: 'bounded', lo: 0, hi: 100 }, names: false }, question),
  );
  return gate.rules[0]?.checks[0] as GateCheck;
};

// Red before: inconclusive for some numbers, since 100 times a value, divided by 100, may be less by rounding; and
// wherever the old version passes nothing, since the share of 0 that may be lost was taken for none of any value.
test('a check that allows all of the old value to be lost passes, whatever is lost', () => {
  for (let n = 1; n <= 60; n += 1)
    for (let passing = 0; passing <= n; passing += 1) {
      const values = Array.from({ length: n }, (_, task) => [task < passing ? 100 / 3 : 0, 0] as const);
      for (const marginPercent of [100, 130])
        expect([n, passing, onTasks({ metric: 'pass_at_1', marginPercent }, values).outcome]).toEqual([
          ...[n, passing, 'passed'],
        ]);
    }
});

// Red before: "no version could lose more than is allowed here, so this check cannot fail", of an interval from about
// -26 to +26 points with nothing allowed. Ten tasks that fail in both: 0.05^(1/10) = 0.741, so 26 points may be lost.
test('where the old version passes nothing, a check cannot fail, and does not pass by that', () => {
  const check = onTasks(
    { metric: 'pass_at_1' },
    Array.from({ length: 10 }, () => [0, 0] as const),
  );
  expect(check).toMatchObject({ outcome: 'inconclusive', cannotFail: true, margin: 0 });
  expect(check.interval?.lo).toBeCloseTo(-100 * (1 - 0.05 ** (1 / 10)), 6);
  const text = adviceOf(check) ?? '';
  expect(text).toMatch(/^on these tasks the old version has no more to lose than is allowed.* not passed either; /);
  expect(text).not.toContain('no version could lose more');
  expect(text).toContain('10 tasks can decide a margin of 26 points');
  const all = onTasks(
    { metric: 'pass_at_1', margin: 100 },
    Array.from({ length: 10 }, () => [100, 0] as const),
  );
  expect([all.outcome, adviceOf(all)]).toEqual([
    'passed',
    'no version could lose more than is allowed here, so this check cannot fail',
  ]);
});

// Red before: "this check cannot fail", of checks that answers which nobody judged held back, or even failed.
test('a check can fail if the old version’s unjudged answers may have passed', () => {
  for (const [unjudged, outcome] of [
    ['inconclusive', 'inconclusive'],
    ['fail', 'failed'],
  ] as const) {
    const found = evaluateGate(
      gatePolicySchema.parse({ unjudged, rules: [{ metric: 'pass_at_1', margin: 10 }] }),
      [pass],
      () => ({
        ...{ old: 0, now: 50, interval: { lo: 20, hi: 80 } },
        unjudged: {
          ...{ old: 10, now: 0, worstCase: { old: 80, now: 40, interval: { lo: -70, hi: -5 } } },
          bestCase: { old: 0, now: 50, interval: { lo: 20, hi: 80 } },
        },
      }),
    ).rules[0]?.checks[0] as GateCheck;
    expect(found).toMatchObject({ outcome, heldBack: 'passed' });
    expect([found.cannotFail, adviceOf(found)]).toEqual([
      undefined,
      expect.stringMatching(/^without these answers it would have passed/),
    ]);
  }
});

test('one failed check fails the gate, whatever else is inconclusive or passed', () => {
  const estimate = ({ dimension }: GateSubject) =>
    interval(dimension === 'design' ? -9 : -2, dimension === 'design' ? -3 : 0)();
  const result = outcomes([{ metric: 'pass_at_1', margin: 1 }], [pass, { ...pass, dimension: 'design' }], estimate);
  expect(result).toEqual({ status: 4, checks: ['inconclusive', 'failed'] });
});

test('all rules must pass', () => {
  const estimate = ({ metric }: GateSubject) => (metric === 'pass_at_1' ? interval(0, 1)() : interval(-1, 1)());
  expect(outcomes([{ metric: 'pass_at_1' }, { metric: 'code_smell' }], [pass, smell], estimate)).toEqual({
    status: 5,
    checks: ['passed', 'inconclusive'],
  });
});

test('a rule applies to the metric, suite, benchmark and dimension that it names', () => {
  const others = [
    pass,
    { ...pass, suite: 'et' },
    { ...pass, benchmark: 'mbpp' },
    { ...pass, dimension: 'function-only' },
    smell,
  ];
  const rule = { metric: 'pass_at_1', suite: 'base', benchmark: 'humaneval', dimension: 'reliability' };
  const { rules } = evaluateGate(
    gatePolicySchema.parse({ rules: [rule, { metric: 'pass_at_1' }] }),
    others,
    interval(0, 1),
  );
  expect(rules.map(({ checks }) => checks.map(({ subject }) => subject))).toEqual([[pass], others.slice(0, 4)]);
});

test('a rule applied four times asks for intervals at 1 - 0.1 / 4, one applied once at its own confidence', () => {
  const levels: number[] = [];
  const subjects = ['a', 'b', 'c', 'd'].map((benchmark) => ({ ...pass, benchmark }));
  const policy = gatePolicySchema.parse({
    confidence: 0.9,
    rules: [{ metric: 'pass_at_1' }, { metric: 'pass_at_1', benchmark: 'a', confidence: 0.99 }],
  });
  evaluateGate(policy, subjects, (_, level) => {
    levels.push(level);
    return interval(0, 1)();
  });
  for (const [index, level] of [0.975, 0.975, 0.975, 0.975, 0.99].entries())
    expect(levels[index]).toBeCloseTo(level, 12);
});

// Red before: each comparison counted its own.
test('of several comparisons, a rule counts how often it applies in all of them', () => {
  const policy = gatePolicySchema.parse({ rules: [{ metric: 'pass_at_1' }, { metric: 'pass_at_1', benchmark: 'a' }] });
  const parts = ['a', 'b', 'c', 'd'].map((benchmark) => [{ ...pass, benchmark }, smell]);
  const times = applications(policy, parts.flat());
  expect(times).toEqual([4, 1]);
  const levels = parts.map((own) =>
    evaluateGate(policy, own, interval(0, 1), times).rules.map(({ checks }) => checks.map(({ level }) => level)),
  );
  expect(levels).toEqual([
    [[0.9875], [0.95]],
    [[0.9875], []],
    [[0.9875], []],
    [[0.9875], []],
  ]);
});

// Red before: a rule that fits none had a row "nothing to compare" in each, whatever their studies are.
test('a rule that fits one comparison is not used on another; those that fit none are by themselves', () => {
  const policy = (...rules: readonly object[]) => gatePolicySchema.parse({ rules });
  const here = (rules: readonly object[], ...subjects: readonly GateSubject[]) =>
    evaluateGate(policy(...rules), subjects, interval(0, 1));
  const outcomesOf = (mayApply: (place: number) => boolean, ...results: readonly GateResult[]) => {
    const { own: found, idle } = withoutIdleRules(results, (_, place) => mayApply(place));
    return [...found, ...(idle === null ? [] : [idle])].map(({ rules, outcome }) => [rules.length, outcome]);
  };
  const elsewhere = { ...pass, benchmark: 'mbpp' };
  const [all, own] = [{ metric: 'pass_at_1' }, { metric: 'pass_at_1', benchmark: 'mbpp' }];
  expect(outcomesOf(() => true, here([all, own], pass), here([all, own], elsewhere))).toEqual([
    [1, 'passed'],
    [2, 'passed'],
  ]);
  const misspelled = { metric: 'pass_at_1', benchmark: 'mbbp' };
  expect(outcomesOf(() => true, here([all, misspelled], pass), here([all, misspelled], elsewhere))).toEqual([
    [1, 'passed'],
    [1, 'passed'],
    [1, 'inconclusive'],
  ]);
  // In the second nothing could be compared: that counts where its study can have what the rule asks about.
  for (const [isOfStudy, rules] of [
    [true, 1],
    [false, 0],
  ] as const)
    expect(outcomesOf((place) => place === 1 && isOfStudy, here([all], pass), here([all]))).toEqual([
      [1, 'passed'],
      [rules, 'inconclusive'],
    ]);
});

test('a check without comparison is inconclusive, never passed', () => {
  const nothing = (): GateEstimate => ({ old: null, now: null, interval: null });
  expect(outcomes([{ metric: 'pass_at_1', marginPercent: 50 }], [pass], nothing).status).toBe(5);
  expect(outcomes([{ metric: 'cpu_ms', margin: 1e9 }], [pass], nothing)).toEqual({ status: 5, checks: [] });
});
