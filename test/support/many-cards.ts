/** Cards of many models by a rule: model i passes i per cent, and sustains as many tenths of loops. */
import type { Cards } from '../../analysis/card/card-source.ts';
import type { Row } from '../../schemas/tables.ts';
import { cardMetrics } from '../../studies/cards.ts';

/** @param count at most 101 */
export function manyCards(count: number): Cards {
  const places = Array.from({ length: count }, (_, place) => place);
  const rowsOf = (metric: string, study: string, scale: number): Row[] =>
    places.map((place) => cardRow(metric, study, place * scale, place, count));
  const cards = [...rowsOf('pass_at_1', 'plain', 1), ...rowsOf('asl', 'loops', 0.1)];
  return { cards, card_agreement: [], sentences: [], worse: [], metrics: cardMetrics };
}

function cardRow(name: string, study: string, value: number, place: number, count: number): Row {
  const metric = cardMetrics.find((one) => one.name === name);
  if (metric === undefined) throw new Error(`no metric ${name}`);
  return {
    ...{ run: 'r', study, metric: name, condition: 'all', trait: metric.trait, model: `model-${place}` },
    ...{ estimate: value, estimate_lo: 0.9 * value, estimate_hi: 1.1 * value, unit: metric.unit },
    ...{ named: null, named_lo: null, named_hi: null, direction: metric.direction, simulated: false },
    ...{ rank: count - place, rank_lo: count - place, rank_hi: count - place, letters: 'a', reason: null },
    ...{ n_better: count - place - 1, n_worse: place, n_models: count, n_tasks: 164, n_own_tasks: 164 },
    ...{ confidence: 0.95, method: 'bounds by hand', rank_method: 'Holm' },
  };
}
