/**
 * RobuNFR in the report: the paper's tables with the run's own lines, plots of trade-offs, and values in a readable
 * form.
 */
import { expect, test } from 'vitest';
import { partsHtml } from '../../../analysis/report/html/parts.ts';
import type { DataCell } from '../../../analysis/report/part.ts';
import type { ReportContext } from '../../../analysis/report/study-report.ts';
import { partsMarkdown } from '../../../analysis/report/text/markdown.ts';
import { tableLines } from '../../../analysis/report/text/terminal.ts';
import { type NfrRow, type RegressionRow, robunfrBoard } from '../../../studies/robunfr/results/board.ts';
import type { BrokenTask } from '../../../studies/robunfr/results/failures.ts';
import { changesTable } from '../../../studies/robunfr/report/changes.ts';
import type { PhrasingValue, RobunfrReport } from '../../../studies/robunfr/report/data.ts';
import { historyTable } from '../../../studies/robunfr/report/history.ts';
import { requirementsPart } from '../../../studies/robunfr/report/index.ts';
import { publishedTables } from '../../../studies/robunfr/report/published/tables.ts';
import { spreadsTable } from '../../../studies/robunfr/report/spreads.ts';
import { requirementTradeOffs } from '../../../studies/robunfr/report/trade-offs.ts';
import { percentText, rangeText, valueText } from '../../../studies/robunfr/report/value-text.ts';
import { valuesBoard } from '../../../studies/robunfr/report/values.ts';
import { verdictsBoard, verdictsTable } from '../../../studies/robunfr/report/verdicts.ts';

const context: ReportContext = {
  severalRuns: false,
  model: (_run, text) => ({ text, model: { color: 'red', simulated: true } }),
  colorOf: () => 'red',
  exampleOf: () => undefined,
  examples: [],
};
const plain = (text: string): string => text;

const estimate = (value: number) => ({ value, interval: { lo: value - 1, hi: value + 1 }, reason: null });
const summary = (more: Partial<NfrRow>): NfrRow => ({
  ...{ run: 'r', study: 'wording', benchmark: 'he', model: 'mine', workflow: 'nfr-integrated', dimension: 'design' },
  ...{ metric: 'pass_at_1', suite: 'base', mean: estimate(80), stdev: 1.5, deltaPercent: estimate(-4) },
  ...{ spread: null, byPhrasing: null, byChance: null },
  ...{ ratio: null, nTasks: 4, n: 10, nExcluded: 0, reason: null, ceiling: 100, simulated: true },
  ...more,
});
const regression: RegressionRow = {
  ...{
    run: 'r',
    study: 'wording',
    benchmark: 'he',
    old: 'v1',
    now: 'v2',
    dimension: 'design',
    metric: 'wall_ms',
    suite: null,
  },
  ...{
    oldMean: 12.3,
    oldStdev: 0.4,
    newMean: 13,
    difference: estimate(0.7),
    deltaPercent: 5.69,
    method: 'ratio_sign_flip',
    pAdjusted: 1,
  },
  ...{ oldRange: { lo: 12, hi: 14 }, newRange: null, deltaRange: null, welchP: 0.04 },
  ratio: { value: 1.02, interval: { lo: 0.9912, hi: 1.05 } },
  ...{ smallestEffect: 2, verdict: 'inconclusive', n: 10, nExcluded: 0, reason: null, simulated: true },
};
const suites = [
  { suite: 'base', name: 'HumanEval' },
  { suite: 'et', name: 'HumanEval-ET' },
];
const report: RobunfrReport = {
  ...{ phrasings: [], workflows: [], updates: [], failures: [], broken: [], history: [] },
  summaries: [
    summary({}),
    summary({ suite: 'et', mean: estimate(70), deltaPercent: null, stdev: null }),
    // Another study of the run that asks the same, and one on a benchmark that the paper does not have.
    summary({ study: 'again', mean: estimate(1) }),
    summary({ study: 'elsewhere', benchmark: 'starter', mean: estimate(2) }),
    summary({ metric: 'code_smell', suite: null, mean: estimate(0.3), stdev: 0.02 }),
  ],
  regressions: [regression],
  printed: ['wording', 'again'].map((study) => ({ run: 'r', study, benchmark: 'HumanEval', suites })),
};

