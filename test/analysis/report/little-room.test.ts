/** What the renderers omit for lack of room, and HTML keeps. */
import { expect, test } from 'vitest';
import { partsHtml } from '../../../analysis/report/html/parts.ts';
import { type DataTable, section } from '../../../analysis/report/part.ts';
import { partsCsv } from '../../../analysis/report/text/csv.ts';
import { partsLatex } from '../../../analysis/report/text/latex.ts';
import { partsMarkdown } from '../../../analysis/report/text/markdown.ts';
import { tableLines } from '../../../analysis/report/text/terminal.ts';

const scores: DataTable = {
  words: 1,
  heads: ['Model', { text: 'Score', brief: true }, 'Area'],
  rows: [['m', { text: '0.5', under: ['0.1 – 0.9'] }, { text: '0.7', under: ['0.6 – 0.8'] }]],
};

test('a brief column has no intervals in the terminal, and has them elsewhere', async () => {
  const lines = tableLines(scores, (text) => text);
  expect(lines).toContain('0.7 (0.6 – 0.8)');
  expect(lines).not.toContain('0.1 – 0.9');
  expect(partsMarkdown([scores])).toContain('| m | 0.5 (0.1 – 0.9) | 0.7 (0.6 – 0.8) |');
  expect((await partsHtml([scores])).markup).toContain('0.1 – 0.9');
});

test('a section for the page only is on the page only', async () => {
  const parts = [section('Long', [scores], { pageOnly: true })];
  expect((await partsHtml(parts)).markup).toContain('<h2>Long</h2>');
  expect(partsMarkdown(parts)).toBe('');
  expect(partsCsv(parts)).toBe('');
  expect(partsLatex(parts)).not.toContain('Long');
});

test('marked pieces are marked and escaped in HTML, and plain text elsewhere', async () => {
  const pieces = [
    { text: 'Oh <dear>, ', marked: true },
    { text: 'return', marked: false },
  ];
  const table: DataTable = { words: 1, heads: ['Prompt'], rows: [[{ text: 'Oh <dear>, return', pieces }]] };
  expect((await partsHtml([table])).markup).toContain('<mark>Oh &lt;dear&gt;, </mark>return');
  expect(partsCsv([table])).toContain('"Oh <dear>, return"');
});
