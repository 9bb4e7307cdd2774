/** PromptSE's boards as Markdown tables. */
import { type PromptseBoardRow, promptseBoardName } from '../promptse-board.ts';
import { aslText, levelText, missing, shareText } from './format.ts';
import { type DataTable, plainRows } from './data-table.ts';
import { publishedTables } from './promptse/published-tables.ts';
import { questionParts } from './promptse-questions-section.ts';
import type { PromptseReport } from './promptse-data.ts';
import { promptseMethod } from './promptse-section.ts';

const methodName = { full: 'PromptSE', light: 'PromptSELight' } as const;
const heads = [
  'Model',
  'pass@1',
  'E(0.1)',
  'E(0.2)',
  'E(0.3)',
  'AUC-E',
  'interval',
  'normalised',
  'floor',
  'excess',
  'interval',
  'n',
  'excluded',
];

/** Empty where no run has such a study. */
export function promptseMarkdown(
  { board, questions }: PromptseReport,
  tableText: (heads: readonly string[], rows: readonly (readonly string[])[]) => string,
  escaped: (text: string) => string,
): string {
  if (board.length === 0) return '';
  const groups = [...Map.groupBy(board, promptseBoardName).values()];
  const sections = groups.map((rows) => {
    const first = rows[0] as PromptseBoardRow;
    const about = `Prompt stability on ${escaped(first.benchmark)}; ${levelText(first.level)} intervals.`;
    return [`## Study ${escaped(first.study)}: ${methodName[first.method]}`, about, tableText(heads, rows.map(cells))].join('\n\n');
  });
  const dataText = (table: DataTable): string =>
    [
      `#### ${escaped(table.title)}`,
      ...(table.note === undefined ? [] : [escaped(table.note)]),
      tableText(table.heads, plainRows(table)),
    ].join('\n\n');
  const part = (title: string, parts: readonly DataTable[]): string =>
    [`### ${escaped(title)}`, ...parts.filter(({ rows }) => rows.length > 0).map(dataText)].join('\n\n');
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

const cells = (row: PromptseBoardRow): string[] => [
  `${row.model}${row.simulated ? ' (simulated)' : ''}`,
  shareText(row.passAt1?.value ?? null),
  ...row.elasticity.map(aslText),
  aslText(row.aucE),
  range(row.aucE),
  aslText(row.aucENormalized),
  row.aucEFloor?.toFixed(3) ?? missing,
  aslText(row.aucEExcess),
  range(row.aucEExcess),
  String(row.n),
  String(row.nExcluded),
];

const range = (estimate: PromptseBoardRow['aucE']): string =>
  estimate?.interval == null ? missing : `${estimate.interval.lo.toFixed(3)} – ${estimate.interval.hi.toFixed(3)}`;
