/** How much an update changes each measure, and whether its trade-offs agree on all benchmarks. */
import type { DeltaRange, TradeOff } from '../results/rows/regression-summary.ts';
import type { DataTable } from '../../../analysis/report/part.ts';
import type { UpdateSummary } from './data.ts';

export const updateTables = ({ ranges, tradeOffs }: UpdateSummary): DataTable[] => [
  rangeTable(ranges),
  tradeOffTable(tradeOffs),
];

const percent = (value: number) => ({ text: `${value.toFixed(2)} %`, value });

const rangeTable = (ranges: readonly DeltaRange[]): DataTable => ({
  title: 'Range of changes by measure',
  n: 'n is that of the comparison among all comparisons',
  words: 1,
  heads: ['Measure', 'Smallest |change|', 'Largest |change|', 'Largest in'],
  rows: ranges.map(({ metric, least, most, dimension, benchmark }) => [
    metric,
    percent(least),
    percent(most),
    { text: `${dimension}, ${benchmark}`, value: null },
  ]),
});

const arrows: Readonly<Record<number, string>> = { [-1]: '↓', 0: '=', 1: '↑' };

function tradeOffTable(tradeOffs: readonly TradeOff[]): DataTable {
  const agreeing = tradeOffs.filter(({ agrees }) => agrees).length;
  return {
    title: 'Agreement of trade-offs between benchmarks',
    note:
      'Direction in which two measures changed on each benchmark: up, down or no change. ' +
      `In ${agreeing} of ${tradeOffs.length} combinations of two measures and a requirement, all benchmarks agree.`,
    words: 4,
    heads: ['Requirement', 'Measures', 'By benchmark', 'Agrees'],
    rows: tradeOffs.map(({ dimension, metrics, signs, agrees }) => [
      dimension,
      metrics.join(', '),
      Object.entries(signs)
        .map(([benchmark, [one, other]]) => `${benchmark} ${arrows[one] ?? ''}${arrows[other] ?? ''}`)
        .join('; '),
      agrees ? 'yes' : 'no',
    ]),
    folded: true,
  };
}
