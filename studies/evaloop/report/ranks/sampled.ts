/** Greedy and sampled runs compared (section 3.5). */
import sampling from '../../../../data/published/evaloop-sampling.json' with { type: 'json' };
import type { Interval } from '../../../../domain/statistics/intervals/interval.ts';
import type { GreedyAndSampled } from '../../results/reliability/greedy-and-sampled.ts';
import { count, estimatedNumber, pValue } from '../../../../analysis/report/cells.ts';
import { type Html, html } from '../../../../analysis/report/html.ts';
import { type DataCell, type DataTable, type Section, section } from '../../../../analysis/report/part.ts';
import type { ReportContext } from '../../../../analysis/report/study-report.ts';

export const sampledSection = (rows: readonly GreedyAndSampled[], context: ReportContext): Section =>
  section('Greedy and sampled runs', [sampledTable(rows, context)]);

const sampledTable = (rows: readonly GreedyAndSampled[], { model }: ReportContext): DataTable => ({
  note:
    `Mean of sustained loops per task (section 3.5; the paper: ${sampling.greedy} greedy, ${sampling.sampled} ` +
    'sampled), paired by task. The histogram counts cells by sustained loops, 0 to M: greedy first or above the ' +
    'line, sampled second or below it.',
  words: 2,
  heads: [
    ...['Study', 'Model', 'Greedy', 'Sampled', 'Difference', 'p'],
    { text: 'Histogram of 0 to M loops', words: true },
    'Tasks n',
  ],
  rows: rows.map((row) => [
    row.study,
    model(row.run, row.model),
    meanCell(row.greedy, row.greedyInterval),
    meanCell(row.sampled, row.sampledInterval),
    meanCell(row.difference, row.differenceInterval),
    pValue(row.p),
    spreadCell(row),
    count(row.tasks),
  ]),
});

const meanCell = (value: number | null, interval: Interval | null): DataCell =>
  estimatedNumber(value === null ? null : { value, interval });

const spreadCell = ({ greedySustained, sampledSustained }: GreedyAndSampled): DataCell => ({
  text: `${greedySustained.join(' ')} / ${sampledSustained.join(' ')}`,
  drawing: twoHistograms(sharesOf(greedySustained), sharesOf(sampledSustained)),
});

function sharesOf(counts: readonly number[]): number[] {
  const all = counts.reduce((sum, one) => sum + one, 0);
  return counts.map((one) => one / Math.max(1, all));
}

function twoHistograms(above: readonly number[], below: readonly number[]): Html {
  const width = 12 * above.length;
  const bar = (share: number, index: number, up: boolean): Html => {
    const [top, height] = [up ? 20 - 18 * share : 20, 18 * share].map((value) => value.toFixed(1)) as [string, string];
    const opacity = up ? '1' : '.5';
    const left = 12 * index + 1;
    return html`<rect x="${left}" width="10" y="${top}" height="${height}" fill="var(--muted)" opacity="${opacity}"/>`;
  };
  const bars = [
    ...above.map((share, index) => bar(share, index, true)),
    ...below.map((share, index) => bar(share, index, false)),
  ];
  const line = html`<line x1="0" x2="${width}" y1="20" y2="20" stroke="var(--line)"/>`;
  return html`<svg viewBox="0 0 ${width} 40" width="${width}" height="40" aria-hidden="true">${bars}${line}</svg>`;
}
