/** Verdicts over dated runs: one line per study, model and measure, one column per run. */
import { missing, timeText } from '../../../analysis/report/format.ts';
import type { DataCell, DataTable } from '../../../analysis/report/part.ts';
import type { ReportContext } from '../../../analysis/report/study-report.ts';
import type { HistoryStep } from '../results/history.ts';
import { groupsBy } from './groups.ts';
import { isPlain, measureName, workflowName } from './names.ts';
import { verdictText, verdictTone } from './tones.ts';
import { valueText } from './value-text.ts';

export const historyNote =
  'Each run compared with the run before, for the same model; p is corrected over all comparisons of two runs. ' +
  'Below each verdict: the old and the new AVG. ' +
  'Times are left out, because those of different runs also differ by what else the machine did.';

export function historyTable(history: readonly HistoryStep[], context: ReportContext): DataTable {
  const steps = groupsBy(history, ({ run }) => [run]).map(([step]) => step);
  const lines = groupsBy(history, (step) => [step.study, step.model, step.workflow, step.dimension, measureName(step)]);
  return {
    words: 4,
    heads: [
      ...['Study', 'Model', 'Requirement', 'Measure'],
      ...steps.map(({ run, before, createdAt }) => ({ text: run, under: `${timeText(createdAt)}, against ${before}` })),
    ],
    rows: lines.map((line) => [
      ...[line[0].study, context.model(line[0].run, line[0].model), conditionName(line[0]), measureName(line[0])],
      ...steps.map(({ run }) => stepCell(line.find((step) => step.run === run))),
    ]),
    look: 'close',
  };
}

/** The workflow is named only for NFR-Enhanced. */
const conditionName = (step: HistoryStep): string =>
  isPlain(step) || step.workflow === 'nfr-integrated'
    ? step.dimension
    : `${step.dimension}, ${workflowName(step.workflow)}`;

function stepCell(step: HistoryStep | undefined): DataCell {
  if (step === undefined) return { text: missing };
  return {
    text: verdictText(step.verdict),
    under: [`${valueText(step, step.oldMean)} → ${valueText(step, step.newMean)}`],
    ...verdictTone(step.verdict),
  };
}
