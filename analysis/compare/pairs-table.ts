/** Every pair of models of a comparison, the most decisive first. */
import { type Comparison, decisiveFirst } from '../../domain/compare/comparison.ts';
import { gateMetric } from '../../domain/gate/metrics.ts';
import { unitHead } from '../../domain/gate/numbers.ts';
import { count, number, probability } from '../report/cells.ts';
import { countText, decimals, missing } from '../report/format.ts';
import type { DataCell, DataTable } from '../report/part.ts';
import { hasUnjudged, modelCell } from './models-table.ts';

/** Longer tables are folded in HTML. */
const mostOpen = 30;

export const verdictTexts = {
  better: 'better',
  worse: 'worse',
  no_change: 'within the margin',
  inconclusive: 'INCONCLUSIVE',
} as const;

export function pairsTable(comparison: Comparison): DataTable {
  const { models, subject } = comparison;
  const { unit } = gateMetric(subject.metric);
  const pairs = decisiveFirst(comparison);
  const isOpen = hasUnjudged(comparison);
  return {
    title: 'Pairs, most decisive first',
    words: 3,
    folded: pairs.length > mostOpen,
    heads: [
      'Model',
      'Verdict',
      'Against',
      { text: `Difference, ${unitHead(unit)}`, under: 'interval' },
      ...(isOpen ? ['Both judged'] : []),
      'Tasks + -',
      { text: 'p', aside: true },
      'Holm',
      { text: 'BH', aside: true },
      'Detectable',
      'Tasks needed',
    ],
    rows: pairs.map((pair) => [
      modelCell(models, pair.first),
      verdictTexts[pair.verdict],
      modelCell(models, pair.second),
      differenceCell(pair.difference, pair.interval),
      ...(isOpen ? [pair.judgedTasks === null ? noNumber : count(pair.judgedTasks)] : []),
      tasksCell(pair.better, pair.worse),
      probability(pair.p),
      probability(pair.pHolm),
      probability(pair.pBh),
      number(pair.smallestEffect, 2),
      pair.tasksNeeded === null ? noNumber : count(pair.tasksNeeded),
    ]),
  };
}

const noNumber: DataCell = { text: missing, value: null };

export const tasksCell = (better: number | null, worse: number | null): DataCell =>
  better === null || worse === null ? noNumber : { text: `+${better} -${worse}`, value: better - worse };

export function differenceCell(value: number, { lo, hi }: { readonly lo: number; readonly hi: number }): DataCell {
  return { text: signed(value), value, under: [`${signed(lo)} to ${signed(hi)}`] };
}

function signed(value: number): string {
  const text = Math.abs(value) >= 1e6 ? countText(Math.round(value)) : decimals(value, 2);
  return value > 0 && Number(text) !== 0 ? `+${text}` : text;
}
