/** Scores from 0 to the most loops or steps do not count these: no card says that a model sustains 0.33 loops. */
import { expect, test } from 'vitest';
import { cardSection } from '../../../analysis/card/card-section.ts';
import { cardSentences } from '../../../analysis/card/sentences.ts';
import { partsMarkdown } from '../../../analysis/report/text/markdown.ts';
import type { CardMetric } from '../../../domain/card/card-metric.ts';
import { chainCard } from '../../../studies/chain/results/card.ts';
import { loopsCard } from '../../../studies/evaloop/results/card.ts';

function shown(metric: CardMetric): string {
  const cards = [
    { model: 'good', rank: 1, letters: 'a', n_better: 0, n_worse: 1, estimate: 3, estimate_lo: 2.9, estimate_hi: 3 },
    {
      model: 'orig',
      rank: 2,
      letters: 'b',
      n_better: 1,
      n_worse: 0,
      estimate: 0.33,
      estimate_lo: 0.3,
      estimate_hi: 0.4,
    },
  ].map((row) => ({
    ...{ run: 'r', study: 's', metric: metric.name, trait: metric.trait, condition: 'all', simulated: false, ...row },
    ...{ named: null, named_lo: null, named_hi: null, confidence: 0.95, method: 'Gaffke', unit: metric.unit },
    ...{ n_tasks: 150, n_own_tasks: 150, n_models: 2, rank_lo: 1, rank_hi: 2 },
  }));
  const section = {
    cards,
    metrics: [metric],
    sentences: cardSentences(cards, [metric]),
    worse: [],
    card_agreement: [],
  };
  return partsMarkdown([cardSection(section, (_run, id) => ({ text: id }))]);
}

// Red before: "sustains 0.33 loops (0.30 – 0.40)", "scores 0.33 steps", and heads "ASL, loops", "Chain score, steps".
test.each([
  ['asl', 'loops', '| ASL (150 tasks) |', 'orig has an ASL of 0.33 (0.30 – 0.40), behind the other model.'],
  ['asl_unweighted', 'loops', '| ASL, s = 1 (150 tasks) |', 'orig has an ASL of 0.33 (0.30 – 0.40) with s = 1, behind'],
  ['chain_score', 'steps', '| Chain score (150 tasks) |', 'orig scores 0.33 (0.30 – 0.40) in chains of translations'],
])('%s has no unit where people read it; tables keep %s', (name, unit, head, sentence) => {
  const metric = [...loopsCard.metrics, ...chainCard.metrics].find((one) => one.name === name) as CardMetric;
  expect(metric.unit).toBe(unit);
  const text = shown(metric);
  expect(text).toContain(head);
  expect(text).toContain(sentence);
  expect(text).not.toMatch(/\d (loops|steps)/);
});