const tableOf = (title: string) => publishedTables(report).find((table) => (table.title ?? '').startsWith(title));
const texts = (row: readonly (DataCell | string)[] | undefined): string[] =>
  (row ?? []).map((cell) => (typeof cell === 'string' ? cell : cell.text));
const ownRows = (title: string): string[][] =>
  (tableOf(title)?.own ?? []).map((place) => texts(tableOf(title)?.rows[place]));

test("table 2 has the paper's 20 lines and the first study's one, after the paper's of the same requirement", () => {
  const table = tableOf('Table 2');
  expect(table?.rows).toHaveLength(21);
  expect(table?.own).toEqual([8]);
  expect(ownRows('Table 2')).toEqual([
    ['this report', 'design', 'mine (simulated)', '80.00 ± 1.50', '-4.00 %', '70.00', '–', '–', '–', '–', '–'],
  ]);
  // GPT-3.5-turbo, Code Design, as printed.
  expect(texts(table?.rows[4])).toEqual([
    'paper',
    'design',
    'GPT-3.5-turbo',
    '72.87 ± 1.82',
    '+0.51 %',
    '64.51 ± 2.15',
    '+0.28 %',
    '67.68 ± 1.40',
    '-0.21 %',
    '47.61 ± 1.08',
    '+0.85 %',
  ]);
});

test('known slips carry a star; tables without a line of the report say so', () => {
  const slips = publishedTables(report).flatMap(({ rows }) => rows.flatMap(texts).filter((text) => text.endsWith('*')));
  // Table 2's 81.32; table 3's time; table 4's four of reliability and -2.37 %.
  expect(slips).toHaveLength(7);
  expect(slips).toContain('81.32 ± 1.98*');
  expect(tableOf('Table 5')?.title).toContain('(paper only)');
  expect(publishedTables(report, true).map(({ title }) => title?.slice(0, 7))).toEqual([
    'Table 2',
    'Table 3',
    'Table 4',
  ]);
});

test('quality goes to table 3, an update to table 4 with its time as execution time', () => {
  expect(ownRows('Table 3: quality and time, HumanEval')).toEqual([
    ['this report', 'design', 'mine (simulated)', '0.30 ± 0.02', '-4.00 %', '–', '–', '–', '–', '–', '–'],
  ]);
  const [update] = ownRows('Table 4: old version, and the change of the new one, HumanEval');
  expect(update?.slice(0, 3)).toEqual(['this report', 'design', 'v1 to v2 (simulated)']);
  expect(update?.slice(-2)).toEqual(['12.30 ± 0.40', '+5.69 %']);
});

test('a plot for each measure against pass, none where only pass was measured', async () => {
  expect(requirementTradeOffs([summary({})], context).panels).toEqual([]);
  const figure = requirementTradeOffs(
    [summary({}), summary({ metric: 'code_smell', suite: null }), summary({ metric: 'cpu_ms', suite: null })],
    context,
  );
  expect(figure.panels.map(({ caption, aside }) => [caption, aside])).toEqual([
    ['pass and code smell', 'good: right and down'],
  ]);
  expect(figure.note).toContain('● design');
  expect(figure.legend).toEqual([{ color: 'red', text: 'mine' }]);
  expect((await partsHtml([figure])).markup.match(/<svg/g)).toHaveLength(1);
});

test('a change is good or bad by the direction of its measure, at full strength from half of the old value on', () => {
  const change = (metric: string, percent: number) =>
    changesTable([summary({ metric, suite: null, deltaPercent: estimate(percent) })], context).rows[0]?.[3];
  expect(change('pass_at_1', -25)).toMatchObject({
    text: '-25.0 %',
    value: -25,
    tone: { good: false, strength: 22.5 },
  });
  expect(change('code_smell', -80)).toMatchObject({ text: '-80.0 %', tone: { good: true, strength: 45 } });
  const fromNone = summary({ metric: 'code_smell', suite: null, mean: estimate(0.3), deltaPercent: null });
  expect(changesTable([fromNone], context).rows[0]?.[3]).toMatchObject({ text: '0 → 0.30', value: null });
  expect(changesTable([summary({ dimension: 'function-only' })], context).rows).toEqual([]);
});

