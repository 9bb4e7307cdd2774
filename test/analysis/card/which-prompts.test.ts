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

// Red before: study `nfr` with 12 tasks, which said that no two models are told apart, though 164 tasks do tell.
test('of two studies, the one with more tasks is shown, though the other has more answers', () => {
  const rows = [...study('nfr', 12, [alike, alike]), ...study('plain', 164, [first, second])];
  expect(
    shown(rows, [
      ['nfr', 168],
      ['plain', 164],
    ]),
  ).toBe('plain');
});

const untold = 'no two models are told apart in passing';
const caution = 'Models without a shown difference need not be equal.';
const sentenceOf = (rows: readonly Row[], answers: readonly StudyAnswers[]): string =>
  /Of \d models.*/.exec(textOf(rows, answers))?.[0] ?? '';
const asked = (name: string, prompts: string | null = null): StudyAnswers => ({ study: name, prompts, perModel: 100 });

// Red before: "no two models are told apart in passing", and no word of the study that tells them apart.
test('no two models are told apart: the sentence names the study in which some are, its tasks and its prompts', () => {
  const rows = [...study('many', 164, [alike, alike]), ...study('nfr', 12, [second, first])];
  expect(sentenceOf(rows, [asked('many'), asked('nfr')])).toBe(
    `Of 2 models in study "many", ${untold}, but some are in study "nfr" (12 tasks). ${caution}`,
  );
  expect(sentenceOf(rows, [asked('many'), asked('nfr', 'without a requirement')])).toContain(
    'but some are in study "nfr" (12 tasks, without a requirement).',
  );
});

test('of several other studies it says how many, since each has its own chance of a false difference', () => {
  const rows = [
    ...study('many', 164, [alike, alike]),
    ...['a', 'b', 'c', 'd'].flatMap((name) => study(name, 12, [second, first])),
    ...study('none', 12, [alike, alike]),
  ];
  expect(sentenceOf(rows, [])).toContain(
    `${untold}, but some are in 4 of 5 other studies: "a" (12 tasks), "b" (12 tasks), "c" (12 tasks) and 1 more.`,
  );
  expect(sentenceOf([...study('many', 164, [alike, alike]), ...study('none', 12, [alike, alike])], [])).toBe(
    `Of 2 models in study "many", ${untold}. ${caution}`,
  );
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
