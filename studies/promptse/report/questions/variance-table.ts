/** RQ4: what a variant's emotion explains beyond its length, distance and words. */
import type { ModelAffect } from '../../results/affect/model-affect.ts';
import { count, number, probability, withRange } from '../../../../analysis/report/cells.ts';
import type { DataCell, DataRow, DataTable } from '../../../../analysis/report/part.ts';
import type { AddedVariance } from '../../../../domain/statistics/added-variance.ts';

const numberHeads = ['Variants', 'Tasks', 'R², controls', 'Δ R²', 'F', 'p', 'Valence', 'Arousal'];

export const varianceTable = (affect: readonly ModelAffect[]): DataTable => ({
  title: 'Variance explained by valence and arousal',
  note:
    'Per model, least squares over variants. Controls: words, measured edit distance, share of technical terms, ' +
    'distance. Valence and arousal are then added: change of R², partial F (which assumes independent variants), ' +
    'and coefficients with 95 % intervals that allow for dependence within a task. R² and its change describe the ' +
    'fit to these variants and have no interval; for conclusions beyond them, use the intervals of the coefficients.',
  words: 2,
  heads: ['Model', 'Outcome', ...numberHeads],
  rows: affect.flatMap(({ model, variance }) => [
    ...varianceRow(model, 'SoftExec − original’s', variance.softDelta),
    ...varianceRow(model, '|confidence − passed|', variance.gap),
  ]),
});

function varianceRow(model: string, outcome: string, found: AddedVariance): DataRow[] {
  if (found.reason !== null) {
    const unknown = numberHeads.slice(1).map(() => number(null));
    return found.n === 0 ? [] : [[model, `${outcome}: ${found.reason}`, count(found.n), ...unknown]];
  }
  const { n, clusters, r2Controls, deltaR2, f, effects } = found;
  const effect = (name: string): DataCell => {
    const own = effects.find((one) => one.name === name);
    return withRange(own?.coefficient, own?.interval, 4);
  };
  return [
    [
      ...[model, outcome, count(n), count(clusters), number(r2Controls), number(deltaR2, 4)],
      ...[number(f?.statistic), probability(f?.p), effect('valence'), effect('arousal')],
    ],
  ];
}
