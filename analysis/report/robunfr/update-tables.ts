/** How far an update moves each measure, and whether what it trades is the same on all benchmarks. */
import type { DeltaRange, TradeOff } from '../../../domain/metrics/regression-summary.ts';
import type { DataTable } from '../data-table.ts';
import type { UpdateSummary } from '../robunfr-data.ts';

export const updateTables = ({ ranges, tradeOffs }: UpdateSummary): DataTable[] => [rangeTable(ranges), tradeOffTable(tradeOffs)];

const percent = (value: number) => ({ text: `${value.toFixed(2)} %`, value });

const rangeTable = (ranges: readonly DeltaRange[]): DataTable => ({
  title: 'How far it moves',
  words: 1,
  heads: ['Measure', 'Least |change|', 'Most |change|', 'Most in'],
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
    title: 'Trade-offs between benchmarks',
    note: `Which way two measures moved on each benchmark: up, down or not at all. ${agreeing} of ${tradeOffs.length} pairs of measures and requirements agree on all benchmarks.`,
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
