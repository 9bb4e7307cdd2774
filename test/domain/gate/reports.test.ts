import { expect, test } from 'vitest';
import { estimateOf, type GateEstimate } from '../../../domain/gate/estimate.ts';
import { evaluateGate } from '../../../domain/gate/evaluate.ts';
import { gateJunit } from '../../../domain/gate/junit.ts';
import { gateMarkdown } from '../../../domain/gate/markdown.ts';
import { gatePolicySchema } from '../../../domain/gate/policy.ts';

const subject = {
  metric: 'pass_at_1',
  benchmark: 'human|eval',
  suite: 'base',
  dimension: 'design',
  workflow: 'nfr-integrated',
} as const;
const subjects = [subject, { ...subject, benchmark: 'mbpp' }, { ...subject, benchmark: 'own <&" \u0007>' }];
const estimates: Readonly<Record<string, GateEstimate>> = {
  'human|eval': { old: 80, now: 81, interval: { lo: -0.5, hi: 2.5 } },
  mbpp: { old: 70, now: 60, interval: { lo: -14, hi: -6 } },
};
const nothing: GateEstimate = { old: null, now: null, interval: null };
const policy = gatePolicySchema.parse({
  rules: [{ metric: 'pass_at_1', margin: 1, confidence: 0.94 }, { metric: 'cpu_ms' }],
});
const result = evaluateGate(policy, subjects, ({ benchmark }) => estimates[benchmark] ?? nothing);

test('the Markdown has a line per check, bars and tags escaped, and one for a rule with nothing to compare', () => {
  expect(gateMarkdown('a | b', result).split('\n')).toEqual([
    '## a \\| b: failed',
    '',
    '| Outcome | Metric | Benchmark | Dimension | Old | New | Change | Interval | Allowed ' +
      'loss | Tasks | Lost | Gained |',
    '| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |',
    '| passed | pass_at_1 (base), % | human\\|eval | design, nfr-integrated | 80.00 | 81.00 | +1.00 | -0.50 to ' +
      '+2.50 at 98 % | 1.00 | – | – | – |',
    '| failed | pass_at_1 (base), % | mbpp | design, nfr-integrated | 70.00 | 60.00 | -10.00 | -14.00 to -6.00 at ' +
      '98 % | 1.00 | – | – | – |',
    '| inconclusive | pass_at_1 (base), % | own &lt;&" \u0007> | design, nfr-integrated | – | – | – | – | ' +
      '1.00 | – | – | – |',
    '| inconclusive | cpu_ms | nothing to compare |  |  |  |  |  |  |  |  |  |',
    '',
    expect.stringContaining('no task has pass_at_1 in both versions'),
    '',
  ]);
});

test('a value that rounds to zero has no sign', () => {
  const rule = gatePolicySchema.parse({ rules: [{ metric: 'pass_at_1' }] });
  const tiny = evaluateGate(rule, [subject], () => ({ old: 1.001, now: 1.0011, interval: { lo: -0.002, hi: 0.003 } }));
  expect(gateMarkdown('a', tiny)).toContain('| 1.00 | 1.00 | 0.00 | 0.00 to 0.00 at 95 % |');
});

// Red before: "at 100 %", as if the interval could not be wrong.
test('a confidence is never rounded up to 100 %', () => {
  const said = (confidence: number): string | undefined => {
    const rule = gatePolicySchema.parse({ rules: [{ metric: 'pass_at_1' }], confidence });
    const found = evaluateGate(rule, [subject], () => ({ old: 1, now: 1, interval: { lo: 0, hi: 0 } }));
    return / at ([\d.]+ %) \|/.exec(gateMarkdown('a', found))?.[1];
  };
  expect([0.95, 0.999, 0.9999, 0.99996, 0.999_999].map(said)).toEqual([
    '95 %',
    '99.9 %',
    '99.99 %',
    '99.996 %',
    '99.9999 %',
  ]);
  // The number next to 1 has 16 nines.
  expect(said(1 - 2 ** -53)).toMatch(/^99\.9{12,14} %$/);
});

