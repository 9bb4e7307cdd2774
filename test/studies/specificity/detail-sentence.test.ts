/** What a card says of the least sufficient level. */
import { expect, test } from 'vitest';
import { detailCard } from '../../../studies/specificity/results/card.ts';

const [sufficient] = detailCard.metrics;
const names = ['minimal', '10', '50', '90', 'maximal'];
const said = (value: number, lo: number, hi: number): string | undefined =>
  sufficient?.says({
    ...{ value, interval: { lo, hi }, loText: names[lo] ?? '', text: `${names[value]} (${names[lo]} – ${names[hi]})` },
    ...{ tasks: 58, ownTasks: 58, condition: 'summary', suite: null },
  });

// Red before: "needs detail up to level minimal", of a model that needs none; and "needs detail up to level maximal" of
// one whose interval begins at minimal.
test.each([
  [0, 0, 0, 'needs none of the detail of summary (least sufficient level: minimal, minimal – minimal)'],
  [
    ...([0, 0, 4] as const),
    'is not shown to need any of the detail of summary (least sufficient level: minimal, minimal – maximal)',
  ],
  [
    ...([4, 0, 4] as const),
    'is not shown to need any of the detail of summary (least sufficient level: maximal, minimal – maximal)',
  ],
  [
    ...([2, 1, 4] as const),
    'needs the detail of summary up to level 10 at least (least sufficient level: 50, 10 – maximal)',
  ],
  [2, 2, 2, 'needs the detail of summary up to level 50 (least sufficient level: 50, 50 – 50)'],
])('level %i, from %i to %i', (value, lo, hi, sentence) => {
  expect(said(value, lo, hi)).toBe(sentence);
});
