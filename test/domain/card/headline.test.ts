/** The sentence over all traits: whose estimate is best, and who is shown to be behind it. */
import { expect, test } from 'vitest';
import { headline, type RankedModel, type TraitStandings } from '../../../domain/card/headline.ts';
import type { CardMetric } from '../../../domain/card/card-metric.ts';
import { subjectName } from '../../../domain/card/sentence.ts';
import { groupsIn } from '../../../domain/statistics/ranks/compact-letters.ts';

/** By name: its rank, its letters, and how many are shown to be better and worse. */
type Standing = readonly [name: string, rank: number, letters: string, better: number, worse: number];
const model = ([name, rank, letters, better, worse]: Standing): RankedModel => ({
  ...{ name, rank, better, worse, groups: groupsIn(letters) },
});
const of = (subject: string, ...models: readonly Standing[]): TraitStandings => ({
  ...{ subject, models: models.map(model), smallest: { difference: '12 points', tasks: '40 tasks' } },
});
const caution = ' Models without a shown difference need not be equal.';

test('the best estimate, who is shown to be behind it and who is not, and traits that tell no models apart', () => {
  expect(
    headline([
      of('passing', ['a', 1, 'a', 0, 1], ['b', 2, 'ab', 0, 0], ['c', 3, 'b', 1, 0]),
      of('robustness to wording', ['a', 1, 'a', 0, 0], ['b', 2, 'a', 0, 0]),
      of('loops', ['a', 1, 'a', 0, 2], ['b', 2, 'b', 1, 0], ['c', 3, 'b', 1, 0]),
      of('least sufficient detail', ['a', 1, 'a', 0, 0], ['b', 2, 'a', 0, 0], ['c', 3, 'a', 0, 0]),
    ]),
  ).toBe(
    'Of 3 models, a has the best estimate in passing: c is shown to be behind it, b is not; a has the best estimate ' +
      'in loops: both others are shown to be behind it; no two models are told apart in robustness to wording ' +
      `(compared for 2 of them) and least sufficient detail.${caution}`,
  );
});

// Red before: "a, c and d share the lead", of which c is shown to be behind another and d has the lowest estimate.
test('a model that is behind another, but not the first, counts as not shown; the lowest does not lead', () => {
  expect(
    headline([of('passing', ['a', 1, 'ab', 0, 0], ['b', 2, 'a', 0, 1], ['c', 3, 'b', 1, 0], ['d', 4, 'ab', 0, 0])]),
  ).toBe(
    `Of 4 models, a has the best estimate in passing, but none of the 3 others is shown to be behind it.${caution}`,
  );
});

// Red before: "passing on suite base in study loops and loops".
test('the name of a study is in quotes, so that it is not taken for a trait', () => {
  const passing = subjectName({ trait: 'correctness' } as CardMetric, { suite: 'base', study: 'loops' });
  const untold = [passing, 'loops'].map((subject) => of(subject, ['a', 1, 'a', 0, 0], ['b', 2, 'a', 0, 0]));
  expect(headline(untold)).toBe(
    `Of 2 models, no two models are told apart in passing on suite base in study "loops" and loops.${caution}`,
  );
  expect(headline(untold, 'loops')).toContain('Of 2 models in study "loops", no two models');
});

test('traits that no study tells apart are not said together with those that another one does', () => {
  const alike = (subject: string) => of(subject, ['a', 1, 'a', 0, 0], ['b', 2, 'a', 0, 0]);
  expect(headline([{ ...alike('passing'), apartIn: 'study "plain" (164 tasks)' }, alike('loops')])).toBe(
    'Of 2 models, no two models are told apart in passing, but some are in study "plain" (164 tasks); ' +
      `no two models are told apart in loops.${caution}`,
  );
});

test('models with the same estimate, and a claim without an open comparison, which needs no caution', () => {
  expect(headline([of('loops', ['a', 1.5, 'a', 0, 1], ['b', 1.5, 'a', 0, 1], ['c', 3, 'b', 2, 0])])).toBe(
    'Of 3 models, a and b have the best estimate in loops: c is shown to be behind them.',
  );
  const three = [
    ['a', 1.5, 'a', 0, 1],
    ['b', 1.5, 'ab', 0, 0],
    ['c', 3, 'b', 1, 0],
  ] as const;
  expect(headline([of('loops', ...three)])).toBe(
    'Of 3 models, a and b have the best estimate in loops: c is shown to be behind one of them.',
  );
  expect(headline([of('cost', ['a', 1, 'a', 0, 1], ['b', 2, 'b', 1, 0])])).toBe(
    'Of 2 models, a has the best estimate in cost: b is shown to be behind it.',
  );
});

