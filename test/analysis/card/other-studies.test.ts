/** Two studies with the same metric: which one a page shows, and what the other says. */
import { expect, test } from 'vitest';
import { cardSection } from '../../../analysis/card/card-section.ts';
import { boardTable } from '../../../analysis/card/card-board.ts';
import { mainMetrics } from '../../../analysis/card/main-entries.ts';
import { tradeOffs } from '../../../analysis/card/trade-offs.ts';
import { cardSentences } from '../../../analysis/card/sentences.ts';
import { partsHtml } from '../../../analysis/report/html/parts.ts';
import { partsMarkdown } from '../../../analysis/report/text/markdown.ts';
import type { CardMetric } from '../../../domain/card/card-metric.ts';
import type { Row } from '../../../schemas/tables.ts';

const metric: CardMetric = {
  ...{ name: 'pass_at_1', title: 'pass@1', trait: 'correctness', direction: 'higher', unit: '%' },
  ...{ meaning: 'share of tasks solved', text: (value: number) => value.toFixed(1) },
  says: ({ text, tasks }) => `passes ${text} of ${tasks} tasks`,
};

const rowOf = (study: string, model: string, estimate: number, more: Row): Row => ({
  ...{ run: 'r', study, model, metric: 'pass_at_1', trait: 'correctness', condition: 'all', simulated: false },
  ...{ estimate, estimate_lo: estimate - 5, estimate_hi: estimate + 5, named: null, named_lo: null, named_hi: null },
  ...{ confidence: 0.95, method: 'Wilson', n_tasks: 60, n_own_tasks: 60, n_models: 2, rank_lo: 1, rank_hi: 2 },
  ...more,
});
const first = { rank: 1, letters: 'a', n_better: 0, n_worse: 1 };
const second = { rank: 2, letters: 'b', n_better: 1, n_worse: 0 };

function sectionOf(cards: readonly Row[]): string {
  const sentences = cardSentences(cards, [metric]);
  const section = { cards, metrics: [metric], sentences, worse: [], card_agreement: [] };
  return partsMarkdown([cardSection(section, (_run, id) => ({ text: id }))]);
}

// Red before: `Of 2 models, a has the best estimate in passing: b is shown to be behind it`, and no more.
test('the leader of one study that is behind in another: the first sentence names the study and says so', () => {
  const text = sectionOf([
    ...[rowOf('big', 'a', 85, first), rowOf('big', 'b', 60, second)],
    ...[rowOf('small', 'a', 30, { ...second, n_tasks: 24 }), rowOf('small', 'b', 90, { ...first, n_tasks: 24 })],
  ]);
  expect(text).toContain(
    'Of 2 models in study "big", a has the best estimate in passing: b is shown to be behind it. ' +
      'But a is shown to be behind the other model in passing in study "small".',
  );
  expect(text).toContain('a passes 85.0 % (80.0 – 90.0) of 60 tasks in study "big", ahead of the other model.');
});

test('a single study is not named', () => {
  const text = sectionOf([rowOf('big', 'a', 85, first), rowOf('big', 'b', 60, second)]);
  expect(text).toContain('Of 2 models, a has the best estimate in passing: b is shown to be behind it.');
});

// Red before: 95.8 of 24 tasks stood in a column of 60 tasks as if it were of them, with a rank.
test('a model that the study lacks has its value of another, which says so, and no rank', () => {
  const alone = { rank: 1, letters: 'a', n_better: 0, n_worse: 0, n_tasks: 24, n_own_tasks: 24, n_models: 1 };
  const text = sectionOf([
    ...[rowOf('big', 'a', 85, first), rowOf('big', 'b', 60, second)],
    rowOf('small', 'c', 95.8, alone),
  ]);
  const board = text.split('\n').filter((line) => line.startsWith('| '));
  expect(board.find((line) => line.startsWith('| c '))).toContain('| 95.8 (90.8 – 100.8; study small, 24 tasks) |');
  expect(board.findIndex((line) => line.startsWith('| c '))).toBeGreaterThan(
    board.findIndex((line) => line.startsWith('| b ')),
  );
});

test('a value of fewer tasks than its column has says of how many', () => {
  const text = sectionOf([rowOf('big', 'a', 85, first), rowOf('big', 'b', 60, { ...second, n_tasks: 15 })]);
  expect(text).toContain('15 of 60 tasks');
});

const letters = { rank: 1, letters: 'a', n_better: 0, n_worse: 1, n_tasks: 24, n_own_tasks: 24 };
const elsewhere = rowOf('small', 'c', 70.4, letters);
const named = (_run: string, text: string) => ({ text });

// Red before: 85.0 and 70.4 both had a highlighted "a", as if they were not told apart; no study was named.
test('HTML: a value of another study has no letter of the column and no highlight, and names its study', async () => {
  const cards = [rowOf('big', 'a', 85, first), rowOf('big', 'b', 60, second), elsewhere];
  const { markup } = await partsHtml([boardTable(mainMetrics(cards, [metric]), cards, named)]);
  expect(markup).toContain('<b>85.0</b><small class="group leads">a</small>');
  expect(markup).toContain('<b>60.0</b><small class="group">b</small>');
  expect(markup).toContain('<b>70.4</b><small class="elsewhere">study small, 24 tasks</small><i');
  expect(markup).toContain('Group a, rank 1 to 2 of 2 in study &quot;small&quot;; no model is shown to be better');
  expect(markup).toContain('Group a, rank 1 to 2 of 2; no model is shown to be better');
});

// Red before: pass@1 of study small was drawn on the axis of study big, without a word.
test('a chart of two metrics draws only values of the studies that their columns show, and says what it omits', () => {
  const wording: CardMetric = { ...metric, name: 'auc_e', title: 'AUC-E', trait: 'wording' };
  const auc = (study: string, model: string) => ({
    ...rowOf(study, model, 1, first),
    metric: 'auc_e',
    trait: 'wording',
  });
  const figureOf = (passes: readonly Row[], models: readonly string[]) => {
    const cards = [...passes, ...models.map((model) => auc('moods', model))];
    return tradeOffs(mainMetrics(cards, [metric, wording]), passes, named);
  };
  const big = ['a', 'b', 'd'].map((model) => rowOf('big', model, 60, first));
  const note = 'One point per model. A click on a point goes to the model’s row.';
  const all = figureOf(big, ['a', 'b', 'd']);
  expect([all.panels.length, all.note]).toEqual([1, note]);
  const mixed = figureOf([...big, elsewhere], ['a', 'b', 'c']);
  expect([mixed.panels.length, mixed.note]).toEqual([
    0,
    `${note} Models with a value of another study or condition are left out.`,
  ]);
});
