/** PartialOrderEval in Markdown: pass@1 by level and model, and the smallest sufficient levels. */
import type { Row } from '../../schemas/tables.ts';
import { missing } from './format.ts';
import type { SpecificityReport, SpecificityStudyReport } from './specificity-data.ts';
import { specificityMethod } from './specificity-section.ts';

type TableText = (heads: readonly string[], rows: readonly (readonly string[])[]) => string;

export function specificityMarkdown({ studies }: SpecificityReport, tableText: TableText, escapeText: (text: string) => string): string {
  if (studies.length === 0) return '';
  return [
    ...studies.map((study) => studyText(study, tableText, escapeText)),
    ['## How to read the curves of detail', ...specificityMethod.map(escapeText)].join('\n\n'),
  ].join('\n\n');
}

function studyText(
  { study, benchmark, curve, summary, pairs }: SpecificityStudyReport,
  tableText: TableText,
  escapeText: (text: string) => string,
): string {
  const level = (row: Row): string => (row['level'] === null ? '' : String(row['level']));
  const rows = curve
    .filter((row) => row['draw'] === null)
    .map((row) => [
      String(row['model']),
      String(row['augmentation']),
      level(row),
      ...numbers(row, ['words', 'pass_at_1', 'pass_at_1_lo', 'pass_at_1_hi']),
      String(row['n']),
    ]);
  const levels = summary.map((row) => [
    ...[
      'model',
      'augmentation',
      'sufficient',
      'sufficient_lo',
      'sufficient_hi',
      'reaches_original',
      'reaches_original_lo',
      'reaches_original_hi',
    ].map((column) => String(row[column] ?? missing)),
    ...numbers(row, ['maximal_to_original', 'maximal_to_original_lo', 'maximal_to_original_hi', 'maximal_to_original_p']),
    String(row['n']),
  ]);
  const violated = pairs.filter((row) => row['violates'] === true).length;
  return [
    `## Study ${escapeText(study)}`,
    escapeText(`PartialOrderEval on ${benchmark}: pass@1 by level of detail, 95 % intervals over tasks.`),
    tableText(['Model', 'Prompts', 'level', 'words', 'pass@1', 'lo', 'hi', 'n'], rows),
    tableText(
      ['Model', 'Curve', 'sufficient', 'lo', 'hi', 'reaches original', 'lo', 'hi', 'maximal - original', 'lo', 'hi', 'p', 'n'],
      levels,
    ),
    `More detail came with a lower pass@1 in ${violated} of ${pairs.length} pairs of levels.`,
  ].join('\n\n');
}

const numbers = (row: Row, columns: readonly string[]): string[] =>
  columns.map((column) => (typeof row[column] === 'number' ? row[column].toFixed(column === 'words' ? 1 : 3) : missing));
