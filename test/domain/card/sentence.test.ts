/** The sentence of a card claims only what intervals and tests allow. */
import { expect, test } from 'vitest';
import type { CardMetric } from '../../../domain/card/card-metric.ts';
import { cardSentence, type SentencePart, type SentencePlace } from '../../../domain/card/sentence.ts';

const metric = (trait: CardMetric['trait'], says: CardMetric['says']): CardMetric => ({
  ...{ name: trait, title: trait, trait, direction: 'higher', unit: '', meaning: '', says },
  text: String,
});
const passing = metric('correctness', ({ text, tasks }) => `passes ${text} of ${tasks} tasks`);
const looping = metric('loops', ({ text }) => `sustains ${text}`);
const detailed = metric('detail', ({ text }) => `needs level ${text}`);

const part = (
  of: CardMetric,
  text: string,
  place: SentencePlace | null,
  suite: string | null = null,
): SentencePart => ({
  metric: of,
  said: { value: 1, interval: { lo: 0, hi: 2 }, text, tasks: 164, ownTasks: 164, condition: 'all', suite },
  place,
});
const place = (better: number, worse: number, models = 12): SentencePlace => ({ better, worse, models });
const pass = (at: SentencePlace | null): SentencePart => part(passing, '62.1 % (54.0 – 69.8)', at);

test.each([
  ['a single model has no place', null, 'm passes 62.1 % (54.0 – 69.8) of 164 tasks.'],
  ['the best of all', place(0, 11), 'm passes 62.1 % (54.0 – 69.8) of 164 tasks, ahead of all 11 others.'],
  [
    'none is better',
    place(0, 4),
    'm passes 62.1 % (54.0 – 69.8) of 164 tasks, ahead of 4 of 11 others and behind none.',
  ],
  ['in the middle', place(3, 2), 'm passes 62.1 % (54.0 – 69.8) of 164 tasks, ahead of 2 and behind 3 of 11 others.'],
  [
    'none is worse',
    place(5, 0),
    'm passes 62.1 % (54.0 – 69.8) of 164 tasks, behind 5 of 11 others and ahead of none.',
  ],
  ['the worst of all', place(11, 0), 'm passes 62.1 % (54.0 – 69.8) of 164 tasks, behind all 11 others.'],
  ['the better of two', place(0, 1, 2), 'm passes 62.1 % (54.0 – 69.8) of 164 tasks, ahead of the other model.'],
  ['the worse of two', place(1, 0, 2), 'm passes 62.1 % (54.0 – 69.8) of 164 tasks, behind the other model.'],
  ['the best of three', place(0, 2, 3), 'm passes 62.1 % (54.0 – 69.8) of 164 tasks, ahead of both others.'],
  ['alone in its metric', place(0, 0, 1), 'm passes 62.1 % (54.0 – 69.8) of 164 tasks.'],
  [
    'no difference',
    place(0, 0),
    'm passes 62.1 % (54.0 – 69.8) of 164 tasks; is not told apart from any of 11 others in passing.',
  ],
  [
    'no difference from one other',
    place(0, 0, 2),
    'm passes 62.1 % (54.0 – 69.8) of 164 tasks; is not told apart from the other model in passing.',
  ],
])('%s', (_, at, sentence) => {
  expect(cardSentence('m', false, [pass(at)])).toBe(sentence);
});

test('metrics in which nothing is shown come together at the end, by the number of models', () => {
  expect(
    cardSentence('m', true, [
      pass(place(1, 1)),
      part(looping, '3.1 loops (2 – 4)', place(0, 0)),
      part(detailed, '50', place(0, 0)),
      part(
        metric('cost', () => 'costs $1'),
        '',
        place(0, 0, 3),
      ),
    ]),
  ).toBe(
    'm (simulated) passes 62.1 % (54.0 – 69.8) of 164 tasks, ahead of 1 and behind 1 of 11 others; sustains 3.1 ' +
      'loops (2 – 4); needs level 50; costs $1; is not told apart from any of 11 others in loops and ' +
      'least sufficient detail; is not told apart from either other in cost and time.',
  );
});

test('without an estimate nothing is said', () => {
  expect(cardSentence('m', true, [])).toBe('Nothing can be said about m (simulated).');
});

test('of cost and time only what was compared is named, and passing by its suite, if there are several', () => {
  const cost = { ...metric('cost', () => 'costs $1'), aspect: 'cost' };
  const time = { ...metric('cost', () => 'takes 1 s'), aspect: 'time' };
  expect(
    cardSentence('m', false, [
      part(passing, '5 %', place(0, 0, 3), 'base'),
      part(cost, '', null, 'all suites'),
      part(time, '', place(0, 0, 3), 'all suites'),
    ]),
  ).toBe(
    'm passes 5 % of 164 tasks; costs $1; takes 1 s; is not told apart from either other in passing on suite ' +
      'base and time.',
  );
});

// Red before: the other suites were not said at all.
test('other suites on which a model that none is ahead of is behind, those with equal counts together', () => {
  const behind = (suite: string, better: number) => ({ suite, better, models: 12 });
  const on = (at: SentencePlace) => cardSentence('m', false, [part(passing, '100 %', at, 'base')]);
  const behindOn = [behind('hidden', 4), behind('plus', 4), behind('last', 11)];
  expect(on({ ...place(0, 0), behindOn })).toBe(
    'm passes 100 % of 164 tasks, but behind 4 of 11 others on suites hidden and plus and all 11 others on suite ' +
      'last; is not told apart from any of 11 others in passing on suite base.',
  );
  expect(on({ ...place(1, 3), behindOn })).toBe('m passes 100 % of 164 tasks, ahead of 3 and behind 1 of 11 others.');
});
