/** What the report's parts say of the run of moods-run.ts, in Markdown and in the terminal. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openRun } from '../../../../analysis/database.ts';
import { contextOf } from '../../../../analysis/report/context.ts';
import type { ReportContext, StudyReport } from '../../../../analysis/report/study-report.ts';
import { partsMarkdown } from '../../../../analysis/report/text/markdown.ts';
import { tableLines } from '../../../../analysis/report/text/terminal.ts';
import { boardSections, terminalBoards } from '../../../../studies/promptse/report/board.ts';
import { markedWords } from '../../../../studies/promptse/report/marked-words.ts';
import type { PromptseBoardRow } from '../../../../studies/promptse/results/board.ts';
import { collectReport } from '../../../../studies/report.ts';
import { closedModel, writeMoodsRun } from '../../../analysis/report/moods-run.ts';

let folder = '';
let report: StudyReport;
let context: ReportContext;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'evenkeel-moods-parts-'));
  await writeMoodsRun(folder);
  const database = await openRun(folder);
  const whole = await collectReport(database);
  database.close();
  context = contextOf(whole);
  const own = whole.studies.find(({ models }) => models.includes(closedModel));
  if (own === undefined) throw new Error('the report has no PromptSE study');
  report = own;
});
afterAll(() => rm(folder, { recursive: true }));

/** The first numbers of a line's cells: without intervals. */
const valuesOf = (line: string | undefined, separator: string): string[] =>
  (line ?? '').split(separator).map((cell) => cell.trim().split(' ')[0] ?? '');
const lineOf = (text: string, start: string): string | undefined =>
  text.split('\n').find((line) => line.trim().startsWith(start));

test('the terminal has E(d), AUC-E, floor and excess of each model by each method, and why one has none', () => {
  const [full, light] = report.boards(context).map((table) => tableLines(table, (text) => text));
  // Touchy fails half of its variants at each distance: E(d) 1/2, AUC-E (1/2 + 4/2 + 1/2) / 9;
  // its floor is the most, 2/3.
  expect(valuesOf(lineOf(full ?? '', 'touchy'), '│').slice(1)).toEqual([
    '100.0',
    '0.500',
    '0.500',
    '0.500',
    '0.333',
    '0.667',
    '-0.333',
    '4',
    '0',
  ]);
  expect(valuesOf(lineOf(full ?? '', closedModel), '│').slice(1)).toEqual([
    '–',
    '–',
    '–',
    '–',
    '–',
    '–',
    '–',
    '0',
    '4',
  ]);
  expect(full).toContain(`No AUC-E for ${closedModel}: `);
  expect(full).toContain('pass@1 is over the first set of answers to the original prompt; cards and compare count');
  expect(lineOf(light ?? '', closedModel)).toContain('0.333 (');
  // With a model's name of usual length.
  expect(
    (lineOf(full ?? '', 'touchy')?.length ?? Infinity) - closedModel.length + 'Qwen2.5-Coder-7B'.length,
  ).toBeLessThanOrEqual(130);
});

// Red before: a table of dashes, with every task excluded.
test('without log-probabilities of any model there is no table of SoftExec, and a note says why', () => {
  const board = (report.outcome as { promptse: PromptseBoardRow[] }).promptse.filter(
    ({ model }) => model === closedModel,
  );
  const tables = terminalBoards(board, context);
  expect(tables.map(({ title }) => title)).toEqual([expect.stringMatching(/^PromptSELight \(pass rates\)/)]);
  const why =
    'No table of PromptSE, since no model has a value: no task counts: 2 samples of the original came without ' +
    'log-probabilities.';
  expect(tables[0]?.note).toContain(why);
  expect(partsMarkdown(boardSections(board, context))).toContain(why);
  expect(boardSections(board, context)).toHaveLength(1);
  // Where the other method has no values either, the dashes say so.
  const full = board.filter(({ method }) => method === 'full');
  expect(terminalBoards(full, context)).toHaveLength(1);
});

// Red before: dashes for the whole model, without a reason.
test('a note says whose floor and excess are over fewer tasks than the rest of the row', () => {
  const { promptse: board } = report.outcome as { promptse: PromptseBoardRow[] };
  const note = 'Floor and excess are over fewer tasks for touchy (3 of 4): the others have no redraw of the original';
  expect(partsMarkdown(boardSections(board, context))).not.toContain('fewer tasks');
  const fewer = board.map((row) => (row.model === 'touchy' ? { ...row, nFloor: 3 } : row));
  expect(partsMarkdown(boardSections(fewer, context))).toContain(note);
  expect(terminalBoards(fewer, context)[0]?.note).toContain(note);
  // Without redraws no model has a floor, and the column has dashes.
  const none = board.map((row) => ({ ...row, nFloor: 0 }));
  expect(partsMarkdown(boardSections(none, context))).not.toContain('fewer tasks');
});

test('Markdown has the scores, floors and excess behind each E(d), and a section for each question', () => {
  const text = partsMarkdown(report.sections(context));
  const [, distances = ''] = text.split('Scores, floors and excess by distance');
  expect(valuesOf(lineOf(distances, '| touchy'), '|').slice(2, -1)).toEqual([
    ...['1.000', '0.500', '0.500', '0.500', '1.000', '1.000', '1.000'],
    ...['-0.500', '-0.500', '-0.500'],
  ]);
  expect(text.split('\n').filter((line) => /^#### RQ[1-4]: /.test(line))).toHaveLength(4);
  expect(text).not.toContain('Variants to review');
});

test('words that the original does not have are marked, and no others', () => {
  const pieces = markedWords('Return the sum.', 'Calmly, return the whole  sum.');
  expect(pieces.map(({ text }) => text).join('')).toBe('Calmly, return the whole  sum.');
  expect(pieces.filter(({ marked }) => marked).map(({ text }) => text)).toEqual(['Calmly,', 'return', 'whole']);
});