test('the spread over phrasings is drawn in HTML, and given by its ends elsewhere', async () => {
  const phrasing = (name: string, value: number): PhrasingValue => ({
    ...{ run: 'r', study: 'wording', model: 'mine', workflow: 'nfr-integrated', dimension: 'design' },
    ...{ metric: 'pass_at_1', suite: 'base', phrasing: name, value },
  });
  const table = spreadsTable([summary({})], [phrasing('one', 81.2), phrasing('other', 84)], context);
  expect(partsMarkdown([table])).toContain('pass@1 base (81.20 to 84.00) |');
  expect(partsMarkdown([table])).toContain('| mine (simulated) | integrated | design | 81.20 to 84.00 |');
  const { markup } = await partsHtml([table]);
  expect(markup.match(/<circle/g)).toHaveLength(2);
  expect(markup).toContain('one: 81.20\nother: 84.00');
});

test('only verdicts of a change have a colour', () => {
  const cell = (more: Partial<RegressionRow>) => verdictsTable([{ ...regression, ...more }]).rows[0]?.[1];
  expect(cell({})).toMatchObject({ text: 'inconclusive', under: ['× 1.020'] });
  expect(cell({})).not.toHaveProperty('tone');
  expect(cell({ verdict: 'no_change', ratio: null })).toMatchObject({ text: 'no change', under: ['+5.69 %'] });
  expect(cell({ verdict: 'worse' })).toMatchObject({ tone: { good: false } });
  expect(cell({ verdict: 'better' })).toMatchObject({ tone: { good: true } });
  expect(verdictsTable([{ ...regression, difference: null }]).rows).toEqual([]);
});

test('the terminal says what was not measured, what was excluded and what is simulated', () => {
  const reason = 'not measured: no sandbox';
  const rows = [summary({ nExcluded: 2 }), summary({ metric: 'code_smell', suite: null, mean: null, reason })] as const;
  const lines = tableLines(valuesBoard(rows, context), plain).split('\n');
  expect(lines[0]).toBe('RobuNFR · study wording · he · change from Function-Only · 95 % intervals');
  expect(lines[3]).toMatch(/mine \* .*80\.00 \(79\.00 to 81\.00\) .* 1\.50 .*-4\.00 % \(-5\.00 to -3\.00\) │ 10/);
  expect(lines[4]).toBe(`code smell: ${reason}. Lines with excluded solutions: 1; the report has their numbers.`);
  expect(tableLines(verdictsBoard([regression]), plain)).toMatch(
    /he · v1 to v2 \(simulated\)\n[\s\S]*0\.700 \(-0\.300 to 1\.700\)/,
  );
});

test('verdicts over runs have a column for each run, and an empty cell where a run lacks the measure', () => {
  const step = {
    ...{
      study: 's',
      benchmark: 'b',
      model: 'mine',
      workflow: 'nfr-enhanced',
      dimension: 'design',
      metric: 'pass_at_1',
    },
    ...{ suite: 'base', before: 'monday', run: 'tuesday', createdAt: '2026-11-24T02:00:00.000Z' },
    ...{ oldMean: 80, newMean: 70, verdict: 'worse' },
  };
  const night = { ...step, before: 'tuesday', run: 'wednesday', metric: 'code_smell', suite: null };
  const { heads, rows } = historyTable([step, night], context);
  expect(heads.slice(4)).toEqual([
    { text: 'tuesday', under: '2026-11-24 02:00 UTC, against monday' },
    { text: 'wednesday', under: '2026-11-24 02:00 UTC, against tuesday' },
  ]);
  expect(rows.map((row) => texts(row).slice(2))).toEqual([
    ['design, enhanced', 'pass@1 base', 'worse', '–'],
    ['design, enhanced', 'code smell', '–', 'worse'],
  ]);
  expect(rows[1]?.[5]).toMatchObject({ under: ['80.00 → 70.00'], tone: { good: false } });
});

