/** RobuNFR in the report: the paper's tables with one's own lines, plots of what is paid for what, values as they are read. */
import { expect, test } from 'vitest';
import type { DataCell } from '../../../analysis/report/data-table.ts';
import { publishedTables } from '../../../analysis/report/robunfr/published-tables.ts';
import { requirementTradeOffs } from '../../../analysis/report/robunfr/trade-offs.ts';
import { percentText, rangeText, valueText } from '../../../analysis/report/robunfr/value-text.ts';
import type { RobunfrReport } from '../../../analysis/report/robunfr-data.ts';
import { robunfrMarkdown } from '../../../analysis/report/robunfr-markdown.ts';
import { type NfrRow, type RegressionRow, robunfrBoard } from '../../../analysis/robunfr-board.ts';

const estimate = (value: number) => ({ value, interval: { lo: value - 1, hi: value + 1 }, reason: null });
const summary = (more: Partial<NfrRow>): NfrRow => ({
  ...{ run: 'r', study: 'wording', benchmark: 'he', model: 'mine', workflow: 'nfr-integrated', dimension: 'design' },
  ...{ metric: 'pass_at_1', suite: 'base', mean: estimate(80), stdev: 1.5, deltaPercent: estimate(-4) },
  ...{ spread: null, ratio: null, nTasks: 4, n: 10, nExcluded: 0, reason: null, ceiling: 100, simulated: true },
  ...more,
});
const regression: RegressionRow = {
  ...{ run: 'r', study: 'wording', benchmark: 'he', old: 'v1', now: 'v2', dimension: 'design', metric: 'wall_ms', suite: null },
  ...{ oldMean: 12.3, oldStdev: 0.4, newMean: 13, difference: estimate(0.7), deltaPercent: 5.69, method: 'ratio_sign_flip', pAdjusted: 1 },
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

const tableOf = (title: string) => publishedTables(report).find((table) => table.title.startsWith(title));
const texts = (row: readonly (DataCell | string)[] | undefined): string[] =>
  (row ?? []).map((cell) => (typeof cell === 'string' ? cell : cell.text));
const ownRows = (title: string): string[][] => (tableOf(title)?.own ?? []).map((place) => texts(tableOf(title)?.rows[place]));

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
  expect(tableOf('Table 5')?.title).toContain('(the paper alone)');
  expect(publishedTables(report, true).map(({ title }) => title.slice(0, 7))).toEqual(['Table 2', 'Table 3', 'Table 4']);
});

test('quality goes to table 3, an update to table 4 with its time in the place of execution time', () => {
  expect(ownRows('Table 3: quality and time, HumanEval')).toEqual([
    ['this report', 'design', 'mine (simulated)', '0.30 ± 0.02', '-4.00 %', '–', '–', '–', '–', '–', '–'],
  ]);
  const [update] = ownRows('Table 4: old version, and the change of the new one, HumanEval');
  expect(update?.slice(0, 3)).toEqual(['this report', 'design', 'v1 to v2 (simulated)']);
  expect(update?.slice(-2)).toEqual(['12.30 ± 0.40', '+5.69 %']);
});

test('a plot for each measure beside pass, none where only pass was measured', async () => {
  const passOnly = await requirementTradeOffs([summary({})], () => 'red');
  expect(passOnly.markup).toBe('');
  const { markup } = await requirementTradeOffs(
    [summary({}), summary({ metric: 'code_smell', suite: null }), summary({ metric: 'cpu_ms', suite: null })],
    () => 'red',
  );
  expect(markup.match(/<figure/g)).toHaveLength(1);
  expect(markup).toContain('pass and code smell');
  expect(markup).toContain('● design');
});

