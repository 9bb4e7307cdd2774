/** Everything about an estimate in a row of `cards` in words, for its tooltip. */
import { unitAfter } from '../../domain/card/card-metric.ts';
import { inStudy } from '../../domain/card/sentence.ts';
import { counted } from '../../domain/counted.ts';
import { numberOf, numberOrNull, textOf } from '../../domain/metrics/row-order.ts';
import type { Row } from '../../schemas/tables.ts';
import { levelText } from '../report/format.ts';
import { rangeText, valueText } from './card-text.ts';
import { isOfMain, type MainMetric } from './main-entries.ts';

/** One line each for the value with its interval, its place among the models, and what it is computed from. */
export function standingText(main: MainMetric, row: Row): string {
  const { metric } = main;
  const range = rangeText(row, metric);
  const interval = range === null ? '' : `; ${levelText(numberOf(row, 'confidence'))} interval ${range}`;
  const condition = textOf(row, 'condition');
  const where = condition === 'all' ? '' : `, ${condition}`;
  return [
    `${metric.title}: ${valueText(row, metric)}${unitAfter(metric)}${interval}`,
    ...placeText(row, isOfMain(main, row) ? null : textOf(row, 'study')),
    `n = ${counted(numberOf(row, 'n_tasks'), 'task')} of study ${textOf(row, 'study')}${where}`,
    `Interval: ${textOf(row, 'method')}`,
  ].join('\n');
}

/** @param study of the ranks, if they are not those of the column */
function placeText(row: Row, study: string | null): string[] {
  if (numberOrNull(row, 'rank') === null || numberOf(row, 'n_models') < 2) return [];
  const models = numberOf(row, 'n_models');
  const [lo, hi, better] = [numberOf(row, 'rank_lo'), numberOf(row, 'rank_hi'), numberOf(row, 'n_better')];
  const rank = lo === hi ? `rank ${lo}` : `rank ${lo} to ${hi}`;
  const shown = better === 0 ? 'no model is shown to be better' : `${counted(better, 'model')} shown to be better`;
  return [`Group ${textOf(row, 'letters')}, ${rank} of ${models}${inStudy(study)}; ${shown}`];
}
