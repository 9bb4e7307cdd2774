/** Pass rates of summaries with and without a theme. */
import { note, type Section, section } from '../../../analysis/report/part.ts';
import type { ReportContext } from '../../../analysis/report/study-report.ts';
import { textOf } from '../../../domain/metrics/row-order.ts';
import type { SpecificityStudyReport } from './data.ts';
import { estimateCell, factCell } from './row-cells.ts';
import { themeName, topThemes } from './themes.ts';

const about =
  'Pass rates of summaries with and without each of the ten most frequent themes, and their difference at equal word ' +
  'limits. This is an association, not an effect: themes were not assigned at random, and summaries of a task say ' +
  'similar things. Table theme_passing has all themes.';

export function themePassingPart({ run, themes }: SpecificityStudyReport, context: ReportContext): Section {
  const { counts, passing } = themes;
  const top = topThemes(counts);
  const rows = passing.filter((row) => top.includes(textOf(row, 'theme')) && row['difference'] !== null);
  if (rows.length === 0) return section('Themes and pass rates', []);
  return section('Themes and pass rates', [
    note(about),
    {
      words: 2,
      heads: ['Model', 'Theme', 'With', 'Without', 'Difference', 'n with', 'n without', 'Tasks'],
      rows: rows.map((row) => [
        context.model(run, textOf(row, 'model')),
        themeName(row),
        ...['pass_with', 'pass_without', 'difference'].map((column) => estimateCell(row, column)),
        ...['n_with', 'n_without', 'n_tasks'].map((column) => factCell(row, column)),
      ]),
    },
  ]);
}
