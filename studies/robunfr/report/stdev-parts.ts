/** STDEV of pass@1 over phrasings, with its part that is phrasing and its part that is chance. */
import { withEvidence } from '../../../analysis/report/examples/evidence.ts';
import { number } from '../../../analysis/report/cells.ts';
import type { DataRow, DataTable } from '../../../analysis/report/part.ts';
import type { ReportContext } from '../../../analysis/report/study-report.ts';
import type { NfrRow } from '../results/board.ts';
import { measureName, requirementName, workflowName } from './names.ts';
import { valueCell } from './value-text.ts';

/** @param rows of one study */
export const stdevPartsTable = (rows: readonly NfrRow[], context: ReportContext): DataTable => ({
  title: 'STDEV of pass@1: phrasing and chance',
  note:
    'STDEV² = phrasing² + chance². Chance: the STDEV that phrasings without any difference would show, because each ' +
    'task is asked only once per phrasing. Phrasing: the rest; 0 if chance explains all.',
  words: 4,
  heads: ['Model', 'Workflow', 'Requirement', 'Measure', 'STDEV', 'Phrasing', 'Chance', 'Tasks'],
  rows: rows.filter(({ byChance }) => byChance !== null).map((row) => partsRow(row, context)),
});

function partsRow(row: NfrRow, context: ReportContext): DataRow {
  const cells: DataRow = [
    ...[context.model(row.run, row.model), workflowName(row.workflow), requirementName(row), measureName(row)],
    valueCell(row, row.stdev, row.spread?.interval),
    valueCell(row, row.byPhrasing?.value, row.byPhrasing?.interval),
    valueCell(row, row.byChance?.value, row.byChance?.interval),
    number(row.nTasks, 0),
  ];
  const { run, study, model, workflow: setting } = row;
  return withEvidence(cells, { run, study, model, setting }, context);
}
