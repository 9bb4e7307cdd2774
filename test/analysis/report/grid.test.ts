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
  models: [
    { id: 'real', simulated: false },
    { id: 'played', simulated: true },
  ],
  conditions: [{ name: 'Loops lasted', most: 3, passes: 3, passing: 'lasts all 3 loops' }],
  rows: [
    {
      task: 'T/1',
      words: 'Adds <two>',
      cells: [
        [
          { text: '✓', value: 3, meaning: 'lasted all 3 loops' },
          { text: '×', value: null, meaning: 'excluded' },
        ],
      ],
    },
  ],
  examples: [{ id: 'e1', task: 'T/1', model: 'real', condition: null }],
};
const parts = [section('Tasks', [grid])];

test('CSV lists it with the numbers behind the signs', () => {
  expect(partsCsv(parts)).toBe('# Tasks: Loops of a study\r\nTask,Mean,real,played (simulated)\r\nT/1,3,3,×\r\n');
});

test('Markdown and LaTeX are too narrow for it and omit it', () => {
  expect(partsMarkdown(parts)).toBe('');
  expect(partsLatex(parts)).not.toContain('T/1');
});

test('HTML draws its first rows without the script: the deepest colour for the most, words escaped', async () => {
  const { markup } = await partsHtml(parts);
  expect(markup).toContain('<td class="k10">✓</td><td>×</td>');
  expect(markup).toContain('title="Adds &lt;two&gt;"');
  expect(markup).toContain('<span>played *</span>');
});
