/** PromptSE's boards as Markdown tables. */
import { excessPlaces, type PromptseBoardRow, promptseBoardName } from '../promptse-board.ts';
import { aslText, decimals, levelText, missing, shareInterval, shareText } from './format.ts';
import type { DataTable } from './data-table.ts';
import { dataTableText, type TableText } from './data-table-text.ts';
import { publishedTables } from './promptse/published-tables.ts';
import { questionParts } from './promptse-questions-section.ts';
import type { PromptseReport } from './promptse-data.ts';
import { promptseMethod } from './promptse-section.ts';

const methodName = { full: 'PromptSE', light: 'PromptSELight' } as const;
const heads = [
  ...['Model', 'family', 'size, B', 'pass@1', 'score at 0', '0.1', '0.2', '0.3'],
  ...[0.1, 0.2, 0.3].flatMap((distance) => [`E(${distance})`, 'floor', 'excess']),
  ...['AUC-E', 'interval', 'normalised', 'floor', 'excess', 'interval', 'rank', 'rank by excess', 'n', 'excluded'],
];

/** Empty where no run has such a study. */
export function promptseMarkdown({ board, questions }: PromptseReport, tableText: TableText, escaped: (text: string) => string): string {
  if (board.length === 0) return '';
  const groups = [...Map.groupBy(board, promptseBoardName).values()];
  const sections = groups.map((rows) => {
    const first = rows[0] as PromptseBoardRow;
    const about = `Prompt stability on ${escaped(first.benchmark)}; ${levelText(first.level)} intervals; score: ${first.method === 'full' ? 'SoftExec' : 'pass rate'} at each distance.`;
    return [`## Study ${escaped(first.study)}: ${methodName[first.method]}`, about, tableText(heads, cellRows(rows))].join('\n\n');
  });
  const part = (title: string, parts: readonly DataTable[]): string =>
    [`### ${escaped(title)}`, ...parts.filter(({ rows }) => rows.length > 0).map((table) => dataTableText(table, tableText, escaped))].join(
      '\n\n',
    );
  const questionTexts = questions.flatMap((study) =>
    questionParts.map(({ title, tables }) => part(`Study ${study.study}, ${title}`, tables(study))),
  );
  return [
    ...sections,
    ...questionTexts,
    part('Beside the paper', publishedTables(questions, board)),
    '## How to read elasticity',
    ...promptseMethod.map(escaped),
  ].join('\n\n');
}

/** The rows come by rank. */
function cellRows(rows: readonly PromptseBoardRow[]): string[][] {
  const places = excessPlaces(rows);
  return rows.map((row, index) => {
    const rank = row.aucE === null ? missing : String(index + 1);
    return [...factCells(row), ...stabilityCells(row), rank, String(places[index] ?? missing), String(row.n), String(row.nExcluded)];
  });
}

const factCells = (row: PromptseBoardRow): string[] => [
  `${row.model}${row.simulated ? ' (simulated)' : ''}`,
  row.family ?? missing,
  row.sizeB === null ? missing : String(row.sizeB),
  `${shareText(row.passAt1?.value ?? null)}${row.passAt1?.interval == null ? '' : ` (${shareInterval(row.passAt1)})`}`,
  ...[row.scoreOriginal, ...row.scores].map(withRange),
];

const stabilityCells = (row: PromptseBoardRow): string[] => [
  ...row.elasticity.flatMap((estimate, index) => [
    withRange(estimate),
    withRange(row.floor[index] ?? null),
    withRange(row.excess[index] ?? null),
  ]),
  aslText(row.aucE),
  range(row.aucE),
  withRange(row.aucENormalized),
  withRange(row.aucEFloor),
  aslText(row.aucEExcess),
  range(row.aucEExcess),
];

const withRange = (estimate: PromptseBoardRow['aucE']): string =>
  estimate?.interval == null ? aslText(estimate) : `${aslText(estimate)} (${range(estimate)})`;

const range = (estimate: PromptseBoardRow['aucE']): string =>
  estimate?.interval == null ? missing : `${decimals(estimate.interval.lo)} – ${decimals(estimate.interval.hi)}`;
