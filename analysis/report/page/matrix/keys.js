/** The whole grid is one Tab stop; arrow keys move the active cell, which the table names for screen readers. */
import { rowHeight } from './sizes.js';
/** From a place, with Ctrl or Cmd held or not, to the next; `page` is a number of rows. */
const moves = {
  ArrowRight: ({ row, column }) => [row, column + 1],
  ArrowLeft: ({ row, column }) => [row, column - 1],
  ArrowDown: ({ row, column }) => [row + 1, column],
  ArrowUp: ({ row, column }) => [row - 1, column],
  PageDown: ({ row, column, page }) => [row + page, column],
  PageUp: ({ row, column, page }) => [Math.max(0, row - page), column],
  Home: ({ row, column, far }) => (far ? [0, column] : [row, 0]),
  End: ({ row, column, far }) => (far ? [Infinity, column] : [row, Infinity]),
};

export class GridKeys {
  /** @param acts `extent` gives the number of rows and columns; `tell` says and `open` opens the cell at a place */
  constructor(table, drawing, acts) {
    Object.assign(this, { table, drawing, acts, active: null, shown: undefined });
    this.name = `active-${Math.random().toString(36).slice(2)}`;
    table.addEventListener('keydown', (event) => this.press(event));
    table.addEventListener('focus', () => {
      this.active ??= { row: 0, column: drawing.fixed };
      this.go(this.active.row, this.active.column);
    });
    table.addEventListener('blur', () => this.unmark());
  }

  press(event) {
    const { active, drawing, table } = this;
    if (event.target !== table || active === null || event.altKey) return;
    const page = Math.max(1, Math.floor(drawing.box.clientHeight / rowHeight) - 4);
    const move = moves[event.key];
    if (move) this.go(...move({ ...active, page, far: event.ctrlKey || event.metaKey }));
    else if (event.key === 'Enter' || event.key === ' ') this.acts.open(active.row, active.column);
    else return;
    event.preventDefault();
  }

  go(row, column) {
    const { rows, columns } = this.acts.extent();
    const active = { row: Math.max(-1, Math.min(rows - 1, row)), column: Math.max(0, Math.min(columns - 1, column)) };
    this.active = active;
    this.drawing.reveal(active.row, active.column);
    this.markActive();
    this.acts.tell(active.row, active.column);
  }

  unmark() {
    this.shown?.classList.remove('active');
    this.shown?.removeAttribute('id');
    this.shown = undefined;
    this.table.removeAttribute('aria-activedescendant');
  }

  /** Also after a drawing, which makes cells new. */
  markActive() {
    this.unmark();
    const { active, table, name } = this;
    if (active === null || document.activeElement !== table) return;
    this.shown = this.drawing.nodeAt(active.row, active.column);
    if (this.shown === undefined) return;
    this.shown.classList.add('active');
    this.shown.id = name;
    table.setAttribute('aria-activedescendant', name);
  }

  /** What is left of the rows and columns may no longer hold the active cell. */
  keep() {
    if (this.active === null) return;
    const { rows, columns } = this.acts.extent();
    this.active = { row: Math.min(rows - 1, this.active.row), column: Math.min(columns - 1, this.active.column) };
    this.markActive();
  }
}
