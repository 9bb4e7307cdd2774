/** The models of a comparison in the order of their scores. */
import type { ComparedModel, Comparison } from '../../domain/compare/comparison.ts';
import { gateMetric } from '../../domain/gate/metrics.ts';
import { unitHead } from '../../domain/gate/numbers.ts';
import { count, number, share, withRange } from '../report/cells.ts';
import { countText } from '../report/format.ts';
import type { DataCell, DataTable } from '../report/part.ts';
import { modelColor } from '../report/style.ts';

export function modelsTable(comparison: Comparison): DataTable {
  const { models, standings, ownTasks, subject, options } = comparison;
  const isOpen = hasUnjudged(comparison);
  const unit = options.range.kind === 'logTime' ? 'ms' : gateMetric(subject.metric).unit;
  return {
    title: 'Models',
    look: 'board',
    words: 1,
    heads: [
      'Model',
      { text: 'Rank', under: 'interval' },
      { text: 'Posterior', under: 'interval' },
      { text: 'P(best)' },
      { text: 'Letters', words: true },
      { text: `Mean, ${unitHead(unit)}`, under: 'interval' },
      ...(isOpen ? [{ text: 'Not judged', under: 'answers' }] : []),
      { text: 'Own tasks', aside: true },
    ],
    rows: standings.map(({ model, value, interval, rank, rankInterval, posterior, letters }) => [
      modelCell(models, model),
      { ...number(rank, Number.isInteger(rank) ? 0 : 1), under: [`${rankInterval.lo} – ${rankInterval.hi}`] },
      withRange(posterior?.rank, posterior?.interval, 0),
      share(posterior?.best),
      letters,
      withRange(value, interval, 2),
      ...(isOpen ? [unjudgedCell(comparison, model)] : []),
      count(ownTasks[model] as number),
    ]),
  };
}

export const hasUnjudged = ({ unjudged = [] }: Comparison): boolean => unjudged.some((some) => some > 0);

/** `103 of 200` answers; only the first number where values do not count answers. */
function unjudgedCell({ unjudged, samples }: Comparison, model: number): DataCell {
  const open = unjudged?.[model] ?? 0;
  if (samples === null) return count(open);
  const judged = (samples[model] ?? []).reduce((sum, some) => sum + some, 0);
  return { text: `${countText(open)} of ${countText(open + judged)}`, value: open };
}

/** The cell that names a model, in the same colour everywhere. */
export function modelCell(models: readonly ComparedModel[], index: number): DataCell {
  const { name, simulated } = models[index] as ComparedModel;
  return { text: name, model: { color: modelColor(index), simulated } };
}
