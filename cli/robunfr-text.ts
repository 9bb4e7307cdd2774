/** RobuNFR's boards in the terminal: what requirements do to each model, and the verdicts on new versions. */
import type { NfrRow, RegressionRow, RobunfrBoard } from '../analysis/robunfr-board.ts';
import { missing } from '../analysis/report/format.ts';
import { percentRange, percentText, rangeText, ratioText, valueText } from '../analysis/report/robunfr/value-text.ts';
import { boardTable } from './board-table.ts';
import { plain } from './terminal.ts';

export const robunfrText = ({ summaries, regressions }: RobunfrBoard): string =>
  [
    ...groups(summaries, ({ run, study, benchmark }) => [run, study, benchmark]).map(summaryText),
    ...groups(regressions, ({ run, study, benchmark, old, now }) => [run, study, benchmark, old, now]).map(regressionText),
  ].join('\n\n');

const groups = <T>(rows: readonly T[], name: (row: T) => readonly string[]): [T, ...T[]][] =>
  [...Map.groupBy(rows, (row) => JSON.stringify(name(row))).values()].flatMap(([first, ...rest]) =>
    first === undefined ? [] : [[first, ...rest] as [T, ...T[]]],
  );

function summaryText(rows: readonly [NfrRow, ...NfrRow[]]): string {
  const measured = rows.filter(({ mean }) => mean !== null);
  const unmeasured = [...new Set(rows.filter(({ mean }) => mean === null).map(({ reason }) => reason))];
  const head = [
    'model',
    'workflow',
    'requirement',
    'metric',
    'AVG',
    'interval',
    'STDEV',
    'interval',
    'change',
    'interval',
    'n',
    'left out',
  ];
  const title = `RobuNFR · study ${rows[0].study} · ${rows[0].benchmark} · change against Function-Only · intervals 95 %`;
  return [
    title,
    boardTable(
      head,
      measured.map((row) => [
        `${plain(row.model)}${row.simulated ? ' *' : ''}`,
        row.workflow,
        row.dimension,
        metricName(row),
        valueText(row, row.mean?.value),
        rangeText(row, row.mean),
        valueText(row, row.stdev),
        rangeText(row, row.spread),
        row.dimension === 'function-only' ? missing : percentText(row.deltaPercent?.value),
        row.dimension === 'function-only' ? missing : percentRange(row.deltaPercent),
        String(row.n),
        String(row.nExcluded),
      ]),
      4,
    ),
    ...unmeasured.map((reason) => plain(reason ?? '')),
    ...simulatedNote(rows),
  ].join('\n');
}

function regressionText(rows: readonly [RegressionRow, ...RegressionRow[]]): string {
  const [{ study, benchmark, old, now }] = rows;
  const head = [
    'requirement',
    'metric',
    'old',
    'STDEV',
    'new',
    'change',
    'difference',
    'new / old',
    'p (Holm)',
    'could have seen',
    'verdict',
  ];
  const compared = rows.filter(({ difference }) => difference !== null);
  return [
    `RobuNFR · study ${study} · ${benchmark} · ${plain(old)} to ${plain(now)}`,
    boardTable(
      head,
      compared.map((row) => [
        row.dimension,
        metricName(row),
        valueText(row, row.oldMean),
        valueText(row, row.oldStdev),
        valueText(row, row.newMean),
        percentText(row.deltaPercent),
        rangeText(row, row.difference),
        ratioText(row.ratio),
        row.pAdjusted === null ? missing : row.pAdjusted.toPrecision(2),
        valueText(row, row.smallestEffect),
        row.verdict.replace('_', ' '),
      ]),
      2,
    ),
    ...simulatedNote(rows),
  ].join('\n');
}

const metricName = ({ metric, suite }: { readonly metric: string; readonly suite: string | null }): string =>
  suite === null ? metric : `pass@1 ${suite}`;
const simulatedNote = (rows: readonly { readonly simulated: boolean }[]): string[] =>
  rows.some(({ simulated }) => simulated) ? ['* simulated model: says nothing about any real one'] : [];
