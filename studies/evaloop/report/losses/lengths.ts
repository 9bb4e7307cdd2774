/** How lengths drift from loop to loop, and code that no longer changes. */
import { withEvidence } from '../../../../analysis/report/examples/evidence.ts';
import type { LoopSurvival } from '../../results/survival/loop-survival.ts';
import { count, estimatedNumber, estimatedShare } from '../../../../analysis/report/cells.ts';
import type { DataRow, DataTable } from '../../../../analysis/report/part.ts';
import type { ReportContext } from '../../../../analysis/report/study-report.ts';

export function lengthsTable({ run, drifts, fixpoints }: LoopSurvival, { model }: ReportContext): DataTable {
  const loops = [...new Set(drifts.map(({ loop }) => loop))].toSorted((a, b) => a - b);
  const rowOf = (id: string, what: string, factor: 'codeFactor' | 'summaryFactor'): DataRow => [
    model(run, id),
    what,
    ...loops.map((loop) => {
      const drift = drifts.find((one) => one.model === id && one.loop === loop);
      return { ...estimatedNumber(drift?.[factor], 2), ...(drift === undefined ? {} : { n: `${drift.tasks} tasks` }) };
    }),
  ];
  return {
    title: 'Length of code and summaries relative to loop 1',
    note:
      'Length of code and of its summary in each sustained loop, divided by that of the same task in loop 1. ' +
      'Geometric means over the tasks that sustained the loop, with 95 % intervals (Student’s t of the logarithms).',
    words: 2,
    heads: ['Model', 'Text', ...loops.map((loop) => `loop ${loop}`)],
    rows: fixpoints.flatMap(({ model: id }) => [
      rowOf(id, 'code', 'codeFactor'),
      rowOf(id, 'summary', 'summaryFactor'),
    ]),
  };
}

export const fixpointsTable = ({ run, study, fixpoints }: LoopSurvival, context: ReportContext): DataTable => ({
  title: 'Fixpoints',
  note:
    'A fixpoint is code that stays the same from some loop to the last sustained one, for at least two loops. Cells: ' +
    'those that sustained at least two loops. First loop: mean loop from which the code stayed the same.',
  words: 1,
  heads: ['Model', 'Fixpoints', 'Cells', 'Share', 'First loop'],
  rows: fixpoints.map(({ model: id, cells, fixed, share, from }) =>
    withEvidence(
      [context.model(run, id), count(fixed), count(cells), estimatedShare(share), estimatedNumber(from, 1)],
      { run, study, model: id, variant: 'original', setting: 'default' },
      context,
    ),
  ),
});