// Red before: 0.01 and 0.01 in a row of "% of time", of times in milliseconds.
test('times that are compared as ratios have their own unit', () => {
  const rule = gatePolicySchema.parse({ rules: [{ metric: 'cpu_ratio_passing', margin: 10 }] });
  // The geometric mean of 0.008 and 0.032 ms is 0.016 ms.
  const tasks = [
    { taskId: 'T/1', old: Math.log(0.008), now: Math.log(0.032) },
    { taskId: 'T/2', old: Math.log(0.032), now: Math.log(0.008) },
  ];
  const timed = { ...subject, metric: 'cpu_ratio_passing', suite: null } as const;
  const found = evaluateGate(rule, [timed], (_one, _level, question) =>
    estimateOf({ tasks, range: { kind: 'logTime' }, names: false }, question),
  );
  expect(gateMarkdown('a', found)).toContain(
    '| cpu_ratio_passing, % of time | human\\|eval | design, nfr-integrated | 0.016 ms | 0.016 ms | 0.00 |',
  );
  expect(gateJunit([{ title: 'a', result: found }])).toContain('from 0.016 ms to 0.016 ms, change between ');
});

test('the JUnit XML counts failures and errors, and contains only characters that XML allows', () => {
  expect(gateJunit([{ title: 'old & new', result }]).split('\n')).toEqual([
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites name="evenkeel gate">',
    '  <testsuite name="old &amp; new: pass_at_1" tests="3" failures="1" errors="1">',
    '    <testcase classname="pass_at_1" name="human|eval / base / design, nfr-integrated"/>',
    '    <testcase classname="pass_at_1" name="mbpp / base / design, nfr-integrated"><failure message="failed: ' +
      'from 70.00 to 60.00, change between -14.00 and -6.00, allowed loss 1.00 points"/></testcase>',
    '    <testcase classname="pass_at_1" name="own &lt;&amp;&quot; &gt; / base / design, nfr-integrated"><error ' +
      'message="inconclusive: no comparison could be made; no task has pass_at_1 in both versions, so nothing could ' +
      'be compared: see that both runs measured it on the same tasks, or leave this out of the policy"/></testcase>',
    '  </testsuite>',
    '  <testsuite name="old &amp; new: cpu_ms" tests="1" failures="0" errors="1">',
    '    <testcase classname="cpu_ms" name="comparison"><error message="nothing to compare"/></testcase>',
    '  </testsuite>',
    '</testsuites>',
    '',
  ]);
});

test('a gate that cannot pass because of missing cells has an error in the JUnit XML, even if all checks pass', () => {
  const rule = gatePolicySchema.parse({ rules: [{ metric: 'pass_at_1' }] });
  const passed = evaluateGate(rule, [subject], () => ({ old: 1, now: 1, interval: { lo: 0, hi: 0 } }));
  expect(gateJunit([{ title: 'a', result: passed }])).not.toContain('<error');
  const text = gateJunit([{ title: 'a', result: passed }], ['run r: 2 of 9 cells are missing']);
  expect(text).toContain('<testsuite name="completeness" tests="1" failures="0" errors="1">');
  expect(text).toContain(
    '<testcase classname="completeness" name="cells"><error message="run r: 2 of 9 cells are missing"/></testcase>',
  );
});

test('the notes of a gate are output of the first suite of the JUnit XML, after its cases', () => {
  const text = gateJunit([{ title: 'a', result }], [], ['compared on 60 of <150> tasks', 'simulated: m']);
  expect(text).toContain(
    '</testcase>\n    <system-out>compared on 60 of &lt;150&gt; tasks\nsimulated: m</system-out>\n  </testsuite>\n' +
      '  <testsuite name="a: cpu_ms"',
  );
  expect(text.match(/<system-out>/g)).toHaveLength(1);
});

