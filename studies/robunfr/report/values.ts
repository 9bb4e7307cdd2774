/** Every value of a study: AVG, STDEV and change by model, workflow, requirement and measure. */
import { count, number, share } from '../../../analysis/report/cells.ts';
import { withEvidence } from '../../../analysis/report/examples/evidence.ts';
import { countText } from '../../../analysis/report/format.ts';
import type { DataRow, DataTable } from '../../../analysis/report/part.ts';
import type { ReportContext } from '../../../analysis/report/study-report.ts';
import type { NfrRow } from '../results/board.ts';
import type { Group } from './groups.ts';
import { isPlain, measureName, measuresOf, requirementName, workflowName } from './names.ts';
import { percentCell, ratioCell, valueCell } from './value-text.ts';

/** @param rows of one study */
export const valuesTable = (rows: readonly NfrRow[], context: ReportContext): DataTable => ({
  title: 'All values, with intervals, ceilings and counts',
  words: 4,
  heads: [
    ...['Model', 'Workflow', 'Requirement', 'Measure', 'AVG'],
    { text: 'STDEV', brief: true },
    'Change',
    ...['Time ratio', 'Ceiling', 'Tasks'].map((text) => ({ text, aside: true })),
    'n',
    { text: 'Excluded', aside: true },
  ],
  rows: measuredOf(rows).map((row) => valueRow(row, context)),
  folded: true,
});

export const measuredOf = (rows: readonly NfrRow[]): NfrRow[] => rows.filter(({ mean }) => mean !== null);

function valueRow(row: NfrRow, context: ReportContext): DataRow {
  const change = isPlain(row) ? null : row.deltaPercent;
  const cells: DataRow = [
    ...[context.model(row.run, row.model), workflowName(row.workflow), requirementName(row), measureName(row)],
    valueCell(row, row.mean?.value, row.mean?.interval),
    valueCell(row, row.stdev, row.spread?.interval),
    percentCell(change?.value, change?.interval),
    ratioCell(row.ratio),
    share(row.ceiling === null ? null : row.ceiling / 100),
    ...[number(row.nTasks, 0), count(row.n), count(row.nExcluded)],
  ];
  const { run, study, model, workflow: setting } = row;
  return withEvidence(cells, { run, study, model, setting }, context);
}

/** One sentence per reason why measures are missing. */
export function unmeasuredText(rows: readonly NfrRow[]): string {
  const without = rows.filter(({ mean, reason }) => mean === null && reason !== null);
  return [...Map.groupBy(without, ({ reason }) => reason)]
    .map(([reason, own]) => `${measuresOf(own).join(', ')}: ${reason}.`)
    .join(' ');
}

/** A solution may be excluded from several lines, so this counts lines, not solutions. */
function excludedText(rows: readonly NfrRow[]): string {
  const lines = measuredOf(rows).filter(({ nExcluded }) => nExcluded > 0).length;
  return lines === 0 ? '' : `Lines with excluded solutions: ${countText(lines)}; the report has their numbers.`;
}

/** The table printed at the end of a run. @param rows of one study */
export function valuesBoard(rows: Group<NfrRow>, context: ReportContext): DataTable {
  const [{ study, benchmark }] = rows;
  const note = [unmeasuredText(rows), excludedText(rows)].filter((text) => text !== '').join(' ');
  return {
    ...valuesTable(rows, context),
    title: `RobuNFR · study ${study} · ${benchmark} · change from Function-Only · 95 % intervals`,
    ...(note === '' ? {} : { note }),
  };
}
