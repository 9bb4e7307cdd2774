/** A grid of tasks and models, as each format has it. */
import { expect, test } from 'vitest';
import { partsHtml } from '../../../analysis/report/html/parts.ts';
import { type Grid, section } from '../../../analysis/report/part.ts';
import { partsCsv } from '../../../analysis/report/text/csv.ts';
import { partsLatex } from '../../../analysis/report/text/latex.ts';
import { partsMarkdown } from '../../../analysis/report/text/markdown.ts';

const grid: Grid = {
  kind: 'grid',
  title: 'Loops of a study',
  note: 'One cell for each two.',
  most: 3,
  models: [
    { id: 'real', simulated: false },
    { id: 'played', simulated: true },
  ],
  rows: [
    {
      task: 'T/1',
      words: 'Adds <two>',
      mean: 3,
      cells: [
        { text: '✓', value: 3, example: 'e1' },
        { text: '×', value: null },
      ],
    },
  ],
  meanings: { '✓': 'lasted all 3 loops' },
  meaning: 'lasted # of 3 loops',
};
const parts = [section('Tasks', [grid])];

test('CSV lists it with the numbers behind the signs', () => {
  expect(partsCsv(parts)).toBe('# Tasks: Loops of a study\r\nTask,Mean,real,played (simulated)\r\nT/1,3,3,×\r\n');
});

test('Markdown and LaTeX are too narrow for it and omit it', () => {
  expect(partsMarkdown(parts)).toBe('');
  expect(partsLatex(parts)).not.toContain('T/1');
});

test('HTML draws it: the deepest colour for the most, a link to the example, words escaped', async () => {
  const { markup } = await partsHtml(parts);
  expect(markup).toContain('<td class="k10"><a href="#x-e1">✓</a></td><td>×</td>');
  expect(markup).toContain('title="Adds &lt;two&gt;"');
  expect(markup).toContain('<span>played *</span>');
});