test('short times have three decimals, nothing has the sign of a zero', () => {
  expect(valueText({ metric: 'wall_ms' }, 0.0714)).toBe('0.071');
  expect(valueText({ metric: 'wall_ms' }, 12.3456)).toBe('12.35');
  expect(valueText({ metric: 'pass_at_1' }, -0.001)).toBe('0.00');
  expect(valueText({ metric: 'pass_at_1' }, null)).toBe('–');
  expect(rangeText({ metric: 'cpu_ms' }, estimate(2))).toBe('1.000 to 3.000');
  expect(percentText(4.567, 1)).toBe('+4.6 %');
  expect([percentText(0.04, 1), percentText(-0.04, 1), percentText(-0.04)]).toEqual(['0.0 %', '0.0 %', '-0.04 %']);
});

test('boards have plain code first, then workflows and requirements; pass before quality before time', () => {
  const row = (setting: string, dimension: string, metric: string) => ({
    ...{ run: 'r', study: 's', benchmark: 'b', language: 'python', model: 'm', setting, dimension, metric, suite: null },
    ...{ mean: 1, n: 1, n_excluded: 0, simulated: false },
  });
  const nfr_summary = [
    row('nfr-enhanced', 'design', 'pass_at_1'),
    row('nfr-integrated', 'design', 'code_smell'),
    row('nfr-integrated', 'design', 'pass_at_1'),
    row('function-only', 'function-only', 'wall_ms'),
  ];
  const board = robunfrBoard({ nfr_summary, nfr_phrasings: [], nfr_workflows: [], regression: [] });
  expect(board.summaries.map(({ workflow, metric }) => [workflow, metric])).toEqual([
    ['function-only', 'wall_ms'],
    ['nfr-integrated', 'pass_at_1'],
    ['nfr-integrated', 'code_smell'],
    ['nfr-enhanced', 'pass_at_1'],
  ]);
});

const pipes = (cells: readonly string[]): string => cells.join(' | ');
const markdownOf = (more: Partial<RobunfrReport>, severalRuns = false): string =>
  robunfrMarkdown(
    { ...report, ...more },
    (heads, rows) => [heads, ...rows].map(pipes).join('\n'),
    (text) => text,
    severalRuns,
  );
const failed = (kinds: Record<string, number>, broken: number) => ({
  ...{ run: 'r', study: 'wording', model: 'mine', workflow: 'nfr-integrated', dimension: 'design', solutions: 20, simulated: true },
  ...{ kinds, broken },
});

test("Markdown has the paper's tables beside the report's lines, the note on two different models, and what failed", () => {
  const text = markdownOf({ failures: [failed({ raises: 3, timeout: 1 }, 2)] });
  expect(text).toContain('this report | design | mine (simulated) | 80.00 ± 1.50 | -4.00 % | 70.00');
  expect(text).toContain(' | 1.020 (0.991 to 1.050) | ');
  expect(text).toContain('paper | design | GPT-3.5-turbo | 72.87 ± 1.82 | +0.51 % | 64.51 ± 2.15');
  for (const table of ['Table 2', 'Table 3', 'Table 4', 'Table 5', 'Table 6']) expect(text).toContain(`#### ${table}`);
  expect(text).toContain('(two different models)');
  expect(text).toContain('Study | Model | Workflow | Requirement | Solutions | raises | timeout | Broken\nwording | mine (simulated)');
  expect(text).toContain('nfr-integrated | design | 20 | 3 | 1 | 2');
  // Kinds that nobody has are no columns; without any failure there is no such part.
  expect(text).not.toContain('syntax error');
  expect(markdownOf({ failures: [failed({}, 0)] })).not.toContain('What fails with a requirement');
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
  expect(text).toContain('function-only | function-only | 7 | 90.00 ± 1.00 | –\nnfr-enhanced | design | 7 | 81.00 ± 1.00 | -10.00 %');
  expect(text).toContain('code smell | 0.50 % | 12.00 % | design, he');
  expect(text).toContain('0 of 1 pairs of measures and requirements agree');
  expect(text).toContain('design | pass@1 base, code smell | he ↑↓; mbpp ↓↓ | no');
});
