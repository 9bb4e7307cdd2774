/** The main table of plain pass@k: pass@k and pass^k of each model, by temperature and suite. */
import { estimateOf } from '../../../analysis/estimate.ts';
import { count, estimatedShare } from '../../../analysis/report/cells.ts';
import { withEvidence } from '../../../analysis/report/examples/evidence.ts';
import { countText, missing } from '../../../analysis/report/format.ts';
import type { DataCell, DataRow, DataTable } from '../../../analysis/report/part.ts';
import type { ReportContext } from '../../../analysis/report/study-report.ts';
import { numberOf, textOf } from '../../../domain/metrics/row-order.ts';
import type { Row } from '../../../schemas/tables.ts';
import type { PassStudyReport } from './data.ts';

/** Printed in the terminal at the end of a run. */
export const terminalBoard = (study: PassStudyReport, context: ReportContext): DataTable => ({
  ...passTable(study, context),
  title: `pass@k · study ${study.study} · ${study.benchmark} · ${sizeText(study)} · intervals 95 %`,
});

/** `10 samples a task, 2 repetitions`. */
export const sizeText = ({ samples, repetitions }: PassStudyReport): string =>
  `${samples} ${samples === 1 ? 'sample' : 'samples'} a task` +
  (repetitions === 1 ? '' : `, ${repetitions} repetitions`);

/** Over all repetitions. One row per model, temperature and suite. */
export function passTable(study: PassStudyReport, context: ReportContext): DataTable {
  const [least, most] = [study.ks[0], study.ks.at(-1)];
  return {
    words: 3,
    heads: [
      ...['Model', 'Temperature', 'Suite'],
      ...study.ks.map((k) => ({ text: `pass@${k}`, aside: k !== least && k !== most })),
      // pass^1 is pass@1.
      ...study.ks.filter((k) => k !== 1).map((k) => ({ text: `pass^${k}`, aside: k !== most })),
      ...['Flaky tasks', 'n', 'Excluded'],
    ],
    rows: study.repeats.map((row) => passRow(study, row, context)),
    ...(study.repeats.some((row) => areTasksFewer(study, row)) && { note: fewerTasks }),
    look: 'board',
  };
}

const fewerTasks =
  'A cell “of” fewer tasks than n leaves out tasks with fewer than k samples that could be judged, so that it is not ' +
  'of the same tasks as the others of its row.';

function passRow(study: PassStudyReport, repeats: Row, context: ReportContext): DataRow {
  const rows = study.ks.map((k) => ({ k, row: pooledRow(study, repeats, k) }));
  const [first] = rows;
  const shareOf = (row: Row | undefined, column: string): DataCell =>
    ofFewer(estimatedShare(estimateOf(row ?? {}, column)), row, first?.row);
  const cells: DataRow = [
    ...nameCells(study, repeats, context),
    ...rows.map(({ row }) => shareOf(row, 'pass_at_k')),
    ...rows.filter(({ k }) => k !== 1).map(({ row }) => shareOf(row, 'pass_hat_k')),
    estimatedShare(estimateOf(repeats, 'flaky')),
    ...['n', 'n_excluded'].map((column) =>
      first?.row === undefined ? { text: missing, value: null } : count(numberOf(first.row, column)),
    ),
  ];
  const source = { run: study.run, study: study.study, model: textOf(repeats, 'model') };
  return withEvidence(cells, { ...source, setting: textOf(repeats, 'setting') }, context);
}

/** Says of how many tasks it is, if these are fewer than those of the smallest k. */
function ofFewer(cell: DataCell, row: Row | undefined, first: Row | undefined): DataCell {
  const [n, most] = [row, first].map((one) => (one === undefined ? 0 : numberOf(one, 'n'))) as [number, number];
  if (n === 0 || n === most) return cell;
  return { ...cell, under: [...(cell.under ?? []), `of ${countText(n)} ${n === 1 ? 'task' : 'tasks'}`], n };
}

/** Whether the values of k are not all of the same tasks: some may have fewer judged samples than the largest. */
export const areTasksFewer = (study: PassStudyReport, like: Row): boolean =>
  new Set(study.ks.map((k) => pooledRow(study, like, k)?.['n'] ?? null)).size > 1;

const pooledRow = ({ passAtK }: PassStudyReport, like: Row, k: number): Row | undefined =>
  passAtK.find((row) => row['k'] === k && row['repetition'] === null && isAlike(row, like));

/** Whether two rows are of the same model, setting and suite. */
const isAlike = (row: Row, other: Row): boolean =>
  ['model', 'benchmark', 'language', 'setting', 'suite'].every((column) => row[column] === other[column]);

/** Model, temperature and suite. */
export const nameCells = (study: PassStudyReport, row: Row, context: ReportContext): DataCell[] => [
  context.model(study.run, textOf(row, 'model')),
  { text: temperatureText(study, row) },
  { text: textOf(row, 'suite') },
];

export function temperatureText({ temperatures }: PassStudyReport, row: Row): string {
  const temperature = temperatures[textOf(row, 'setting')] ?? null;
  return temperature === null ? 'not sent' : String(temperature);
}
