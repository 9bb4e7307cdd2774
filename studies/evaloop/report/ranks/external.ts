/** A study's ranking compared with an external one (section 4.2 uses SWE-bench's). */
import type { ExternalComparison } from '../external-comparisons.ts';
import { intervalText, three } from '../../../../analysis/report/format.ts';
import type { DataTable } from '../../../../analysis/report/part.ts';
import type { ReportContext } from '../../../../analysis/report/study-report.ts';
import { placeCell } from './place-cell.ts';

const nearness = { same: 'same place', within_2: 'within 2', apart: '3 or more apart' } as const;

export const externalTable = (found: ExternalComparison, { model }: ReportContext): DataTable => ({
  title: `Ranking compared with ${found.name}`,
  note: aboutText(found),
  words: 1,
  heads: ['Model', 'Place here', `Place in ${found.name}`, { text: 'Difference', words: true }],
  rows: found.comparison.models.map((row) => [
    model(found.run, row.model),
    placeCell(row.place),
    placeCell(row.otherPlace),
    nearness[row.nearness],
  ]),
});

function aboutText({ source, comparison, fewerTasks }: ExternalComparison): string {
  const { models, spearman, kendall, intervals, onlyFirst, onlySecond } = comparison;
  const named = (ids: readonly string[]): string => (ids.length === 0 ? 'none' : ids.join(', '));
  return (
    `${source === null ? '' : `${source}. `}Places among the ${models.length} models in both rankings: ` +
    `Spearman ${three(spearman.statistic)} (${intervalText(intervals.spearman, three)}; p ${three(spearman.p)}), ` +
    `Kendall ${three(kendall.statistic)} (${intervalText(intervals.kendall, three)}; p ${three(kendall.p)}); ` +
    '95 % intervals over models (jackknife). ' +
    `Only in this study: ${named(onlyFirst)}; only in the other ranking: ${named(onlySecond)}.` +
    (fewerTasks.length === 0 ? '' : ` Not compared, as their ASL is of fewer tasks than others': ${named(fewerTasks)}.`)
  );
}
