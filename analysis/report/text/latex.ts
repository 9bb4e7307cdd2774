/** The tables of a report as LaTeX for a paper: one `table` environment each, using package booktabs. */
import { type DataTable, holdsWords, type Part, withColumns } from '../part.ts';
import { captionText } from './caption.ts';
import { tablesOf } from './csv.ts';
import { cellText, textTable } from './text-table.ts';

export const partsLatex = (parts: readonly Part[]): string =>
  ['% \\usepackage{booktabs}', ...tablesOf(parts).map(({ path, table }) => tableLatex(ownCaption(path, table), table))]
    .join('\n\n')
    .concat('\n');

const ownCaption = (path: readonly string[], { note = '', method = '' }: DataTable): string =>
  captionText(path, [note, method]);

/** One `table` environment. */
export function tableLatex(caption: string, table: DataTable): string {
  const { heads, rows, totals } = textTable(table);
  const shown = withColumns(table, ({ drawn }) => drawn !== true);
  const columns = heads.map((_, column) => (holdsWords(shown, column) ? 'l' : 'r')).join('');
  const lines = rows.map((row) => lineLatex(row.map((cell) => cellText(cell, ' (simulated)'))));
  const body = lines.slice(0, rows.length - totals);
  const sums = lines.slice(rows.length - totals);
  return [
    '\\begin{table}',
    '\\centering',
    `\\caption{${escapeLatex(caption)}}`,
    `\\begin{tabular}{${columns}}`,
    '\\toprule',
    lineLatex(heads),
    '\\midrule',
    ...body,
    ...(sums.length === 0 ? [] : ['\\midrule', ...sums]),
    '\\bottomrule',
    '\\end{tabular}',
    '\\end{table}',
  ].join('\n');
}

const lineLatex = (cells: readonly string[]): string => `${cells.map(escapeLatex).join(' & ')} \\\\`;

const commands: Readonly<Record<string, string>> = {
  '\\': '\\textbackslash{}',
  '~': '\\textasciitilde{}',
  '^': '\\textasciicircum{}',
  // The default encoding OT1 sets these four as other signs, and lacks \textquotedbl.
  '|': '\\textbar{}',
  '<': '\\textless{}',
  '>': '\\textgreater{}',
  '"': "''",
  '–': '--',
  '−': '$-$',
  '±': '$\\pm$',
  '×': '$\\times$',
  '→': '$\\to$',
  Δ: '$\\Delta$',
  '²': '$^2$',
  '≥': '$\\ge$',
  '≤': '$\\le$',
};

/** Escapes text so that LaTeX prints it literally. */
const escapeLatex = (text: string): string =>
  text
    .replaceAll(/\p{Cc}+/gu, ' ')
    .replaceAll(/[\\~^|<>"–−±×→Δ²≥≤]|[&%$#_{}]/gu, (found) => commands[found] ?? `\\${found}`);
