/** PartialOrderEval in the terminal: pass@1 by detail, one row per model. */
import { decimals, missing } from '../analysis/report/format.ts';
import type { SpecificityTables } from '../analysis/specificity-tables.ts';
import type { Row } from '../schemas/tables.ts';
import { boardTable } from './board-table.ts';
import { plain } from './terminal.ts';

export const specificityText = ({ specificity_curve: curve, specificity_summary: summary }: SpecificityTables): string =>
  [...Map.groupBy(curve, (row) => JSON.stringify([row['run'], row['study'], row['setting']])).values()]
    .map((rows) => groupText(rows, summary))
    .join('\n\n');

function groupText(rows: readonly Row[], summary: readonly Row[]): string {
  const [first] = rows as readonly [Row];
  const own = summary.filter((row) => row['run'] === first['run'] && row['study'] === first['study']);
  const within = own[0]?.['within'];
  const title = `PartialOrderEval · study ${String(first['study'])} · ${String(first['benchmark'])} · pass@1 by detail · sufficient: least detail within ${String(within)} of the maximal prompt`;
  const head = ['model', 'minimal', 'original', 'maximal', 'maximal - original', 'sufficient words', 'paragraphs', 'masked', 'n'];
  const models = [...new Set(rows.map((row) => String(row['model'])))];
  const note = rows.some((row) => row['simulated'] === true) ? ['* simulated model: says nothing about any real one'] : [];
  return [
    title,
    boardTable(
      head,
      models.map((model) => cells(model, rows, own)),
    ),
    ...note,
  ].join('\n');
}

function cells(model: string, rows: readonly Row[], summary: readonly Row[]): string[] {
  const at = (augmentation: string): Row | undefined =>
    rows.find((row) => row['model'] === model && row['augmentation'] === augmentation && row['draw'] === null);
  const of = (augmentation: string): Row | undefined =>
    summary.find((row) => row['model'] === model && row['augmentation'] === augmentation);
  const simulated = at('minimal')?.['simulated'] === true ? ' *' : '';
  return [
    `${plain(model)}${simulated}`,
    ...['minimal', 'original', 'maximal'].map((augmentation) => estimate(at(augmentation), 'pass_at_1')),
    estimate(of('summary') ?? of('paragraphs') ?? of('mask'), 'maximal_to_original'),
    ...['summary', 'paragraphs', 'mask'].map((augmentation) => sufficient(of(augmentation))),
    String(at('maximal')?.['n'] ?? missing),
  ];
}

function sufficient(row: Row | undefined): string {
  const [level, lo, hi] = ['sufficient', 'sufficient_lo', 'sufficient_hi'].map((column) => row?.[column] ?? null);
  return level === null ? missing : lo === null || hi === null ? String(level) : `${level} (${lo} – ${hi})`;
}

function estimate(row: Row | undefined, column: string): string {
  const [value, lo, hi] = [column, `${column}_lo`, `${column}_hi`].map((name) => row?.[name]);
  if (typeof value !== 'number') return missing;
  return typeof lo === 'number' && typeof hi === 'number' ? `${decimals(value)} (${decimals(lo)} – ${decimals(hi)})` : decimals(value);
}
