import { expect, test } from 'vitest';
import { tableLines } from '../../../../analysis/report/text/terminal.ts';
import { partsMarkdown } from '../../../../analysis/report/text/markdown.ts';
import type { Row } from '../../../../schemas/tables.ts';
import { boardTables, endsTable } from '../../../../studies/specificity/report/boards.ts';
import { monotonicityPart } from '../../../../studies/specificity/report/monotonicity.ts';
import { studyPart } from '../../../../studies/specificity/report/study-part.ts';
import { topThemes } from '../../../../studies/specificity/report/themes.ts';
import { context, study } from './context.ts';

const level = (augmentation: string, passed: number): Row => ({
  ...{ model: 'm', augmentation, level: null, draw: null, n: 6 },
  ...{ pass_at_1: passed, pass_at_1_lo: passed - 0.1, pass_at_1_hi: passed + 0.1 },
});
const curve = [level('minimal', 0.2), level('original', 0.5), level('maximal', 0.75)];
const summary: Row[] = [
  {
    ...{ model: 'm', augmentation: 'summary', family: 'F', size_b: 7, own_check: true, n: 6, within: 0.02 },
    ...{ maximal_to_original: 0.25, maximal_to_original_lo: -0.125, maximal_to_original_hi: 0.5 },
    ...{ maximal_to_original_p: 0.5, sufficient: '75', sufficient_lo: '10', sufficient_hi: 'maximal' },
  },
];
const plain = (text: string): string => text;

test('the terminal shows the ends of each curve and the least sufficient detail, on lines that fit', () => {
  const [ends = '', sufficient = ''] = boardTables({ ...study, curve, summary }, context).map((table) =>
    tableLines(table, plain),
  );
  expect(ends).toMatch(
    /0\.200 \(0\.100 – 0\.300\).*0\.500 \(0\.400 – 0\.600\).*0\.750 \(0\.650 – 0\.850\).*0\.250 \(-0\.125 – 0\.500\)/,
  );
  expect(ends).toContain('the maximal prompts were selected by its success');
  expect(sufficient).toContain('within 0.02 of the maximal prompt');
  // The curves of paragraphs and masking were not asked for.
  expect(sufficient).toMatch(/m .*75 \(10 – maximal\) .*– .*– /);
  for (const line of `${ends}\n${sufficient}`.split('\n')) expect(line.length).toBeLessThanOrEqual(130);
});

test('the report says more of a model: its family, its size, whether it was the check model, and p', () => {
  const text = partsMarkdown([endsTable({ ...study, curve, summary }, context)]);
  expect(text).toContain('| m (F; was the check model) | 7 |');
  expect(text).toContain('| 0.5000 | 6 |');
});

test('a level without bounds stands alone', () => {
  const bare = summary.map((row) => ({ ...row, sufficient_lo: null, sufficient_hi: null }));
  const [, sufficient] = boardTables({ ...study, curve, summary: bare }, context);
  expect(sufficient?.rows[0]?.[1]).toEqual({ text: '75', n: '6 tasks' });
});

const pair = (lower: string, p: number, holm: number, violates = true): Row => ({
  ...{ model: 'm', augmentation: 'summary', lower, upper: 'maximal', test: 'mcnemar', n: 6, violates },
  ...{ lower_pass_at_1: 0.5, upper_pass_at_1: 0.25, difference: -0.25, p, p_holm: holm, p_bh: holm },
});

test('violations come with the smallest p first, and say how many of how many pairs they are', () => {
  const pairs = [pair('25', 0.5, 1), pair('75', 0.001, 0.01), pair('10', 0.2, 1, false)];
  const text = partsMarkdown([monotonicityPart({ ...study, pairs }, context)]);
  expect(text).toContain('in 2 of 3 pairs of levels; 1 of these have p \\< 0.05 after Holm');
  expect(text.indexOf('| 75 | maximal |')).toBeLessThan(text.indexOf('| 25 | maximal |'));
  expect(text).not.toContain('| 10 | maximal |');
  const many = Array.from({ length: 61 }, (_, place) => pair(String(place), place / 100, 1));
  expect(partsMarkdown([monotonicityPart({ ...study, pairs: many }, context)])).toContain(
    'Shows the 60 pairs with the smallest p',
  );
});

test('the themes shown are the ten that most summaries have, over all word limits', () => {
  const counts = Array.from({ length: 12 }, (_, place) => [
    { theme: `1.${place}`, level: 10, n_with: place },
    { theme: `1.${place}`, level: 25, n_with: place === 0 ? 100 : 0 },
  ]).flat();
  expect(topThemes(counts)).toEqual(['1.0', '1.11', '1.10', '1.9', '1.8', '1.7', '1.6', '1.5', '1.4', '1.3']);
});

test('a study without a finished page says so', () => {
  expect(partsMarkdown([studyPart(study, context)])).toBe(
    '## Study detail: prompt detail\n\nb: nothing is finished yet.',
  );
});
