/** A table of the report as HTML. */
import { type Html, html, trusted } from '../html.ts';
import { cellOf, type DataCell, type DataRow, type DataTable, headOf, holdsWords } from '../part.ts';
import { type Place, takeTable } from './take.ts';

/** Tables with more columns than this get narrower gaps, and with more than `crowdedColumns` smaller print. */
const manyColumns = 9;
const crowdedColumns = 11;
/** Tables of no more columns are not stretched over the page. */
const fewColumns = 3;
/** A titled table with more rows is folded: many models would push everything else out of sight. */
const mostOpenRows = 40;

function density({ heads, look }: DataTable): string {
  if (heads.length > manyColumns) return heads.length > crowdedColumns ? 'dense crowded' : 'dense';
  return heads.length <= fewColumns && look !== 'board' ? 'few' : '';
}

/** @param level of its heading */
export function tableHtml(table: DataTable, place: Place, level = 4): Html {
  const { id, title, note, rows, totals = [], own, look, named } = table;
  const folded = table.folded || (title !== undefined && rows.length > mostOpenRows);
  if (rows.length === 0) return html``;
  const about = note === undefined ? html`` : html`<p class="note">${note}</p>`;
  const classes = [look ?? '', density(table)].filter((name) => name !== '').join(' ');
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
  const name = trusted(`h${level}`);
  const heading = title === undefined ? '' : html`<${name}${anchor}>${title}</${name}>`;
  return html`<div class="taken">${heading}${take}${about}${drawn}</div>`;
}

/** Filled by `page/board.js`. */
const finderHtml = html`<div class="filters finder" hidden><label>Find <input type="search" autocomplete="off"
placeholder="part of a name"></label><button type="button" aria-pressed="false">All names</button>
<span class="count" role="status"></span></div>`;

const headCells = (table: DataTable): Html[] =>
  table.heads.map((one, column) => {
    const { text, under, drawn, meaning, ends } = headOf(one);
    const words = holdsWords(table, column);
    const lines = under === undefined ? html`${text}` : html`${text}<br><span class="range">${under}</span>`;
    const scale =
      ends === undefined ? html`` : html`<span class="ends" data-lo="${ends[0]}" data-hi="${ends[1]}"></span>`;
    const means = meaning === undefined ? html`` : html` title="${meaning}"`;
    if (drawn && text === '') return html`<td>${scale}</td>`;
    if (drawn) return html`<th${means}>${lines}${scale}</th>`;
    return words
      ? html`<th data-sort="text"${means}>${lines}</th>`
      : html`<th class="n" data-sort="number"${means}>${lines}${scale}</th>`;
  });

const footHtml = (table: DataTable, totals: readonly DataRow[]): Html =>
  totals.length === 0 ? html`` : html`<tfoot>${totals.map((row) => rowHtml(table, row, 'total'))}</tfoot>`;

function rowHtml(table: DataTable, row: DataRow, kind: string, above?: DataRow): Html {
  const all = row.map(cellOf);
  const shared = sharedLink(table, all);
  const cells = all.map((cell, column) => {
    const { link, ...bare } = cell;
    const shown = link === shared ? bare : cell;
    return cellHtml(table, shown, column, isSameModel(cell, cellOf(above?.[column] ?? '')));
  });
  const links = shared === undefined ? '' : html` data-link="${shared}"`;
  return html`<tr${trusted(kind === '' ? '' : ` class="${kind}"`)}${links}>${cells}</tr>
`;
}

/** The link of all numbers of a row, which `page/evidence.js` gives to each: it would take a tenth of a large file. */
function sharedLink(table: DataTable, row: readonly DataCell[]): string | undefined {
  const numbers = row.filter((cell, column) => typeof cell.value === 'number' && !holdsWords(table, column));
  const [first, ...others] = numbers.map(({ link }) => link);
  return others.length > 0 && others.every((link) => link === first) ? first : undefined;
}

/** Such a name is set in weaker print, until `page/sort.js` changes the order. */
const isSameModel = (one: DataCell, above: DataCell): boolean =>
  one.model !== undefined &&
  above.model !== undefined &&
  one.text === above.text &&
  String(one.under) === String(above.under);

function cellHtml(table: DataTable, cell: DataCell, column: number, again: boolean): Html {
  const { id = '', value, hint, n } = cell;
  const attributes = [
    ['id', id],
    ['class', `${classOf(table, cell, column)}${again ? ' again' : ''}`],
    ['data-v', sortKey(cell, holdsWords(table, column))],
    ['title', hint ?? ''],
    ['data-n', hint === undefined && n !== undefined ? String(n) : ''],
    ['style', toneStyle(cell)],
  ] as const;
  const written = attributes.flatMap(([name, content]) => (content === '' ? [] : [html` ${name}="${content}"`]));
  const last = value === null && holdsWords(table, column) ? html` data-v=""` : '';
  return html`<td${written}${last}>${contentHtml(cell)}</td>`;
}

/** More digits decide no order that one can see, and took an eighth of a large file. */
const sortDigits = 7;

/** What `page/sort.js` sorts by; empty if that is what the cell shows, or if a value is missing. */
function sortKey({ text, value, under, pieces, model, drawing }: DataCell, words: boolean): string {
  if (value === undefined)
    return words && [under, pieces, model, drawing].every((one) => one === undefined) ? '' : text;
  return value === null ? '' : String(Number(value.toPrecision(sortDigits)));
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
