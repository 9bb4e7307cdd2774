/** Whether models keep their places under other summary prompts and temperatures (RQ3), here and in the paper. */
import summaryPrompts from '../../../../data/published/evaloop-summary-prompts.json' with { type: 'json' };
import temperatures from '../../../../data/published/evaloop-temperatures.json' with { type: 'json' };
import type { Interval } from '../../../../domain/statistics/intervals/interval.ts';
import type { LoopReliability } from '../../results/reliability/loop-reliability.ts';
import { estimatedNumber, number } from '../../../../analysis/report/cells.ts';
import { intervalText, three } from '../../../../analysis/report/format.ts';
import type { DataCell, DataTable } from '../../../../analysis/report/part.ts';
import type { ReportContext } from '../../../../analysis/report/study-report.ts';
import { placeCell } from './place-cell.ts';

export function settingsTable(found: LoopReliability, { model }: ReportContext): DataTable {
  const { run, over, settings, reliability } = found;
  const { models, spearman, interval, bySetting } = reliability;
  return {
    title: `Places of the models under other ${over}`,
    note: aboutText(found),
    words: 1,
    heads: ['Model', 'Baseline', ...settings, 'Average'],
    rows: models.map((row) => [
      model(run, row.model),
      placeCell(row.baselinePlace),
      ...row.places.map((place) => placeCell(place)),
      number(row.averagePlace, 2),
    ]),
    totals: [
      [
        'Spearman with baseline',
        '',
        ...bySetting.map((one) => correlation(one.spearman, one.interval)),
        correlation(spearman, interval),
      ],
    ],
  };
}

const correlation = (value: number | null, interval: Interval | null): DataCell =>
  estimatedNumber(value === null ? null : { value, interval });

function aboutText({ over, judged, reliability }: LoopReliability): string {
  const { models, leftOut, spearman, interval, kendallW, kendallWInterval, icc, iccIntervals } = reliability;
  const published = over === 'temperatures' ? temperatures : summaryPrompts;
  const within = (range: Interval | null | undefined): string => intervalText(range ?? null, three);
  const out = leftOut.length === 0 ? '' : ` Not ranked, because a score is missing: ${leftOut.join(', ')}.`;
  return (
    `Places by ASL${judged ? '' : ' with every s = 1'}; the average does not include the baseline. ` +
    `Spearman of baseline and average place ${three(spearman)} (${within(interval)}; the paper, ` +
    `${published.rows.length} models: ${published.spearman}); ` +
    `Kendall’s W over all settings ${three(kendallW)} (${within(kendallWInterval)}); ` +
    `ICC ${three(icc?.agreement)} (${within(iccIntervals?.agreement)}) for agreement, ` +
    `${three(icc?.consistency)} (${within(iccIntervals?.consistency)}) for consistency. ` +
    `95 % intervals over ${models.length} models (Spearman: jackknife; W: jackknife and Bonett and Wright; ` +
    `ICC: Shrout and Fleiss, agreement by generalized pivots).${out}`
  );
}
