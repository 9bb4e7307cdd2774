/** Models that lead on one suite and are shown to be behind on another: the first sentence and their own say so. */
import { expect, test } from 'vitest';
import { cardSection } from '../../../analysis/card/card-section.ts';
import { cardSentences } from '../../../analysis/card/sentences.ts';
import { partsMarkdown } from '../../../analysis/report/text/markdown.ts';
import { type CardMetric, onSuite } from '../../../domain/card/card-metric.ts';
import type { Row } from '../../../schemas/tables.ts';

const metric: CardMetric = {
  ...{ name: 'pass_at_1', title: 'pass@1', trait: 'correctness', direction: 'higher', unit: '%' },
  ...{ meaning: 'share of tasks solved', text: (value: number) => value.toFixed(1) },
  says: (said) => `passes ${said.text}${onSuite(said)}`,
};

/** By model: its rank, its letters, and how many are shown to be better and worse. */
type Standings = Readonly<Record<string, readonly [rank: number, letters: string, better: number, worse: number]>>;

const rowsOf = (study: string, suite: string, standings: Standings): Row[] =>
  Object.entries(standings).map(([model, [rank, letters, better, worse]]) => ({
    ...{ run: 'r', study, model, metric: 'pass_at_1', trait: 'correctness', condition: suite, simulated: false },
    ...{ estimate: 100 - 10 * rank, estimate_lo: null, estimate_hi: null, method: 'Wilson' },
    ...{ named: null, named_lo: null, named_hi: null, confidence: 0.95, n_tasks: 60, n_own_tasks: 60 },
    ...{ rank, letters, n_better: better, n_worse: worse, rank_lo: 1, rank_hi: 3 },
    n_models: Object.keys(standings).length,
  }));

function shown(...rows: readonly Row[][]): string {
  const cards = rows.flat();
  const sentences = cardSentences(cards, [metric]);
  return partsMarkdown([
    cardSection({ cards, metrics: [metric], sentences, worse: [], card_agreement: [] }, (_run, id) => ({ text: id })),
  ]);
}
const butOf = (text: string): string | undefined => /But .*\./.exec(text)?.[0];

const best: Standings = { good: [1.5, 'a', 0, 1], coded: [1.5, 'a', 0, 1], weak: [3, 'b', 2, 0] };
const fooled: Standings = { good: [1, 'a', 0, 2], weak: [2, 'b', 1, 1], coded: [3, 'c', 2, 0] };

// Red before: no "But" at all, and "ahead of 1 of 2 others and behind none" without the other suite.
test('a leader that another suite of the same study shows to be behind', () => {
  const text = shown(rowsOf('plain', 'base', best), rowsOf('plain', 'plus', fooled));
  expect(butOf(text)).toBe('But coded is shown to be behind both others in passing on suite plus.');
  expect(text).toContain(
    'coded passes 85.0 % on suite base, ahead of 1 of 2 others and behind none, but behind both others on suite plus.',
  );
  expect(text).toContain('good passes 85.0 % on suite base, ahead of 1 of 2 others and behind none.');
});

// Red before: "in study plain coded is shown to be behind both others in passing", once for each suite and study.
test('the same of several suites, studies and models is said once', () => {
  const others = ['hidden', 'plus'].flatMap((suite) => rowsOf('plain', suite, fooled));
  const again = ['base', 'hidden'].flatMap((suite) => rowsOf('again', suite, fooled));
  const third = ['base', 'hidden'].flatMap((suite) => rowsOf('third', suite, fooled));
  expect(butOf(shown(rowsOf('plain', 'base', { ...best, last: [4, 'c', 3, 0] }), others, again, third))).toBe(
    'But coded is shown to be behind both others in passing on suites hidden and plus in study "plain"; ' +
      'coded is shown to be behind both others in passing on suites base and hidden in studies "again" and "third".',
  );
  const both: Standings = { weak: [1, 'a', 0, 2], good: [2.5, 'b', 1, 0], coded: [2.5, 'b', 1, 0] };
  expect(butOf(shown(rowsOf('plain', 'base', best), rowsOf('plain', 'plus', both)))).toBe(
    'But good and coded are each shown to be behind 1 of 2 others in passing on suite plus.',
  );
});

// Red before: b, of which the first sentence says nothing, was said to be behind in study small.
test('a model that is not told apart from the best, but has a lower estimate, is not contradicted', () => {
  const near: Standings = { a: [1, 'a', 0, 1], b: [2, 'a', 0, 1], c: [3, 'b', 2, 0] };
  const small: Standings = { a: [1, 'a', 0, 1], b: [2, 'b', 1, 0] };
  const text = shown(rowsOf('big', 'base', near), rowsOf('small', 'base', small));
  expect(text).toContain('a has the best estimate in passing');
  expect(butOf(text)).toBeUndefined();
});

test('a model that the first sentence only counts: it says that it has the best estimate too', () => {
  const five = Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((name) => [name, [3, 'a', 0, 1] as const]));
  const rest = Object.fromEntries(['a', 'b', 'c', 'd'].map((name) => [name, [2.5, 'a', 0, 1] as const]));
  const text = shown(
    rowsOf('plain', 'base', { ...five, weak: [6, 'b', 5, 0] }),
    rowsOf('plain', 'plus', { ...rest, e: [5, 'b', 4, 0], weak: [6, 'ab', 0, 0] }),
  );
  expect(text).toContain('a, b, c and 2 others have the best estimate in passing on suite base');
  expect(butOf(text)).toBe(
    'But of those with the best estimate, e is shown to be behind 4 of 5 others in passing on suite plus.',
  );
});
