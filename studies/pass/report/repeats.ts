/** Whether repetitions agree, what each of them gave, and which tasks are flaky. */
import { withEvidence } from '../../../analysis/report/examples/evidence.ts';
import { estimateOf } from '../../../analysis/estimate.ts';
import { count, estimatedNumber, estimatedShare, share } from '../../../analysis/report/cells.ts';
import {
  type DataCell,
  type DataRow,
  type DataTable,
  note,
  type Section,
  section,
} from '../../../analysis/report/part.ts';
import type { ReportContext } from '../../../analysis/report/study-report.ts';
import { numberOf, textOf } from '../../../domain/metrics/row-order.ts';
import type { Row } from '../../../schemas/tables.ts';
import { allSuites } from '../results/counts.ts';
import { nameCells, temperatureText } from './board.ts';
import type { PassStudyReport } from './data.ts';

const about =
  'Equal verdicts: two samples of a task, drawn from two repetitions, both pass or both fail; the mean over tasks. ' +
  'Next to it the same for two samples of one repetition: if repetitions are nothing but further draws, the two are ' +
  'equal apart from chance. Kappa is agreement beyond what the pass rate alone gives: 0 by chance, 1 complete. ' +
  'Solved in some only: tasks with a passing sample in some repetitions and none in others.';

/** Empty with one repetition. */
export const agreementPart = (study: PassStudyReport, context: ReportContext): Section =>
  section(
    'Agreement between repetitions',
    study.repetitions < 2 ? [] : [note(about), agreementTable(study, context), eachTable(study, context)],
  );

const agreementTable = (study: PassStudyReport, context: ReportContext): DataTable => ({
  words: 3,
  heads: [
    ...['Model', 'Temperature', 'Suite', 'Equal verdicts', 'Within one repetition', 'Fleiss’ kappa'],
    ...['Solved in some only', 'n'],
  ],
  rows: study.repeats.map((row) => {
    const cells: DataRow = [
      ...nameCells(study, row, context),
      ...['agreement', 'agreement_within'].map((column) => estimatedShare(estimateOf(row, column))),
      kappaCell(row),
      estimatedShare(estimateOf(row, 'flaky_across')),
      count(numberOf(row, 'n')),
    ];
    return withEvidence(cells, sourceOf(study, row), context);
  }),
});

function kappaCell(row: Row): DataCell {
  const cell = estimatedNumber(estimateOf(row, 'kappa'));
  return typeof row['reason'] === 'string' ? { ...cell, under: [row['reason']] } : cell;
}

const eachTable = (study: PassStudyReport, context: ReportContext): DataTable => ({
  title: 'pass@k and pass^k of each repetition',
  words: 3,
  heads: ['Model', 'Temperature', 'Suite', 'Repetition', 'k', 'pass@k', 'pass^k', 'n'],
  rows: study.passAtK
    .filter((row) => row['repetition'] !== null)
    .map((row) => [
      ...nameCells(study, row, context),
      ...[count(numberOf(row, 'repetition')), count(numberOf(row, 'k'))],
      ...['pass_at_k', 'pass_hat_k'].map((column) => estimatedShare(estimateOf(row, column))),
      count(numberOf(row, 'n')),
    ]),
  folded: true,
});

const sourceOf = ({ run, study }: PassStudyReport, row: Row) => ({
  ...{ run, study, model: textOf(row, 'model'), setting: textOf(row, 'setting') },
});

const mostFlaky = 50;

/** The tasks whose pass rate is nearest to one half, of each model and temperature. */
export function flakyTable(study: PassStudyReport, context: ReportContext): DataTable {
  const groups = Map.groupBy(study.flaky, (row) => JSON.stringify([row['model'], row['setting']]));
  const shown = [...groups.values()].flatMap((rows) => rows.toSorted(byUncertainty).slice(0, mostFlaky));
  return {
    title: 'Flaky tasks',
    note:
      `Tasks of which some samples passed and some failed, by ${allSuites} together; those nearest to one half ` +
      `first, at most ${mostFlaky} of each model and temperature. Table pass_tasks has all.`,
    words: 4,
    heads: ['Model', 'Temperature', 'Task', 'Passed in each repetition', 'Passed', 'n'],
    rows: shown.map(
      (row): DataRow =>
        withEvidence(
          [
            context.model(study.run, textOf(row, 'model')),
            temperatureText(study, row),
            textOf(row, 'task_id'),
            byRepetition(row),
            share(numberOf(row, 'pass_rate')),
            count(numberOf(row, 'n_samples')),
          ],
          { ...sourceOf(study, row), task: textOf(row, 'task_id') },
          context,
        ),
    ),
    folded: true,
  };
}

const byUncertainty = (a: Row, b: Row): number =>
  Math.abs(numberOf(a, 'pass_rate') - 0.5) - Math.abs(numberOf(b, 'pass_rate') - 0.5) ||
  (textOf(a, 'task_id') < textOf(b, 'task_id') ? -1 : 1);

/** `3/5, 2/5`. */
function byRepetition(row: Row): string {
  const [passed, counted] = ['passed_by_repetition', 'counted_by_repetition'].map((column) =>
    Array.isArray(row[column]) ? (row[column] as readonly number[]) : [],
  );
  return (passed ?? []).map((count, place) => `${count}/${counted?.[place] ?? 0}`).join(', ');
}
