/** Puts a matrix together: its grid, drawing, filters, keys and words. */
import { GridControls } from './controls.js';
import { GridDrawing } from './draw.js';
import { GridKeys } from './keys.js';
import { unpackGrid } from './unpack.js';
import { viewOf } from './view.js';
import { cellText, flipsText, scaleOf, sizeText } from './words.js';
class Matrix {
  constructor(node, grid) {
    Object.assign(this, { node, grid });
    const part = (name) => node.querySelector(name);
    Object.assign(this, { box: part('.grid-box'), table: part('table'), flips: part('.flips') });
    this.readout = part('.readout');
    this.heading = [...this.readout.childNodes];
    this.drawing = new GridDrawing(grid, { matrix: node, box: this.box, table: this.table });
    this.controls = new GridControls(grid, (chosen) => this.show(chosen));
    this.keys = new GridKeys(this.table, this.drawing, {
      extent: () => ({ rows: this.view.rows.length, columns: this.drawing.fixed + this.view.columns.length }),
      tell: (row, column) => this.tell(row, column),
      open: (row, column) => this.open(row, column),
    });
  }

  start() {
    this.controls.show(this.node.querySelector('.filters'));
    this.table.setAttribute('role', 'grid');
    this.table.tabIndex = 0;
    this.node.classList.add('live');
    this.show(this.controls.chosen);
    this.node.querySelector('.count').textContent = '';
    this.listen();
    this.watchSize();
  }

  show(chosen) {
    const { grid, flips } = this;
    const view = viewOf(grid, chosen);
    this.view = view;
    this.drawing.show(view, chosen.sort);
    this.keys.keep();
    this.node.querySelector('.count').textContent = sizeText(grid, view, chosen);
    flips.hidden = view.flips === null;
    flips.textContent = view.flips === null ? '' : flipsText(grid, view);
    const [first] = view.columns;
    const shades = this.heading.find(({ className }) => className === 'shades');
    if (first) shades?.replaceChildren(scaleOf(grid.conditions[first.condition]));
  }

  tell(at, column) {
    const { grid, view, readout } = this;
    const [row, place] = [view.rows[at], view.columns[column - this.drawing.fixed]];
    if (place !== undefined && row !== undefined)
      readout.textContent = cellText(grid, row, place, this.controls.chosen);
    else if (row !== undefined) readout.textContent = `${grid.tasks[row].name} · ${grid.tasks[row].words}`;
    else readout.textContent = place === undefined ? 'Enter sorts' : `${place.name} · Enter sorts`;
  }

  tellPointed({ target }) {
    const cell = target.closest('td[aria-colindex]');
    const column = cell ? Number(cell.getAttribute('aria-colindex')) - 1 : -1;
    if (column >= this.drawing.fixed) this.tell(Number(cell.parentNode.getAttribute('aria-rowindex')) - 2, column);
  }

  open(row, column) {
    const node = this.drawing.nodeAt(row, column);
    (node?.querySelector('button') ?? node?.querySelector('a'))?.click();
  }

  listen() {
    const { table } = this;
    this.box.addEventListener('scroll', () => {
      this.drawing.scroll();
      this.keys.markActive();
    });
    table.addEventListener('click', (event) => {
      const button = event.target.closest('button');
      if (button) this.controls.sortBy(button.dataset.key);
      this.tellPointed(event);
    });
    table.addEventListener('mouseover', (event) => this.tellPointed(event));
    table.addEventListener('mouseleave', () => this.readout.replaceChildren(...this.heading));
    matchMedia('print').addEventListener('change', ({ matches }) => this.drawing.print(matches));
  }

  /** Also sees when a page that was hidden is shown. */
  watchSize() {
    let width = this.node.clientWidth;
    const fit = new ResizeObserver(() => {
      if (this.node.clientWidth === width) this.drawing.scroll();
      else this.drawing.redraw();
      width = this.node.clientWidth;
    });
    fit.observe(this.node);
    fit.observe(this.box);
  }
}

const startMatrix = async (node) => {
  const grid = await unpackGrid(node.querySelector('script[type="application/json"]'));
  new Matrix(node, grid).start();
  node.dispatchEvent(new Event('matrix-started'));
};
for (const node of document.querySelectorAll('.matrix')) void startMatrix(node);
document.addEventListener('part-added', ({ detail }) => {
  for (const node of [detail, ...detail.querySelectorAll('.matrix')])
    if (node.matches('.matrix')) void startMatrix(node);
});
