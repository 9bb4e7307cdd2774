/** What many models do to a page: long tables and many panels are folded, and an address is written once in a row. */
import { expect, test } from 'vitest';
import { trusted } from '../../../analysis/report/html.ts';
import { partsHtml } from '../../../analysis/report/html/parts.ts';
import type { DataTable, Figure } from '../../../analysis/report/part.ts';

const table = (rows: number, more: Partial<DataTable> = {}): DataTable => ({
  ...{ title: 'Places', words: 1, heads: ['Model', 'ASL'] },
  rows: Array.from({ length: rows }, (_, row) => [`m${row}`, { text: '1', value: 1 }]),
  ...more,
});
const figure = (panels: number): Figure => ({
  ...{ kind: 'figure', title: 'Survival' },
  panels: Array.from({ length: panels }, () => ({ chart: () => trusted('<svg></svg>') })),
});

test('a table of more than 40 rows and a figure of more than 12 panels are folded under their titles', async () => {
  const { markup } = await partsHtml([table(40), table(41, { title: 'Hazard' }), figure(12), figure(13)]);
  expect([...markup.matchAll(/<(h\d|summary)>([^<]*)</g)].map(([, name, title]) => `${name} ${title}`)).toEqual([
    'h2 Places',
    'summary Hazard',
    'h2 Survival',
    'summary Survival',
  ]);
});

test('a table without a title, such as a study’s board, is never folded', async () => {
  const { title: _, ...board } = table(91);
  expect((await partsHtml([board])).markup).not.toContain('<details');
});

test('the address that all numbers of a row share is written once', async () => {
  const link = '#examples?model=m';
  const cell = { text: '1', value: 1, link };
  const row = async (...cells: readonly (typeof cell)[]): Promise<string> =>
    (await partsHtml([{ words: 1, heads: ['Model', 'a', 'b'], rows: [['m', ...cells]] }])).markup;
  expect(await row(cell, cell)).toContain('<tr data-link="#examples?model=m"><td>m</td><td class="n"');
  expect(await row(cell, cell)).not.toContain('href');
  const apart = await row(cell, { ...cell, link: '#examples?model=o' });
  expect(apart).not.toContain('data-link');
  expect(apart.match(/href="#examples/g)).toHaveLength(2);
});

test('a cell states what it sorts by where that is not what it shows, in seven digits', async () => {
  const row = [
    ...['shown', { text: 'small', value: 7 }, { text: '–', value: null }],
    ...[
      { text: '0.12', value: 0.123456789 },
      { text: '1,512', value: 1512 },
      { text: '–', value: null },
    ],
  ];
  const { markup } = await partsHtml([{ words: 3, heads: ['a', 'b', 'c', 'd', 'e', 'f'], rows: [row] }]);
  expect(markup).toContain(
    '<tr><td>shown</td><td data-v="7">small</td><td data-v="">–</td>' +
      '<td class="n" data-v="0.1234568">0.12</td><td class="n" data-v="1512">1,512</td><td class="n">–</td></tr>',
  );
});

test('a model that the row above has is marked as such, unless another line tells the two apart', async () => {
  const model = { color: 'red', simulated: false };
  const rows = [
    { text: 'm', model },
    { text: 'm', model },
    { text: 'm', model, under: ['run 2'] },
  ].map((name) => [name]);
  const { markup } = await partsHtml([{ words: 1, heads: ['Model'], rows }]);
  expect([...markup.matchAll(/<td class="(name[^"]*)"/g)].map(([, name]) => name)).toEqual([
    'name',
    'name again',
    'name',
  ]);
});