// Red before: a column "Interval" next to "Change" that moved with the policy, without a word.
test('Markdown and JUnit say that the interval of a margin in percent is not that of the change alone', () => {
  const tasks = Array.from({ length: 40 }, (_, task) => ({ taskId: `T/${task}`, old: task < 20 ? 100 : 0, now: 50 }));
  const under = (rule: object) =>
    evaluateGate(
      gatePolicySchema.parse({ rules: [{ metric: 'pass_at_1', ...rule }] }),
      [subject],
      (_one, _level, question) =>
        estimateOf({ tasks, range: { kind: 'bounded', lo: 0, hi: 100 }, names: false }, question),
    );
  const said = 'pass_at_1, allowed loss of 20 % of the old value: the interval decides about this margin, and also ';
  const percent = under({ marginPercent: 20 });
  expect(gateMarkdown('a', percent)).toContain(`\n- ${said}`);
  expect(gateJunit([{ title: 'a', result: percent }])).toMatch(new RegExp(`    <system-out>${said}.*</system-out>\n`));
  const points = under({ margin: 10 });
  expect(gateMarkdown('a', under({ marginPercent: 0 }))).not.toContain('change alone');
  expect(gateMarkdown('a', points)).not.toContain('change alone');
  expect(gateJunit([{ title: 'a', result: points }])).not.toContain('change alone');
  const intervals = [percent, points].map(({ rules }) => rules[0]?.checks[0]?.interval);
  expect(intervals[0]).not.toEqual(intervals[1]);
});

// Red before: the identical line for each rule.
test('rules with a margin in percent say where each applies, and rules that say the same say it once', () => {
  const tasks = Array.from({ length: 40 }, (_, task) => ({ taskId: `T/${task}`, old: task < 20 ? 100 : 0, now: 50 }));
  const said = (...rules: readonly object[]): string[] => {
    const plus = { ...subject, suite: 'plus' };
    const found = evaluateGate(
      gatePolicySchema.parse({ rules: rules.map((rule) => ({ metric: 'pass_at_1', marginPercent: 5, ...rule })) }),
      [subject, plus],
      (_one, _level, question) =>
        estimateOf({ tasks, range: { kind: 'bounded', lo: 0, hi: 100 }, names: false }, question),
    );
    const lines = gateMarkdown('a', found).split('\n');
    return lines.flatMap((line) => /^- (.*, allowed loss of 5 %) of/.exec(line)?.[1] ?? []);
  };
  const loss = 'allowed loss of 5 %';
  expect(said({ suite: 'base' }, { suite: 'plus' })).toEqual([
    `pass_at_1 (base), ${loss}`,
    `pass_at_1 (plus), ${loss}`,
  ]);
  expect(said({ suite: 'base', dimension: subject.dimension }, {})).toEqual([
    `pass_at_1 (base, ${subject.dimension}), ${loss}`,
    `pass_at_1, ${loss}`,
  ]);
  expect(said({ confidence: 0.9 }, { confidence: 0.95 })).toEqual([`pass_at_1, ${loss}`]);
});

test('Markdown and JUnit name compared, lost and gained tasks, and how many an inconclusive check needs', () => {
  const rule = gatePolicySchema.parse({ rules: [{ metric: 'pass_at_1', margin: 5 }] });
  const tasks = Array.from({ length: 40 }, (_, task) => ({
    taskId: `MBPP/${task}`,
    old: task === 2 ? 0 : 100,
    now: task < 2 ? 0 : 100,
  }));
  const open = evaluateGate(rule, [subject], (_subject, _level, question) =>
    estimateOf({ tasks, range: { kind: 'bounded', lo: 0, hi: 100 }, names: true }, question),
  );
  const { needed, decidable } = open.rules[0]?.checks[0]?.tasks ?? {};
  expect([open.outcome, needed, decidable]).toEqual(['inconclusive', expect.any(Number), expect.any(Number)]);
  const markdown = gateMarkdown('a', open);
  expect(markdown).toContain('| 5.00 | 40 | 2 | 1 |');
  const flips = ['lost: MBPP/0, MBPP/1', 'gained: MBPP/2'];
  const advice =
    `about ${needed} tasks would decide it (in 80 % of cases where nothing is lost); ` +
    '40 tasks can decide a margin of';
  expect(markdown).toContain(`- pass_at_1 (base), human\\|eval, design: ${flips.join('; ')}; ${advice}`);
  const junit = gateJunit([{ title: 'a', result: open }]);
  expect(junit).toContain(`allowed loss 5.00 points; ${advice}`);
  expect(junit).toContain(
    `<system-out>40 tasks compared: 2 lost, 1 gained\n${flips.join('\n')}</system-out></testcase>`,
  );
});

