/**
 * A grid with one row per task and one column per model. The page holds all of it in a short block of text, and its
 * script draws the part that can be seen; without the script there are the first rows.
 */
import { countText, missing } from '../format.ts';
import { type Html, html } from '../html.ts';
import { rowMean } from '../matrix/grid-mean.ts';
import { packGrid } from '../matrix/pack-grid.ts';
import type { Grid, GridCell, GridCondition, GridRow } from '../part.ts';

/** Drawn without the script. */
const firstRows = 12;
const firstModels = 16;
/** The script draws as many on paper. */
const printedRows = 60;

export async function gridHtml(grid: Grid): Promise<Html> {
  const { id = '', title, note } = grid;
  const about = note === undefined ? '' : html`<p class="note">${note}</p>`;
  const table = html`<table class="grid" aria-label="Tasks of ${title}">${firstTable(grid)}</table>`;
  return html`<div class="matrix" id="${id}"><h3>${title}</h3>${about}
<div class="filters" hidden></div><p class="flips" role="status" hidden></p>
<p class="readout" aria-live="polite">${extent(grid)}</p>
${noScript(grid)}<div class="grid-box">${table}</div>${printNote(grid.rows.length)}
<script type="application/json">"${await packGrid(grid)}"</script></div>
`;
}

function extent({ rows, models, conditions: [first] }: Grid): Html {
  const simulated = models.some((model) => model.simulated) ? ' * simulated' : '';
  const counts = `${countText(rows.length)} tasks × ${countText(models.length)} models`;
  return html`${counts}; <span class="shades">${first === undefined ? '' : scale(first)}</span>${simulated}`;
}

function scale({ most, unit = '' }: GridCondition): Html {
  const steps = Array.from({ length: 11 }, (_, step) => html`<i class="k${step}"></i>`);
  return html`<span class="scale" aria-hidden="true">0 ${steps} ${most}${unit}</span>`;
}

function noScript({ rows, models }: Grid): Html {
  if (rows.length <= firstRows && models.length <= firstModels) return html``;
  return html`<noscript><p class="note">The first ${Math.min(firstRows, rows.length)} of ${countText(rows.length)} tasks
and ${Math.min(firstModels, models.length)} of ${countText(models.length)} models. All are in this file, but showing
them needs JavaScript, which is switched off.</p></noscript>
`;
}

const printNote = (rows: number): Html =>
  rows > printedRows
    ? html`<p class="note print-only">Printed: the first ${printedRows} of ${countText(rows)} rows.</p>`
    : html``;

function firstTable(grid: Grid): Html {
  const heads = grid.models
    .slice(0, firstModels)
    .map(({ id, simulated }) => html`<th class="up" scope="col"><span>${id}${simulated ? ' *' : ''}</span></th>`);
  const rows = grid.rows.slice(0, firstRows).map((row) => rowHtml(row, grid));
  return html`<thead><tr><th>Task</th><th class="n">Mean</th>${heads}</tr></thead><tbody>
${rows}</tbody>`;
}

function rowHtml(row: GridRow, { conditions, models }: Grid): Html {
  const mark = row.tag === undefined ? html`` : html`<span class="tag ceiling">${row.tag}</span>`;
  const mean = rowMean(row);
  const cells = (row.cells[0] ?? []).slice(0, Math.min(firstModels, models.length));
  return html`<tr><th scope="row" title="${row.words}">${row.task}${mark}</th><td class="n">${
    mean === null ? missing : mean.toFixed(1)
  }</td>${cells.map((cell) => cellHtml(cell, conditions[0]?.most ?? 1))}</tr>
`;
}

const cellHtml = ({ text, value }: GridCell, most: number): Html =>
  value === null ? html`<td>${text}</td>` : html`<td class="k${Math.round((10 * value) / most)}">${text}</td>`;
