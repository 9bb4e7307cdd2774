/** Puts a matrix together: its grid, drawing, filters, keys and words. */
import { gridControls } from './controls.js';
import { gridDrawing } from './draw.js';
import { gridKeys } from './keys.js';
import { unpackGrid } from './unpack.js';
import { viewOf } from './view.js';
import { cellText, flipsText, scaleOf, sizeText } from './words.js';
async function startMatrix(matrix) {
  const grid = await unpackGrid(matrix.querySelector('script[type="application/json"]'));
  const box = matrix.querySelector('.grid-box');
  const table = matrix.querySelector('table');
  const flips = matrix.querySelector('.flips');
  const readout = matrix.querySelector('.readout');
  const heading = [...readout.childNodes];
  const drawing = gridDrawing(grid, { matrix, box, table });
  let view;

  const placeOf = (cell) => Number(cell.getAttribute('aria-colindex')) - 1 - drawing.fixed();
  const tell = (at, column) => {
    const [row, place] = [view.rows[at], view.columns[column - drawing.fixed()]];
    if (place !== undefined && row !== undefined) readout.textContent = cellText(grid, row, place, controls.chosen);
    else if (row !== undefined) readout.textContent = `${grid.tasks[row].name} · ${grid.tasks[row].words}`;
    else readout.textContent = place === undefined ? 'Enter sorts' : `${place.name} · Enter sorts`;
  };
  const changed = (chosen) => {
    view = viewOf(grid, chosen);
    drawing.show(view, chosen.sort);
    keys.keep();
    matrix.querySelector('.count').textContent = sizeText(grid, view, chosen);
    flips.hidden = view.flips === null;
    flips.textContent = view.flips === null ? '' : flipsText(grid, view);
    const [first] = view.columns;
    if (first)
      heading.find((node) => node.className === 'shades')?.replaceChildren(scaleOf(grid.conditions[first.condition]));
  };
  const open = (row, column) => {
    const node = drawing.nodeAt(row, column);
    (node?.querySelector('button') ?? node?.querySelector('a'))?.click();
  };
  const keys = gridKeys(table, box, drawing, {
    extent: () => ({ rows: view.rows.length, columns: drawing.fixed() + view.columns.length }),
    tell,
    open,
  });
  const controls = gridControls(grid, matrix.querySelector('.filters'), changed);
  table.setAttribute('role', 'grid');
  table.tabIndex = 0;
  matrix.classList.add('live');
  changed(controls.chosen);
  matrix.querySelector('.count').textContent = '';

  box.addEventListener('scroll', () => {
    drawing.scroll();
    keys.markActive();
  });
  table.addEventListener('click', ({ target }) => {
    const button = target.closest('button');
    if (button) controls.sortBy(button.dataset.key);
  });
  for (const kind of ['mouseover', 'click'])
    table.addEventListener(kind, ({ target }) => {
      const cell = target.closest('td[aria-colindex]');
      if (cell && placeOf(cell) >= 0)
        tell(Number(cell.parentNode.getAttribute('aria-rowindex')) - 2, placeOf(cell) + drawing.fixed());
    });
  table.addEventListener('mouseleave', () => readout.replaceChildren(...heading));
  // Also when a page that was hidden is shown.
  let width = matrix.clientWidth;
  const fit = new ResizeObserver(() => {
    if (matrix.clientWidth === width) drawing.scroll();
    else drawing.redraw();
    width = matrix.clientWidth;
  });
  fit.observe(matrix);
  fit.observe(box);
  matchMedia('print').addEventListener('change', ({ matches }) => drawing.print(matches));
}
for (const matrix of document.querySelectorAll('.matrix')) startMatrix(matrix);
