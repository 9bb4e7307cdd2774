/** Log-rank tests between any two models. */
import type { LoopSurvival } from '../../results/survival/loop-survival.ts';
import { count, number, pValue } from '../../../../analysis/report/cells.ts';
import type { DataTable } from '../../../../analysis/report/part.ts';
import type { ReportContext } from '../../../../analysis/report/study-report.ts';

const about =
  'Tests whether two models survive differently. p is from a permutation test that swaps the two models within whole ' +
  'tasks: the share of swaps with a difference at least as large, adjusted over the pairs of the study (Holm). ' +
  'Chi-square is the same statistic with one degree of freedom.';

export function testsTable({ run, tests }: LoopSurvival, { model }: ReportContext): DataTable {
  const reasons = tests.some(({ test }) => test.reason !== null);
  return {
    title: 'Log-rank tests between models',
    note: about,
    words: 2,
    heads: [
      ...['Model', 'Other model', 'Tasks n', 'chi-square', 'p', 'p, adjusted'],
      ...(reasons ? [{ text: 'Why not tested', words: true }] : []),
    ],
    rows: tests.map(({ models: [one, other], test, adjusted, tasks }) => [
      ...[model(run, one), model(run, other)],
      ...[count(tasks), number(test.statistic), pValue(test.p), pValue(adjusted)],
      ...(reasons ? [test.reason ?? ''] : []),
    ]),
    folded: true,
  };
}
