/** The sentence over all traits: leaders are models that no other is shown to beat. */
import { expect, test } from 'vitest';
import { headline, type TraitStandings } from '../../../domain/card/headline.ts';

const of = (subject: string, ...models: [string, number, number][]): TraitStandings => ({
  subject,
  models: models.map(([name, better, worse]) => ({ name, better, worse })),
  smallest: { difference: '12 points', tasks: '40 tasks' },
});

test('one leader, several leaders, and traits that tell no models apart', () => {
  expect(
    headline([
      of('passing', ['a', 0, 1], ['b', 0, 0], ['c', 1, 0]),
      of('robustness to wording', ['a', 0, 0], ['b', 0, 0]),
      of('loops', ['a', 0, 2], ['b', 1, 0], ['c', 1, 0]),
      of('need of detail', ['a', 0, 0], ['b', 0, 0], ['c', 0, 0]),
    ]),
  ).toBe(
    'Of 3 models, a and b share the lead in passing; a leads in loops; no two models are told apart in robustness to ' +
      'wording and need of detail.',
  );
});

test('traits with the same leaders are said together, and long lists are counted', () => {
  const many = Array.from({ length: 8 }, (_, place): [string, number, number] => [
    `m${place}`,
    place < 6 ? 0 : 6,
    place < 6 ? 2 : 0,
  ]);
  expect(headline([of('passing', ...many), of('loops', ...many)])).toBe(
    'Of 8 models, m0, m1, m2 and 3 others share the lead in passing and loops.',
  );
});

test('where many share the lead, their number and the smallest difference that is shown', () => {
  const many = Array.from({ length: 91 }, (_, place): [string, number, number] => [
    `m${place}`,
    place < 80 ? 0 : 1,
    place === 0 ? 11 : 0,
  ]);
  expect(headline([of('passing', ...many)])).toBe(
    'Of 91 models, 80 share the lead in passing (on 40 tasks, the smallest difference shown is 12 points).',
  );
  expect(headline([of('passing', ...many), of('loops', ...many)])).toBe(
    'Of 91 models, 80 share the lead in passing and loops (on 40 tasks, the smallest difference shown in passing is ' +
      '12 points; on 40 tasks, the smallest difference shown in loops is 12 points).',
  );
});

test('nothing to say of a single model', () => {
  expect(headline([of('passing', ['a', 0, 0])])).toBe('');
  expect(headline([])).toBe('');
});
