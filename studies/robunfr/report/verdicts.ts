/** Verdicts on a new version: an overview by requirement and measure, and all comparisons with their numbers. */
import { number } from '../../../analysis/report/cells.ts';
import { missing } from '../../../analysis/report/format.ts';
import type { DataCell, DataRow, DataTable } from '../../../analysis/report/part.ts';
import type { RegressionRow } from '../results/board.ts';
import type { Group } from './groups.ts';
import { measureName, measuresOf } from './names.ts';
import { verdictText, verdictTone } from './tones.ts';
import { percentCell, percentText, ratioCell, ratioText, valueCell, valueText } from './value-text.ts';

const comparedOf = (rows: readonly RegressionRow[]): RegressionRow[] =>
  rows.filter(({ difference }) => difference !== null);

/** One row per requirement, one column per measure. @param rows of one pair in one study */
export function verdictsTable(rows: readonly RegressionRow[]): DataTable {
  const compared = comparedOf(rows);
  const measures = measuresOf(compared);
  const dimensions = [...new Set(compared.map(({ dimension }) => dimension))];
  const verdictAt = (dimension: string, measure: string): DataCell =>
    verdictCell(compared.find((row) => row.dimension === dimension && measureName(row) === measure));
  return {
    words: 1,
    heads: ['Requirement', ...measures],
    rows: dimensions.map((dimension) => [dimension, ...measures.map((measure) => verdictAt(dimension, measure))]),
    look: 'close',
  };
}

/** The verdict with the value that it is about: the ratio for times, else the change in percent. */
function verdictCell(row: RegressionRow | undefined): DataCell {
  if (row === undefined) return { text: missing };
  const about = row.ratio === null ? percentText(row.deltaPercent) : `× ${ratioText(row.ratio.value)}`;
  return {
    text: verdictText(row.verdict),
    under: about === missing ? [] : [about],
    hint: `${valueText(row, row.oldMean)} → ${valueText(row, row.newMean)}\nn = ${nText(row)}`,
    ...verdictTone(row.verdict),
  };
}

/** One line per requirement and measure. @param rows of one pair in one study */
export const comparisonsTable = (rows: readonly RegressionRow[]): DataTable => ({
  title: 'All comparisons, with intervals and tests',
  ...unjudgedNote(rows),
  words: 2,
  heads: [
    ...['Requirement', 'Measure'],
    { text: 'Old', brief: true },
    { text: 'STDEV', aside: true },
    { text: 'New', brief: true },
    { text: 'Change', aside: true },
    'Difference',
    { text: 'New / old', brief: true },
    'p (Holm)',
    { text: 'p (Welch)', aside: true },
    'Smallest detectable',
    { text: 'Verdict', words: true },
  ],
  rows: comparedOf(rows).map(comparisonRow),
  folded: true,
});

/** What the numbers of pass@1 are of, where answers could not be judged. */
function unjudgedNote(rows: readonly RegressionRow[]): Pick<DataTable, 'note'> {
  const open = comparedOf(rows).filter(({ metric, nExcluded }) => metric === 'pass_at_1' && nExcluded > 0);
  const [most] = open.toSorted((a, b) => b.nExcluded - a.nExcluded);
  if (most === undefined) return {};
  const isOne = open.every(({ nExcluded }) => nExcluded === most.nExcluded);
  const count = `${isOne ? '' : 'up to '}${most.nExcluded} of ${most.n + most.nExcluded} answers`;
  return {
    note:
      `pass@1: ${count} ${most.nExcluded === 1 ? 'was' : 'were'} not judged in both versions. AVG, STDEV, change and ` +
      'difference are of the phrasings and repetitions judged in both. p, the interval of the difference and the ' +
      'verdict also hold with the others in the least favourable way (not in a run of an earlier program). The ' +
      'difference on cards, in compare and in a gate is that of each task’s means, so it may be another.',
  };
}

const comparisonRow = (row: RegressionRow): DataRow =>
  comparisonCells(row).map((cell) =>
    typeof cell === 'string' || cell.value == null ? cell : { ...cell, n: nText(row) },
  );

const nText = ({ n, method }: RegressionRow): string => `${n}, ${method.replaceAll('_', ' ')}`;

const comparisonCells = (row: RegressionRow): DataRow => [
  ...[row.dimension, measureName(row)],
  valueCell(row, row.oldMean, row.oldRange),
  valueCell(row, row.oldStdev, null),
  valueCell(row, row.newMean, row.newRange),
  percentCell(row.deltaPercent, row.deltaRange),
  valueCell(row, row.difference?.value, row.difference?.interval),
  ...[ratioCell(row.ratio), chance(row.pAdjusted), chance(row.welchP)],
  valueCell(row, row.smallestEffect, null),
  { text: verdictText(row.verdict), ...verdictTone(row.verdict) },
];

/** Two significant digits, so that a small p is not shown as zero. */
const chance = (p: number | null): DataCell => (p === null ? number(null) : { text: p.toPrecision(2), value: p });

/** The table printed at the end of a run. */
export const verdictsBoard = (rows: Group<RegressionRow>): DataTable => ({
  ...comparisonsTable(rows),
  title: `RobuNFR · study ${rows[0].study} · ${rows[0].benchmark} · ${updateName(rows[0])}`,
});

/** Names the two versions and marks simulated ones: a table of verdicts has no other place for the mark. */
export const updateName = ({ old, now, simulated }: RegressionRow): string =>
  `${old} to ${now}${simulated ? ' (simulated)' : ''}`;
