/** Attacks on the first prompt (RQ1): pass@1 and ASL without and with each attack. */
import published from '../../../data/published/evaloop-attacks.json' with { type: 'json' };
import { numberOf, textOf } from '../../../domain/metrics/row-order.ts';
import type { Row } from '../../../schemas/tables.ts';
import { estimateOf } from '../../../analysis/estimate.ts';
import { count, estimated, estimatedNumber, estimatedShare, pValue, share } from '../../../analysis/report/cells.ts';
import { percentEnd, percentNumber } from '../../../analysis/report/format.ts';
import { type DataRow, type DataTable, note, type Section, section } from '../../../analysis/report/part.ts';
import type { ReportContext } from '../../../analysis/report/study-report.ts';
import { sameStudy, studiesOf, studyName } from './study-name.ts';

const about =
  'Compares the same tasks with unchanged and with attacked first prompts; attacked tasks also go through all loops. ' +
  'Broken and mended: tasks that passed less often or more often under the attack. ' +
  'p is McNemar’s exact test on paired tasks (with repetitions or several draws: ' +
  'a sign-flip permutation test over tasks), adjusted over the models and attacks of a study (Holm). ' +
  'Unchanged: tasks whose prompt the attack does not change; these are not asked.';

/** @param rows of table `attacks` */
export function attacksSection(rows: readonly Row[], context: ReportContext): Section {
  const named = rows.map((row) => ({ run: textOf(row, 'run'), study: textOf(row, 'study'), row }));
  const tables = studiesOf(named).map((study) => {
    const own = named.filter((other) => sameStudy(study, other)).map(({ row }) => row);
    return section(studyName(study, context), [attacksTable(own, context)]);
  });
  const parts =
    tables.length === 0 ? [] : [note(about), ...tables, section(undefined, [publishedTable], { pageOnly: true })];
  return section('Attacks on the first prompt', parts, { id: 'attacks', name: 'Attacks' });
}

const attacksTable = (rows: readonly Row[], context: ReportContext): DataTable => ({
  words: 3,
  heads: [
    ...['Model', 'Attack', 'Family', 'pass@1 before', 'under attack', 'Difference', 'Broken', 'Mended', 'p, adjusted'],
    ...['ASL, s = 1, before', 'under attack', 'Difference', 'Tasks n', 'Unchanged', 'Excluded'],
  ],
  rows: rows.map((row) => attackRow(row, context)),
});

const points = (value: number): string => percentNumber(100 * value);
const pointsEnd = (end: number): string => percentEnd(100 * end);

function attackRow(row: Row, { model }: ReportContext): DataRow {
  const p = row['p_adjusted'];
  return [
    ...[model(textOf(row, 'run'), textOf(row, 'model')), textOf(row, 'attack'), textOf(row, 'family')],
    ...['pass_at_1_original', 'pass_at_1'].map((column) => estimatedShare(estimateOf(row, column))),
    estimated(estimateOf(row, 'pass_difference'), points, pointsEnd),
    ...[count(numberOf(row, 'broken')), count(numberOf(row, 'mended')), pValue(typeof p === 'number' ? p : null)],
    ...['asl_unweighted_original', 'asl_unweighted', 'asl_difference'].map((column) =>
      estimatedNumber(estimateOf(row, column)),
    ),
    ...['n', 'n_unchanged', 'n_excluded'].map((column) => count(numberOf(row, column))),
  ];
}

const publishedTable: DataTable = {
  title: `The paper’s results (${published.benchmark})`,
  note: `${published.source}.`,
  words: 1,
  heads: ['Model', ...published.settings],
  rows: published.rows.map(({ model, pass_at_1: shares }) => [model, ...shares.map(share)]),
  folded: true,
};
