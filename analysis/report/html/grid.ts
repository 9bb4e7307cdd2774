/** A grid with one row per task and one column per model, text filters, and links to examples. */
import { countText, missing } from '../format.ts';
import { type Html, html } from '../html.ts';
import type { Grid, GridCell, GridRow } from '../part.ts';

/** With more cells the page would be slow to open; later tasks are dropped. */
const mostCells = 40_000;
/** With more models there is no room for the column that describes the task. */
const mostModelsWithWords = 16;
const printedRows = 60;

export function gridHtml(grid: Grid): Html {
  const { id = '', title, note, models, meanings, meaning } = grid;
  const rows = grid.rows.slice(0, Math.max(1, Math.floor(mostCells / models.length)));
  const words = html` data-meanings="${JSON.stringify(meanings)}" data-meaning="${meaning}"`;
  const box = html` role="region" aria-label="Tasks of ${title}" tabindex="0"`;
  const about = note === undefined ? '' : html`<p class="note">${note}</p>`;
  return html`<div class="matrix" id="${id}"${words}><h3>${title}</h3>${about}
${filters(models.length)}
<p class="readout" aria-live="polite">${extent(grid, rows.length)}</p>
<div class="grid-box"${box}>${gridTable(grid, rows)}</div>${printNote(rows.length)}</div>`;
}

const filters = (models: number): Html =>
  html`<div class="filters" hidden>${search('Tasks', 'rows', 'number or words')}${
    models > mostModelsWithWords ? html` ${search('Models', 'columns', 'part of a name')}` : ''
  }<span class="count" role="status"></span></div>`;

const search = (name: string, filter: string, example: string): Html =>
  html`<label>${name} <input type="search" data-filter="${filter}"
placeholder="${example}" autocomplete="off"></label>`;

function extent({ rows, models, most }: Grid, shown: number): Html {
  const first = shown === rows.length ? '' : `the first ${countText(shown)} of `;
  const simulated = models.some((model) => model.simulated) ? ' * simulated' : '';
  const counts = `${countText(rows.length)} tasks × ${countText(models.length)} models`;
  return html`${first}${counts}; ${scale(most)}${simulated}`;
}

function scale(most: number): Html {
  const steps = Array.from({ length: 11 }, (_, step) => html`<i class="k${step}"></i>`);
  return html`<span class="scale" aria-hidden="true">0 ${steps} ${most}</span>`;
}

const printNote = (rows: number): Html =>
  rows > printedRows
    ? html`<p class="note print-only">Printed: the first ${printedRows} of ${countText(rows)} rows.</p>`
    : html``;

function gridTable({ models, most }: Grid, rows: readonly GridRow[]): Html {
  const withWords = models.length <= mostModelsWithWords;
  const heads = [
    html`<th data-sort="text">Task</th>`,
    ...(withWords ? [html`<th class="words">What it asks for</th>`] : []),
    html`<th class="n" data-sort="number">Mean</th>`,
    ...models.map(modelHead),
  ];
  return html`<table class="grid"><thead><tr>${heads}</tr></thead><tbody>
${rows.map((row) => rowHtml(row, most, withWords))}</tbody></table>`;
}

const modelHead = ({ id, simulated }: Grid['models'][number]): Html =>
  html`<th class="up" scope="col" data-model="${id}"><span>${id}${simulated ? ' *' : ''}</span></th>`;

function rowHtml({ task, words, tag, mean, cells }: GridRow, most: number, withWords: boolean): Html {
  const mark = tag === undefined ? html`` : html`<span class="tag ceiling">${tag}</span>`;
  const told = withWords ? html`<td class="words">${words}</td>` : html``;
  const average = html`<td class="n" data-v="${mean ?? ''}">${mean === null ? missing : mean.toFixed(1)}</td>`;
  const head = html`<th scope="row" data-v="${task}" title="${words}">${task}${mark}</th>`;
  return html`<tr>${head}${told}${average}${cells.map((cell) => cellHtml(cell, most))}</tr>
`;
}

function cellHtml({ text, value, example }: GridCell, most: number): Html {
  const shown = example === undefined ? html`${text}` : html`<a href="#x-${example}">${text}</a>`;
  return value === null ? html`<td>${shown}</td>` : html`<td class="k${Math.round((10 * value) / most)}">${shown}</td>`;
}