test('tasks that are enough where nothing is lost say so of an inconclusive check, in which something is', () => {
  const rule = gatePolicySchema.parse({ rules: [{ metric: 'pass_at_1', margin: 5 }] });
  const tasks = Array.from({ length: 400 }, (_, task) => ({
    taskId: `MBPP/${task}`,
    old: 100,
    now: task < 20 ? 0 : 100,
  }));
  const open = evaluateGate(rule, [subject], (_subject, _level, question) =>
    estimateOf({ tasks, range: { kind: 'bounded', lo: 0, hi: 100 }, names: false }, question),
  );
  expect(open.outcome).toBe('inconclusive');
  expect(gateMarkdown('a', open)).toContain(
    '400 tasks are enough in 80 % of cases where nothing is lost; so something is lost, or this is one of the other',
  );
});

test('with a margin of 0 no number of tasks is enough, and the decidable margin is named', () => {
  const rule = gatePolicySchema.parse({ rules: [{ metric: 'pass_at_1' }] });
  const tasks = Array.from({ length: 59 }, (_, task) => ({ taskId: String(task), old: 100, now: 100 }));
  const open = evaluateGate(rule, [subject], (_subject, _level, question) =>
    estimateOf({ tasks, range: { kind: 'bounded', lo: 0, hi: 100 }, names: true }, question),
  );
  // 1 - 0.05^(1/59) = 4.95 %: the rule of three.
  expect(gateMarkdown('a', open)).toContain(
    'no number of tasks can show that nothing at all is lost; 59 tasks can decide a margin of 5 points',
  );
});

test('tasks too few for any margin are said to decide none', () => {
  const rule = gatePolicySchema.parse({ rules: [{ metric: 'pass_at_1', margin: 5 }] });
  const tasks = Array.from({ length: 1 }, (_, task) => ({ taskId: String(task), old: 100, now: 100 }));
  const open = evaluateGate(rule, [subject], (_subject, _level, question) =>
    estimateOf({ tasks, range: { kind: 'bounded', lo: 0, hi: 100 }, names: true }, question),
  );
  // Red before: "a margin of 140 %", although no more than everything can be lost.
  expect(gateMarkdown('a', open)).toContain('1 task can decide no margin');
});

// Red before: "decide a margin of 0.14 0 to 1", and in JUnit "from 88.41463414634147".
test('a margin has its unit in words, and JUnit rounds as Markdown does', () => {
  const rule = gatePolicySchema.parse({ rules: [{ metric: 'auc_e_normalized', margin: 0.05 }] });
  const light = { metric: 'auc_e_normalized', benchmark: 'he', suite: null, dimension: 'light', workflow: 'light' };
  const tasks = Array.from({ length: 30 }, (_, task) => ({ taskId: String(task), old: 2 / 3, now: 2 / 3 }));
  const open = evaluateGate(rule, [light as typeof subject & typeof light], (_subject, _level, question) =>
    estimateOf({ tasks, range: { kind: 'bounded', lo: 0, hi: 1 }, names: false }, question),
  );
  expect(gateMarkdown('a', open)).toMatch(/30 tasks can decide a margin of 0\.\d+ on the scale from 0 to 1\n/);
  expect(gateJunit([{ title: 'a', result: open }])).toMatch(
    /from 0\.67 to 0\.67, change between -0\.\d\d and \+0\.\d\d, allowed loss 0\.05 on the scale from 0 to 1;/,
  );
});

test('a metric that a study could have and no task has says so', () => {
  const said = 'no task has pass_at_1 in both versions, so nothing could be compared';
  expect(gateMarkdown('a', result)).toContain(said);
  expect(gateJunit([{ title: 'a', result }])).toContain(`no comparison could be made; ${said}`);
});

// Red before: 51 lost and 9 gained of 60 tasks that all have the same density.
test('a task is lost or gained by what it has itself, not by its part in an estimate', () => {
  const tasks = [
    { taskId: 'a', old: 1, now: 0.9, shown: { old: 2, now: 2 } },
    { taskId: 'b', old: 1, now: 1.1, shown: { old: 3, now: 4 } },
  ];
  const question = { level: 0.95, direction: 'lower', margin: 1 } as const;
  const found = estimateOf({ tasks, range: { kind: 'assumed', least: 10 }, names: true }, question);
  expect(found).toMatchObject({ old: 1, now: 1, tasks: { lost: 1, gained: 0, lostIds: ['b'], gainedIds: [] } });
});
