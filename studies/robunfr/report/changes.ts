/** How each requirement changes each measure, in percent of Function-Only: better is green, worse orange. */
import { withEvidence } from '../../../analysis/report/examples/evidence.ts';
import { missing } from '../../../analysis/report/format.ts';
import type { DataCell, DataTable } from '../../../analysis/report/part.ts';
import type { ReportContext } from '../../../analysis/report/study-report.ts';
import type { NfrRow } from '../results/board.ts';
import { groupsBy } from './groups.ts';
import { isPlain, measureName, measuresOf, workflowName } from './names.ts';
import { changeTone } from './tones.ts';
import { percentRange, percentText, valueText } from './value-text.ts';

/** One line per model, workflow and requirement, one column per measure. @param rows of one study */
export function changesTable(rows: readonly NfrRow[], context: ReportContext): DataTable {
  const asked = rows.filter((row) => !isPlain(row));
  const measures = measuresOf(asked);
  return {
    words: 3,
    heads: ['Model', 'Workflow', 'Requirement', ...measures],
    rows: groupsBy(asked, ({ model, workflow, dimension }) => [model, workflow, dimension]).map((line) => {
      const [{ run, study, model, workflow, dimension }] = line;
      const changes = measures.map((measure) => changeCell(line.find((row) => measureName(row) === measure)));
      const cells = [context.model(run, model), workflowName(workflow), dimension, ...changes];
      return withEvidence(cells, { run, study, model, setting: workflow }, context);
    }),
    look: 'close',
  };
}

function changeCell(row: NfrRow | undefined): DataCell {
  if (row === undefined || row.mean === null) return { text: missing, value: null };
  const change = row.deltaPercent;
  if (change === null)
    return {
      text: fromNothing(row, row.mean.value),
      value: null,
      hint: 'no change in percent, because the Function-Only value is 0',
    };
  const range = change.interval === null ? '' : `, interval ${percentRange(change.interval)} %`;
  return {
    text: percentText(change.value, 1),
    value: change.value,
    hint: `${measureName(row)} ${valueText(row, row.mean.value)} ± ${valueText(row, row.stdev)}${range}\n${nText(row)}`,
    ...changeTone(row.metric, change.value),
  };
}

const nText = ({ n, nTasks }: NfrRow): string => `n = ${n} values${nTasks === null ? '' : ` of ${nTasks} tasks`}`;

/** The values themselves, for a Function-Only value of 0, which has no change in percent. */
const fromNothing = (row: NfrRow, value: number): string => (value === 0 ? '0' : `0 → ${valueText(row, value)}`);
