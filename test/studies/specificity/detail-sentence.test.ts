/** What a card says of the least sufficient level. */
import { expect, test } from 'vitest';
import { detailCard } from '../../../studies/specificity/results/card.ts';

const [sufficient] = detailCard.metrics;
const said = (value: number, hi: number, text: string): string | undefined =>
  sufficient?.says({
    ...{ value, interval: { lo: 0, hi }, text, tasks: 58, ownTasks: 58, condition: 'summary', suite: null },
  });

// Red before: "needs detail up to level minimal", of a model that needs none.
test.each([
  [
    0,
    0,
    'minimal (minimal – minimal)',
    'needs none of the detail of summary (least sufficient level: minimal, minimal – minimal)',
  ],
  [
    0,
    4,
    'minimal (minimal – maximal)',
    'is not shown to need any of the detail of summary (least sufficient level: minimal, minimal – maximal)',
  ],
  [2, 4, '50 (minimal – maximal)', 'needs detail up to level 50 (minimal – maximal) of summary'],
])('level %i, up to %i', (value, hi, text, sentence) => {
  expect(said(value, hi, text)).toBe(sentence);
});