test('short times have three decimals, nothing has the sign of a zero', () => {
  expect(valueText({ metric: 'wall_ms' }, 0.0714)).toBe('0.071');
  expect(valueText({ metric: 'wall_ms' }, 12.3456)).toBe('12.35');
  expect(valueText({ metric: 'pass_at_1' }, -0.001)).toBe('0.00');
  expect(valueText({ metric: 'pass_at_1' }, null)).toBe('–');
  expect(rangeText({ metric: 'cpu_ms' }, estimate(2).interval)).toBe('1.000 to 3.000');
  expect(percentText(4.567, 1)).toBe('+4.6 %');
  expect([percentText(0.04, 1), percentText(-0.04, 1), percentText(-0.04)]).toEqual(['0.0 %', '0.0 %', '-0.04 %']);
});

test('boards have plain code first, then workflows and requirements; pass before quality before time', () => {
  const row = (setting: string, dimension: string, metric: string) => ({
    ...{
      run: 'r',
      study: 's',
      benchmark: 'b',
      language: 'python',
      model: 'm',
      setting,
      dimension,
      metric,
      suite: null,
    },
    ...{ mean: 1, n: 1, n_excluded: 0, simulated: false },
  });
  const nfr_summary = [
    row('nfr-enhanced', 'design', 'pass_at_1'),
    row('nfr-integrated', 'design', 'code_smell'),
    row('nfr-integrated', 'design', 'pass_at_1'),
    row('function-only', 'function-only', 'wall_ms'),
  ];
  const board = robunfrBoard({
    nfr_summary,
    nfr_stdev_parts: [],
    nfr_phrasings: [],
    nfr_workflows: [],
    regression: [],
  });
  expect(board.summaries.map(({ workflow, metric }) => [workflow, metric])).toEqual([
    ['function-only', 'wall_ms'],
    ['nfr-integrated', 'pass_at_1'],
    ['nfr-integrated', 'code_smell'],
    ['nfr-enhanced', 'pass_at_1'],
  ]);
});

const markdownOf = (more: Partial<RobunfrReport>): string =>
  partsMarkdown([requirementsPart({ ...report, ...more }, context)]);
const failed = (kinds: Record<string, number>, broken: number) => ({
  ...{
    run: 'r',
    study: 'wording',
    model: 'mine',
    workflow: 'nfr-integrated',
    dimension: 'design',
    solutions: 20,
    simulated: true,
  },
  ...{ kinds, broken },
});

test("Markdown has the paper's tables next to the report's, the note on two different models, and failures", () => {
  const text = markdownOf({ failures: [failed({ raises: 3, timeout: 1 }, 2)] });
  expect(text).toContain('this report | design | mine (simulated) | 80.00 ± 1.50 | -4.00 % | 70.00');
  expect(text).toContain(' | 1.020 (0.991 to 1.050) | ');
  expect(text).toContain('paper | design | GPT-3.5-turbo | 72.87 ± 1.82 | +0.51 % | 64.51 ± 2.15');
  for (const table of ['Table 2', 'Table 3', 'Table 4', 'Table 5', 'Table 6']) expect(text).toContain(`#### ${table}`);
  expect(text).toContain('(two different models)');
  expect(text).toContain('| Study | Model | Workflow | Requirement | Solutions | raises | timeout | Broken |');
  expect(text).toContain('| wording | mine (simulated) | nfr-integrated | design | 20 | 3 | 1 | 2 |');
  // Kinds without failures have no column; without any failure the part is missing.
  expect(text).not.toContain('syntax error');
  expect(markdownOf({ failures: [failed({}, 0)] })).not.toContain('Failures with a requirement');
});

