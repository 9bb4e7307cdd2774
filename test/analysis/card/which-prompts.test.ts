/** Of which answers the board's pass@1 is: of which prompts, and of which study. */
import { expect, test } from 'vitest';
import { cardSection } from '../../../analysis/card/card-section.ts';
import { passMetric } from '../../../analysis/card/first-passes.ts';
import { cardSentences } from '../../../analysis/card/sentences.ts';
import type { StudyAnswers } from '../../../analysis/card/study-answers.ts';
import { partsMarkdown } from '../../../analysis/report/text/markdown.ts';
import type { Row } from '../../../schemas/tables.ts';

const rowOf = (study: string, model: string, tasks: number, more: Row): Row => ({
  ...{ run: 'r', study, model, metric: 'pass_at_1', trait: 'correctness', condition: 'all', simulated: false },
  ...{ estimate: 50, estimate_lo: 40, estimate_hi: 60, named: null, named_lo: null, named_hi: null },
  ...{ confidence: 0.95, method: 'Wilson', n_tasks: tasks, n_own_tasks: tasks, n_models: 2, rank_lo: 1, rank_hi: 2 },
  ...more,
});
const alike = { rank: 1.5, letters: 'a', n_better: 0, n_worse: 0 };
const first = { rank: 1, letters: 'a', n_better: 0, n_worse: 1 };
const second = { rank: 2, letters: 'b', n_better: 1, n_worse: 0 };
const study = (name: string, tasks: number, [a, b]: readonly [Row, Row]): Row[] => [
  rowOf(name, 'a', tasks, a),
  rowOf(name, 'b', tasks, b),
];

function textOf(cards: readonly Row[], answers: readonly StudyAnswers[]): string {
  const sentences = cardSentences(cards, [passMetric], [], { answers });
  const all = { cards, metrics: [passMetric], sentences, worse: [], card_agreement: [], answers };
  return partsMarkdown([cardSection(all, (_run, id) => ({ text: id }))]);
}

// Red before: "no two models are told apart in passing", while they may differ with a requirement.
test('where other prompts are compared too, all of the page says which prompts its pass@1 is of', () => {
  const plain = { study: 'nfr', prompts: 'without a requirement', perModel: 20 };
  const text = textOf(study('nfr', 20, [alike, alike]), [plain]);
  expect(text).toContain('Of 2 models, no two models are told apart in passing without a requirement.');
  expect(text).toContain('| Model | pass@1, % (20 tasks, without a requirement) |');
  expect(text).toContain(
    'a passes 50.0 % (40.0 – 60.0) of 20 tasks without a requirement; ' +
      'is not told apart from the other model in passing without a requirement.',
  );
});

test('a leader that is behind in the study that is not shown: said of which prompts', () => {
  const rows = [...study('plain', 40, [first, second]), ...study('nfr', 20, [second, first])];
  const known = [
    { study: 'nfr', prompts: 'without a requirement', perModel: 20 },
    { study: 'plain', prompts: null, perModel: 40 },
  ];
  expect(textOf(rows, known)).toContain(
    'Of 2 models in study "plain", a has the best estimate in passing: b is shown to be behind it. ' +
      'But a is shown to be behind the other model in passing without a requirement in study "nfr".',
  );
});

const shown = (rows: readonly Row[], counts: readonly (readonly [string, number])[]): string | undefined =>
  textOf(
    rows,
    counts.map(([name, perModel]) => ({ study: name, perModel, prompts: null })),
  ).match(/models in study "(?<name>\w+)",/)?.groups?.['name'];

// Red before: study `few` was shown, the first by name, and said that no two models differ.
test('of two studies with as many tasks, the one with more answers is shown', () => {
  const rows = [...study('few', 40, [alike, alike]), ...study('many', 40, [first, second])];
  expect(
    shown(rows, [
      ['few', 40],
      ['many', 400],
    ]),
  ).toBe('many');
});

// Red before: the first by name.
test('with as many answers, the first of the spec is shown', () => {
  const rows = [...study('a', 40, [first, second]), ...study('b', 40, [first, second])];
  expect(
    shown(rows, [
      ['b', 40],
      ['a', 40],
    ]),
  ).toBe('b');
});
