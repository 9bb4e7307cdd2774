/** Tasks that repeat another one's prompt, on the cards of their study. */
import { expect, test } from 'vitest';
import { cardSection } from '../../../analysis/card/card-section.ts';
import { type StudyRepeats, withoutRepeatedRanks } from '../../../analysis/card/repeated-prompts.ts';
import { cardSentences } from '../../../analysis/card/sentences.ts';
import { partsMarkdown } from '../../../analysis/report/text/markdown.ts';
import type { CardMetric } from '../../../domain/card/card-metric.ts';
import type { Row } from '../../../schemas/tables.ts';

const metric: CardMetric = {
  ...{ name: 'pass_at_1', title: 'pass@1', trait: 'correctness', direction: 'higher', unit: '%' },
  ...{ meaning: 'share of tasks solved', text: (value: number) => value.toFixed(1) },
  says: ({ text, tasks }) => `passes ${text} of ${tasks} tasks`,
};
const rowOf = (study: string, model: string, estimate: number, tasks: number): Row => ({
  ...{ run: 'r', study, model, metric: 'pass_at_1', trait: 'correctness', condition: 'all', simulated: false },
  ...{ estimate, estimate_lo: estimate, estimate_hi: estimate, named: null, named_lo: null, named_hi: null },
  ...{ confidence: 0.95, method: 'Wilson', n_tasks: tasks, n_own_tasks: tasks, n_models: 2 },
  ...(model === 'a'
    ? { rank: 1, rank_lo: 1, rank_hi: 1, letters: 'a', n_better: 0, n_worse: 1, rank_method: 'Holm' }
    : { rank: 2, rank_lo: 2, rank_hi: 2, letters: 'b', n_better: 1, n_worse: 0, rank_method: 'Holm' }),
});
const study = (name: string, tasks: number): Row[] => [rowOf(name, 'a', 100, tasks), rowOf(name, 'b', 0, tasks)];
const repeats = (name: string, tasks: number, different: number): StudyRepeats => ({
  ...{ study: name, kind: 'pass', benchmark: 'own', tasks, repeated: tasks - different },
});

function textOf(rows: readonly Row[], repeated: readonly StudyRepeats[]): string {
  const cards = withoutRepeatedRanks(rows, repeated);
  const sentences = cardSentences(cards, [metric], [], { repeated });
  const all = { cards, metrics: [metric], sentences, worse: [], card_agreement: [], repeated };
  return partsMarkdown([cardSection(all, (_run, id) => ({ text: id }))]);
}

// Red before: `a has the best estimate in passing: b is shown to be behind it`, of 30 tasks with one prompt.
test('one prompt thirty times ranks nobody, and the page says why', () => {
  const text = textOf(study('rep', 30), [repeats('rep', 30, 1)]);
  expect(text).toContain(
    "Models are not ranked in passing (29 of 30 tasks repeat another one's prompt): so few different prompts " +
      'cannot show a difference.',
  );
  expect(text).not.toContain('shown to be behind');
  expect(text).toContain('| Model | pass@1, % (30 tasks, 29 repeat another) |');
  expect(text).toContain("b passes 0.0 % (0.0 – 0.0) of 30 tasks (29 of 30 tasks repeat another one's prompt).");
});

// By hand: p is 2 / 2^5 = 0.0625 where two models differ on each of five prompts, and 2 / 2^6 = 0.031 of six.
test.each([
  [5, [null, null]],
  [6, [1, 2]],
])('%i different prompts of thirty tasks: ranks %j', (different, ranks) => {
  const rows = withoutRepeatedRanks(study('rep', 30), [repeats('rep', 30, different)]);
  expect(rows.map((row) => row['rank'])).toEqual(ranks);
});

test('five tasks that repeat nothing keep what their own test shows', () => {
  const rows = study('few', 5);
  expect(withoutRepeatedRanks(rows, [repeats('rep', 30, 1)])).toEqual(rows);
});

test('with more different prompts the first sentence says how many tasks repeat one', () => {
  expect(textOf(study('rep', 12), [repeats('rep', 12, 11)])).toContain(
    "Of 2 models, a has the best estimate in passing (1 of 12 tasks repeats another one's prompt): b is shown " +
      'to be behind it.',
  );
});

test('a value of some of the tasks says that at least so many repeat', () => {
  expect(textOf(study('rep', 20), [repeats('rep', 30, 12)])).toContain('20 tasks, at least 8 repeat another');
});

// Red before: study rep was shown, because it has more tasks.
test('the board shows the study with more different prompts', () => {
  const text = textOf([...study('rep', 30), ...study('own', 8)], [repeats('rep', 30, 7)]);
  expect(text).toContain('Of 2 models in study "own", a has the best estimate in passing: b is shown to be behind it.');
  expect(text).toContain('| Model | pass@1, % (8 tasks, study own) |');
});