test('an estimate that is the best but shown to be behind another, on the tasks of both, does not lead', () => {
  expect(headline([of('cost', ['a', 1, 'a', 1, 0], ['b', 2, 'b', 0, 1], ['c', 3, 'ab', 0, 0])])).toBe(
    'Of 3 models, b has the best estimate of those that no other is shown to beat in cost: a is shown to be behind ' +
      `it, c is not.${caution}`,
  );
});

test('traits of which the same can be said are said together, and long lists are counted', () => {
  const many = Array.from(
    { length: 8 },
    (_, place): Standing => (place < 5 ? [`m${place}`, 3, 'a', 0, 3] : [`m${place}`, place + 1, 'b', 5, 0]),
  );
  expect(headline([of('passing', ...many), of('loops', ...many)])).toBe(
    'Of 8 models, m0, m1, m2 and 2 others have the best estimate in passing and loops: all 3 others are shown to be ' +
      'behind them.',
  );
});

test('where many are not shown to be behind, the smallest difference that is shown', () => {
  const many = Array.from(
    { length: 91 },
    (_, place): Standing => (place < 80 ? [`m${place}`, place + 1, 'a', 0, 11] : [`m${place}`, place + 1, 'b', 80, 0]),
  );
  const most = 'm0 has the best estimate in';
  const counts = '11 others are shown to be behind it, 79 others are not';
  expect(headline([of('passing', ...many)])).toBe(
    `Of 91 models, ${most} passing: ${counts} (on 40 tasks, the smallest difference shown is 12 points).${caution}`,
  );
  expect(headline([of('passing', ...many), of('loops', ...many)])).toBe(
    `Of 91 models, ${most} passing and loops: ${counts} (on 40 tasks, the smallest difference shown in passing is 12 ` +
      `points; on 40 tasks, the smallest difference shown in loops is 12 points).${caution}`,
  );
});

// Red before: "on null, the smallest difference".
test('the smallest difference without a number of tasks, where no number holds for all', () => {
  const many = Array.from(
    { length: 9 },
    (_, place): Standing => (place < 8 ? [`m${place}`, place + 1, 'a', 0, 1] : [`m${place}`, place + 1, 'b', 8, 0]),
  );
  const standing = { ...of('passing', ...many), smallest: { difference: '12 points', tasks: null } };
  expect(headline([standing])).toContain(' 7 others are not (the smallest difference shown is 12 points).');
});

test('nothing to say of a single model', () => {
  expect(headline([of('passing', ['a', 1, 'a', 0, 0])])).toBe('');
  expect(headline([])).toBe('');
});

// Red before: "Of 4 models, a has the best estimate in cost", also of the two without a price.
test('models without a cost are not counted among those that it compares', () => {
  const passing = of('passing', ...(['a', 'b', 'c', 'd'] as const).map((name): Standing => [name, 2.5, 'a', 0, 0]));
  const cost = of('cost', ['a', 1, 'a', 0, 1], ['b', 2, 'b', 1, 0]);
  expect(headline([passing, cost])).toBe(
    'Of 4 models, a has the best estimate in cost (compared for 2 of them): b is shown to be behind it; no two ' +
      `models are told apart in passing.${caution}`,
  );
  const alike = of('cost', ['a', 1.5, 'a', 0, 0], ['b', 1.5, 'a', 0, 0]);
  expect(headline([alike])).toBe(`Of 2 models, no two models are told apart in cost.${caution}`);
  expect(headline([passing, alike])).toContain('are told apart in passing and cost (compared for 2 of them).');
});

// Red before: "Of 4 models", of a board of 5; and robustness was said of 4, though e is not one of these.
test('traits that are known for other models each: it counts all, and says for how many of them each is known', () => {
  const untold = (...names: readonly string[]): Standing[] => names.map((name) => [name, 2, 'a', 0, 0]);
  const passing = of('passing', ['a', 1, 'a', 0, 3], ['b', 2, 'b', 1, 0], ['c', 3, 'b', 1, 0], ['d', 4, 'b', 1, 0]);
  const wording = of('robustness to wording', ...untold('b', 'c', 'e'));
  const first =
    'Of 5 models, a has the best estimate in passing (compared for 4 of them): all 3 others are shown to be';
  expect(headline([passing, wording])).toBe(
    `${first} behind it; no two models are told apart in robustness to wording (compared for 3 of them).${caution}`,
  );
  expect(headline([passing, wording, of('least sufficient detail', ...untold('a', 'b', 'c'))])).toBe(
    `${first} behind it; no two models are told apart in robustness to wording and least sufficient detail ` +
      `(each compared for 3 of them).${caution}`,
  );
});
