/** How far the judges of a study agree, and what each of them would have found alone. */
import { numberOf, textOf } from '../../../domain/metrics/row-order.ts';
import type { Row } from '../../../schemas/tables.ts';
import { estimateOf } from '../../../analysis/estimate.ts';
import { count, estimatedNumber } from '../../../analysis/report/cells.ts';
import { type DataTable, note, type Section, section } from '../../../analysis/report/part.ts';
import type { ReportContext } from '../../../analysis/report/study-report.ts';
import { sameStudy, studiesOf, studyName } from './study-name.ts';

const about =
  'Each break is scored by every judge, as often as the study says; the similarity in ASL is the mean over judges of ' +
  'each judge’s mean. Rows "judges" compare the judges’ means of the same break, rows "repeats" the scores of one ' +
  'judge. Alpha is Krippendorff’s for interval data: 1 if all scores of a break are equal, 0 if they differ like ' +
  'scores of different breaks. Difference: mean difference of two scores of a break. ASL: from these scores alone. ' +
  'With several judges, the interval of ASL includes the choice of judges, unless judge_error of table asl is null.';

/** @param rows of table `loop_judges` */
export function judgesSection(rows: readonly Row[], context: ReportContext): Section {
  const tables = judgeTables(rows, context);
  const parts = tables.length === 0 ? [] : [note(about), ...tables];
  return section('Agreement of judges', parts, { id: 'judges', name: 'Judges' });
}

/** One table per study. @param rows of table `loop_judges` */
export function judgeTables(rows: readonly Row[], context: ReportContext): DataTable[] {
  const named = rows.map((row) => ({ run: textOf(row, 'run'), study: textOf(row, 'study'), row }));
  return studiesOf(named).map((study) => {
    const own = named.filter((other) => sameStudy(study, other)).map(({ row }) => row);
    return { ...judgesTable(own, context), title: `${studyName(study, context)}: agreement of judges` };
  });
}

const judgesTable = (rows: readonly Row[], { model }: ReportContext): DataTable => ({
  words: 4,
  heads: [
    { text: 'Model', brief: true },
    ...['Setting', 'Compared', 'Judge'],
    'Alpha',
    { text: 'Difference', brief: true },
    ...['Score', 'ASL', 'Breaks n'],
    { text: 'Unread', aside: true },
  ],
  rows: rows.map((row) => [
    model(textOf(row, 'run'), textOf(row, 'model')),
    ...['setting', 'compared', 'judge'].map((column) => textOf(row, column)),
    ...['alpha', 'disagreement', 'score', 'asl'].map((column) => estimatedNumber(estimateOf(row, column))),
    ...['n', 'n_missing'].map((column) => count(numberOf(row, column))),
  ]),
});
