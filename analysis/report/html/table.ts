/** A table of the report as HTML. */
import { type Html, html, trusted } from '../html.ts';
import { cellOf, type DataCell, type DataRow, type DataTable, headOf, holdsWords } from '../part.ts';
import { type Place, takeTable } from './take.ts';

/** Tables with more columns than this get narrower gaps, and with more than `crowdedColumns` smaller print. */
const manyColumns = 9;
const crowdedColumns = 11;

const density = (columns: number): string =>
  columns > crowdedColumns ? 'dense crowded' : columns > manyColumns ? 'dense' : '';

export function tableHtml(table: DataTable, place: Place): Html {
  const { id, title, note, rows, totals = [], own, folded, look, named } = table;
  if (rows.length === 0) return html``;
  const about = note === undefined ? html`` : html`<p class="note">${note}</p>`;
  const classes = [look ?? '', density(table.heads.length)].filter((name) => name !== '').join(' ');
  const body = rows.map((row, index) => rowHtml(table, row, own?.includes(index) ? 'own' : '', rows[index - 1]));
  const facts = [
    ...(named === undefined ? [] : [html` data-named="${named}"`]),
    ...(table.method === undefined ? [] : [html` data-method="${table.method}"`]),
    ...(table.n === undefined ? [] : [html` data-n="${table.n}"`]),
  ];
  const finder = named === undefined ? '' : finderHtml;
  const head = html`<thead><tr>${headCells(table)}</tr></thead>`;
  const drawn = html`${finder}<div class="wide"><table class="${classes}"${facts}>${head}<tbody>
${body}</tbody>${footHtml(table, totals)}</table></div>`;
  const anchor = id === undefined ? html`` : html` id="${id}"`;
  const take = takeTable(table, place);
  if (folded)
    return html`<details class="taken"${anchor}><summary>${title ?? ''}</summary>${take}${about}${drawn}</details>`;
  const heading = title === undefined ? '' : html`<h4${anchor}>${title}</h4>`;
  return html`<div class="taken">${heading}${take}${about}${drawn}</div>`;
}

/** Filled by `page/board.js`. */
const finderHtml = html`<div class="filters finder" hidden><label>Find <input type="search" autocomplete="off"
placeholder="part of a name"></label><button type="button" aria-pressed="false">All names</button>
<span class="count" role="status"></span></div>`;

const headCells = (table: DataTable): Html[] =>
  table.heads.map((one, column) => {
    const { text, under, drawn, meaning } = headOf(one);
    const words = holdsWords(table, column);
    const lines = under === undefined ? html`${text}` : html`${text}<br><span class="range">${under}</span>`;
    const means = meaning === undefined ? html`` : html` title="${meaning}"`;
    if (drawn) return html`<th${means}>${lines}</th>`;
    return words
      ? html`<th data-sort="text"${means}>${lines}</th>`
      : html`<th class="n" data-sort="number"${means}>${lines}</th>`;
  });

const footHtml = (table: DataTable, totals: readonly DataRow[]): Html =>
  totals.length === 0 ? html`` : html`<tfoot>${totals.map((row) => rowHtml(table, row, 'total'))}</tfoot>`;

function rowHtml(table: DataTable, row: DataRow, kind: string, above?: DataRow): Html {
  const cells = row.map((cell, column) =>
    cellHtml(table, cellOf(cell), column, isSameModel(cellOf(cell), cellOf(above?.[column] ?? ''))),
  );
  return html`<tr${trusted(kind === '' ? '' : ` class="${kind}"`)}>${cells}</tr>
`;
}

/** Such a name is set in weaker print, until `page/sort.js` changes the order. */
const isSameModel = (one: DataCell, above: DataCell): boolean =>
  one.model !== undefined &&
  above.model !== undefined &&
  one.text === above.text &&
  String(one.under) === String(above.under);

function cellHtml(table: DataTable, cell: DataCell, column: number, again: boolean): Html {
  const { id = '', text, value, hint, n } = cell;
  const attributes = [
    ['id', id],
    ['class', `${classOf(table, cell, column)}${again ? ' again' : ''}`],
    ['data-v', value === undefined ? text : String(value ?? '')],
    ['title', hint ?? ''],
    ['data-n', hint === undefined && n !== undefined ? String(n) : ''],
    ['style', toneStyle(cell)],
  ] as const;
  const written = attributes.flatMap(([name, content]) => (content === '' ? [] : [html` ${name}="${content}"`]));
  return html`<td${written}>${contentHtml(cell)}</td>`;
}

function classOf(table: DataTable, { model, shade, drawing }: DataCell, column: number): string {
  const step = shade == null ? '' : `k${Math.max(0, Math.min(10, Math.round(shade)))}`;
  const kind = model === undefined ? (drawing === undefined ? '' : 'bars') : 'name';
  return [holdsWords(table, column) || kind === 'bars' ? '' : 'n', kind, step].filter((name) => name !== '').join(' ');
}

const toneStyle = ({ tone }: DataCell): string =>
  tone === undefined
    ? ''
    : `background:color-mix(in srgb, var(--${tone.good ? 'good' : 'bad'}) ${Math.round(tone.strength)}%, transparent)`;

/** A narrow column must not break between a number and its sign. */
const unbroken = (text: string): string => text.replaceAll(/(\d) %/g, '$1\u00a0%');

function contentHtml({ text, pieces, under = [], model, drawing, link }: DataCell): Html {
  const lines =
    drawing === undefined ? under.map((line) => html`<br><span class="range">${unbroken(line)}</span>`) : [];
  if (model !== undefined) return html`${modelHtml(text, model)}${lines}`;
  const content = drawing ?? (pieces === undefined ? html`${unbroken(text)}` : piecesHtml(pieces));
  return html`${link === undefined ? content : html`<a href="${link}">${content}</a>`}${lines}`;
}

const piecesHtml = (pieces: NonNullable<DataCell['pieces']>): Html =>
  html`${pieces.map(({ text, marked }) => (marked ? html`<mark>${text}</mark>` : text))}`;

/** A model's id with its colour, a mark if it is simulated, and its notes. */
export const modelHtml = (id: string, { color, simulated, notes = [] }: NonNullable<DataCell['model']>): Html =>
  html`<span class="dot" style="background:${color}"></span>${id}${
    simulated || notes.length > 0
      ? html`<span class="marks">${simulated ? html`<span class="tag">simulated</span>` : ''}${notes.map(
          ({ mark, text }) => html`<button type="button" class="tag" title="${text}">${mark}</button>`,
        )}</span>`
      : ''
  }`;
