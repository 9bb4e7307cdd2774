/** Draws the rows and columns of a grid that can be seen; gaps stand for all others. */
import { GridCells } from './cells.js';
import { gapRow, mark, slideCells } from './mark.js';
import { gridSizes, placesSeen, rowHeight } from './sizes.js';
const printedRows = 60;

export class GridDrawing {
  constructor(grid, { matrix, box, table }) {
    Object.assign(this, { grid, matrix, box, table, view: null, sort: null, sizes: null, printing: false });
    this.cells = new GridCells(grid);
    this.drawn = new Map();
    this.seen = null;
  }

  get fixed() {
    return this.cells.fixed;
  }

  show(view, sort) {
    Object.assign(this, { view, sort });
    this.redraw();
  }

  print(on) {
    this.printing = on;
    this.redraw();
  }

  redraw() {
    if (this.view === null) return;
    this.sizes = gridSizes(this.grid, this.view, this.table, this.room());
    this.cells.show(this.view, this.sort, this.sizes);
    this.seen = null;
    // The first table gives the box its size.
    this.scroll();
    this.scroll();
  }

  scroll() {
    // Both are measured before anything changes: a table without rows would end the scrolling.
    const [rows, columns] = [this.rowsSeen(), this.columnsSeen()];
    const { seen } = this;
    if (seen === null || columns.first >= seen.last || columns.last <= seen.first) this.frame(columns);
    else if (columns.first !== seen.first || columns.last !== seen.last) this.slide(columns);
    this.fill(rows);
  }

  room() {
    return this.matrix.clientWidth || 1064;
  }

  rowsSeen() {
    const count = this.view.rows.length;
    if (this.printing) return { first: 0, last: Math.min(printedRows, count) };
    const height = (this.box.clientHeight || 640) - this.sizes.head;
    const from = this.box.scrollTop / rowHeight;
    return placesSeen(from, from + height / rowHeight, { count, spare: 8, step: 8 });
  }

  columnsSeen() {
    const count = this.view.columns.length;
    if (this.printing) return { first: 0, last: count };
    const { before, task, column } = this.sizes;
    const start = this.box.scrollLeft - before;
    const [from, to] = [start + task, start + (this.box.clientWidth || this.room())];
    return placesSeen(from / column, to / column, { count, spare: 4, step: 4 });
  }

  /** Everything but the rows: they follow. */
  frame(seen) {
    const { cells, table, view, sizes } = this;
    this.seen = seen;
    const columns = cells.widths(seen);
    this.drawn.clear();
    const all = columns.children.length;
    this.gaps = [gapRow(all), gapRow(all)];
    table.replaceChildren(columns, mark('thead', {}, cells.headRow(seen)), mark('tbody', {}, ...this.gaps));
    this.stretch();
    table.style.width = `${sizes.before + view.columns.length * sizes.column}px`;
    table.style.setProperty('--head', `${sizes.head}px`);
    table.setAttribute('aria-rowcount', view.rows.length + 1);
    table.setAttribute('aria-colcount', this.fixed + view.columns.length);
  }

  /** Takes away the columns that can no longer be seen and adds the new ones; all others stay. */
  slide(next) {
    const { cells, table, view, fixed, seen: now } = this;
    this.seen = next;
    slideCells(table.firstChild, fixed, { now, next, make: () => cells.width() });
    slideCells(table.tHead.rows[0], fixed, { now, next, make: (at) => cells.head(at) });
    for (const [at, node] of this.drawn)
      slideCells(node, fixed, { now, next, make: (place) => cells.cell(view.rows[at], place) });
    const all = table.firstChild.children.length;
    for (const gap of this.gaps) gap.firstChild.setAttribute('colspan', all);
    this.stretch();
  }

  /** Gives the gaps left and right the width of all columns that are not drawn. */
  stretch() {
    const columns = this.table.firstChild.children;
    const { column } = this.sizes;
    columns[this.fixed].style.width = `${this.seen.first * column}px`;
    columns[columns.length - 1].style.width = `${(this.view.columns.length - this.seen.last) * column}px`;
  }

  fill({ first, last }) {
    const { drawn, printing } = this;
    const [above, below] = this.gaps;
    const count = this.view.rows.length;
    for (const [at, node] of drawn)
      if (at < first || at >= last) {
        node.remove();
        drawn.delete(at);
      }
    let next = below;
    for (let at = last - 1; at >= first; at--) {
      if (!drawn.has(at)) {
        drawn.set(at, this.cells.row(at, this.seen));
        next.before(drawn.get(at));
      }
      next = drawn.get(at);
    }
    above.firstChild.style.height = `${first * rowHeight}px`;
    below.firstChild.style.height = `${(printing ? 0 : count - last) * rowHeight}px`;
    above.hidden = first === 0;
    below.hidden = last === count || printing;
  }

  /** The cell at a place: row -1 is the head. Undefined, if it is not drawn. */
  nodeAt(row, column) {
    const line = row < 0 ? this.table.tHead.rows[0] : this.drawn.get(row);
    return line?.querySelector(`[aria-colindex="${column + 1}"]`) ?? undefined;
  }

  /** Scrolls as far as needed to see a cell. */
  reveal(row, column) {
    const { box, sizes, fixed } = this;
    const top = row * rowHeight;
    const height = box.clientHeight - sizes.head - rowHeight;
    if (row >= 0) box.scrollTop = Math.min(top, Math.max(box.scrollTop, top - height));
    const left = (column - fixed) * sizes.column + sizes.before;
    const width = box.clientWidth - sizes.column;
    if (column >= fixed) box.scrollLeft = Math.min(left - sizes.task, Math.max(box.scrollLeft, left - width));
    else box.scrollLeft = 0;
    this.scroll();
  }
}
