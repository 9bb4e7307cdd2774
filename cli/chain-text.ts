/** Translation chains in the terminal: ASL by model, and the share that passes in each language. */
import { decimals, missing, shareText } from '../analysis/report/format.ts';
import { numberOf, textOf } from '../domain/metrics/row-order.ts';
import type { Row } from '../schemas/tables.ts';
import { boardTable } from './board-table.ts';
import { plain } from './terminal.ts';

export const chainText = (scores: readonly Row[]): string =>
  [...Map.groupBy(scores, (row) => JSON.stringify([row['run'], row['study']])).values()].map(studyText).join('\n\n');

function studyText(rows: readonly Row[]): string {
  const first = rows[0] as Row;
  const targets = textOf(first, 'languages').split(' > ').slice(1);
  const cells = rows.map((row) => {
    const n = numberOf(row, 'n');
    const passed = (row['passed'] as readonly number[]).slice(0, targets.length);
    return [
      `${plain(textOf(row, 'model'))}${row['simulated'] === true ? ' *' : ''}`,
      fixed(row['score']),
      row['score_lo'] === null ? missing : `${fixed(row['score_lo'])} to ${fixed(row['score_hi'])}`,
      ...passed.map((count) => shareText(n === 0 ? null : count / n)),
      String(n),
      String(numberOf(row, 'n_start_failed') + numberOf(row, 'n_excluded')),
    ];
  });
  const table = boardTable(['model', 'ASL', 'interval', ...targets, 'n', 'left out'], cells);
  const title = `EVALOOP · study ${textOf(first, 'study')} · translation chain ${textOf(first, 'languages')} · scoring ${textOf(first, 'scoring')}`;
  return [title, table, ...(rows.some((row) => row['simulated'] === true) ? ['* simulated'] : [])].join('\n');
}

const fixed = (value: Row[string] | undefined): string => (typeof value === 'number' ? decimals(value) : missing);
