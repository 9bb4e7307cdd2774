/** A table of the report as terminal text: text columns left-aligned, numbers right-aligned, one line per row. */
import Table from 'cli-table3';
import { cellOf, type DataCell, type DataTable, headOf, holdsWords, withColumns } from '../part.ts';
import { cellText, textTable } from './text-table.ts';

const simulatedNote = '* simulated model: says nothing about any real model';

/**
 * Includes title and note; omits columns marked `aside` or `drawn`. @param plain removes terminal control characters
 */
export function tableLines(table: DataTable, plain: (text: string) => string): string {
  const narrow = withColumns(briefly(table), ({ aside }) => aside !== true);
  const shown = withColumns(narrow, ({ drawn }) => drawn !== true);
  const { heads, rows } = textTable(shown);
  const simulated = rows.some((row) => row.some(({ model }) => model?.simulated));
  const texts = rows.map((row) => row.map((cell) => plain(cellText(cell, ' *'))));
  const words = heads.map((_, column) => holdsWords(shown, column));
  return [
    ...(table.title === undefined ? [] : [plain(table.title)]),
    alignedLines(heads, texts, words),
    ...(table.note === undefined ? [] : [plain(table.note)]),
    ...(simulated ? [simulatedNote] : []),
  ].join('\n');
}

function briefly(table: DataTable): DataTable {
  const brief = table.heads.map((head) => headOf(head).brief === true);
  const bare = (cell: DataCell): DataCell => ({ ...cell, under: [] });
  return {
    ...table,
    rows: table.rows.map((row) => row.map((cell, column) => (brief[column] ? bare(cellOf(cell)) : cell))),
  };
}

/** @param words whether each column holds text */
function alignedLines(
  heads: readonly string[],
  rows: readonly (readonly string[])[],
  words: readonly boolean[],
): string {
  const colAligns = words.map((text) => (text ? ('left' as const) : ('right' as const)));
  const table = new Table({ head: [...heads], style: { head: [], border: [] }, colAligns, chars: headRuleOnly });
  for (const row of rows) table.push([...row]);
  const [names = '', ...lines] = table.toString().split('\n');
  return [names, names.replaceAll(/[^│]/g, '─').replaceAll('│', '┼'), ...lines].join('\n');
}

const headRuleOnly = {
  ...{ top: '', 'top-mid': '', 'top-left': '', 'top-right': '', bottom: '', 'bottom-mid': '' },
  ...{
    'bottom-left': '',
    'bottom-right': '',
    left: '',
    right: '',
    mid: '',
    'left-mid': '',
    'mid-mid': '',
    'right-mid': '',
  },
};