test('Markdown has the averages over models, and how far an update moves each measure and what it trades', () => {
  const average = {
    run: 'r',
    study: 'wording',
    benchmark: 'he',
    metric: 'pass_at_1',
    suite: 'base',
    stdev: 1,
    models: 2,
    simulated: false,
    ...{
      intervals: { mean: null, stdev: null, deltaPercent: null },
      ratio: null,
      ratioWorkflows: null,
      pRatio: null,
      pMeans: null,
      tasks: 7,
    },
  };
  const text = markdownOf({
    workflows: [
      { ...average, workflow: 'function-only', dimension: 'function-only', mean: 90, deltaPercent: 0 },
      { ...average, workflow: 'nfr-enhanced', dimension: 'design', mean: 81, deltaPercent: -10 },
    ],
    updates: [
      {
        ...{ run: 'r', old: 'v1', now: 'v2' },
        ranges: [{ metric: 'code smell', least: 0.5, most: 12, dimension: 'design', benchmark: 'he' }],
        tradeOffs: [
          {
            ...{ dimension: 'design', metrics: ['pass@1 base', 'code smell'] as const, agrees: false },
            signs: { he: [1, -1] as const, mbpp: [-1, -1] as const },
          },
        ],
      },
    ],
  });
  expect(text).toContain('Averages over 2 models');
  expect(text).toContain(
    '| function-only | function-only | pass@1 base | 7 | 90.00 | 1.00 | – |\n' +
      '| nfr-enhanced | design | pass@1 base | 7 | 81.00 | 1.00 | -10.00 % |',
  );
  expect(text).toContain('code smell | 0.50 % | 12.00 % | design, he');
  expect(text).toContain('In 0 of 1 combinations of two measures and a requirement');
  expect(text).toContain('design | pass@1 base, code smell | he ↑↓; mbpp ↓↓ | no');
});

const brokenTask = (taskId: string, more: Partial<BrokenTask> = {}): BrokenTask => ({
  ...{
    run: 'r',
    study: 'wording',
    model: 'mine',
    workflow: 'nfr-integrated',
    dimension: 'design',
    phrasing: 'Make it nice',
  },
  ...{
    taskId,
    phrasings: 2,
    failure: 'wrong_output',
    detail: null,
    plain: 'return 1',
    required: 'return 2',
    reply: null,
  },
  ...more,
});
const failures = [failed({ wrong_output: 2 }, 2)];
const broken = [
  brokenTask('T/1', { detail: 'expected 1, got 2' }),
  brokenTask('T/2', { phrasings: 1, required: null, reply: 'As you <wish>' }),
  brokenTask('T/3', { required: null }),
];

test('broken tasks are on the page with both programs, folded; elsewhere they are counted', async () => {
  const { markup } = await partsHtml([requirementsPart({ ...report, failures, broken }, context)]);
  expect(markup).toContain('<summary>wording: mine, nfr-integrated, design: 3 tasks</summary>');
  expect(markup).toContain('<summary>T/1: wrong output (expected 1, got 2), in 2 phrasings</summary>');
  expect(markup).toContain('<p class="note">Make it nice</p>');
  expect(markup).toMatch(
    /Function-Only, passes<\/h4><pre [^>]*>return 1<\/pre>[\s\S]*With the requirement<\/h4><pre [^>]*>return 2<\/pre>/,
  );
  expect(markup).toContain('<pre tabindex="0">As you &lt;wish&gt;</pre>');
  expect(markup).toContain('<pre tabindex="0">No answer: there was no plain code to improve.</pre>');
  expect(markdownOf({ failures, broken })).not.toContain('T/1');
});

test('programs beyond the limit of a page are omitted, their tasks are not', async () => {
  const large = brokenTask('T/0', { plain: 'x'.repeat(2_499_900) });
  const { markup } = await partsHtml([requirementsPart({ ...report, failures, broken: [large, ...broken] }, context)]);
  // 2,499,900 + 8, then 16, 21 and 8 characters: under the limit with all four;
  // with 70 more the third and the fourth do not fit.
  expect(markup.match(/did not fit/g)).toBeNull();
  const larger = { ...large, plain: 'x'.repeat(2_499_970) };
  const less = await partsHtml([requirementsPart({ ...report, failures, broken: [larger, ...broken] }, context)]);
  expect(less.markup.match(/did not fit/g)).toHaveLength(2);
  expect(less.markup).toContain('T/3: wrong output, in 2 phrasings. The programs did not fit into this file');
});
