/** Where a page shows no ranks because too few of a study's tasks have different prompts. */
import { wordList } from '../../domain/card/sentence.ts';
import { numberOf } from '../../domain/metrics/row-order.ts';
import type { MainMetric } from './main-entries.ts';
import { areTooFew } from './repeated-prompts.ts';

/** In which metrics models have no ranks for want of different prompts; empty if in none. Costs often have none. */
export function unrankedText(told: readonly { readonly main: MainMetric; readonly subject: string }[]): string {
  const without = told.filter(({ main: { metric, tasks, repeats, rows } }) => {
    const [row] = rows.values();
    return metric.trait !== 'cost' && row !== undefined && areTooFew(tasks, repeats, numberOf(row, 'confidence'));
  });
  return without.length === 0
    ? ''
    : `Models are not ranked in ${wordList(without.map(({ subject }) => subject))}: so few different prompts cannot ` +
        'show a difference.';
}
