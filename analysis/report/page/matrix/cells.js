/** The nodes of a matrix: its heads, rows, cells and the widths of its columns. */
import { gapCell, mark } from './mark.js';
/** Cells that are copied, for each look and each scale. */
function cellStamps({ looks, conditions }) {
  const stamps = new Map();
  return (look, condition) => {
    const name = `${conditions[condition].most} ${looks.indexOf(look)}`;
    if (!stamps.has(name)) {
      const shade = look.value === null ? '' : `k${Math.round((10 * look.value) / conditions[condition].most)}`;
      stamps.set(name, mark('td', { class: shade }, look.text));
    }
    return stamps.get(name);
  };
}

const headCell = (text, { key, name, at }, sort) => {
  const order = sort?.key === key ? { 'aria-sort': sort.down ? 'descending' : 'ascending' } : {};
  const button = mark('button', { type: 'button', tabindex: '-1', 'data-key': key }, mark('span', {}, text));
  return mark('th', { class: name, scope: 'col', 'aria-colindex': at, title: text, ...order }, button);
};
const width = (pixels) => mark('col', { style: `width:${pixels}px` });

export class GridCells {
  constructor(grid) {
    this.grid = grid;
    this.stampOf = cellStamps(grid);
    this.show(null, null, null);
  }

  show(view, sort, sizes) {
    Object.assign(this, { view, sort, sizes });
  }

  /** Columns that stay at their places: the task, its words, the mean. */
  get fixed() {
    return this.sizes.words > 0 ? 3 : 2;
  }

  cell(row, place) {
    const { grid, view } = this;
    const column = view.columns[place];
    const look = grid.cellAt(row, column);
    const cell = this.stampOf(look, column.condition).cloneNode(true);
    cell.setAttribute('aria-colindex', this.fixed + place + 1);
    const example = grid.exampleAt(row, column);
    if (example !== undefined) cell.replaceChildren(mark('a', { href: `#x-${example}`, tabindex: '-1' }, look.text));
    if (view.pair.includes(column) && view.flips[row]?.flips) cell.classList.add('flip');
    return cell;
  }

  row(at, { first, last }) {
    const row = this.view.rows[at];
    const { name, words, tag } = this.grid.tasks[row];
    const head = mark('th', { scope: 'row', title: words, 'aria-colindex': 1 }, name);
    if (tag !== '') head.append(mark('span', { class: 'tag ceiling' }, tag));
    const mean = this.view.means[row];
    const node = mark('tr', { 'aria-rowindex': at + 2 }, head);
    if (this.sizes.words > 0) node.append(mark('td', { class: 'words', 'aria-colindex': 2 }, words));
    node.append(mark('td', { class: 'n', 'aria-colindex': this.fixed }, mean === null ? '–' : mean.toFixed(1)));
    node.append(gapCell());
    for (let place = first; place < last; place++) node.append(this.cell(row, place));
    node.append(gapCell());
    return node;
  }

  head(at) {
    const { columns, pair } = this.view;
    const { name, simulated, place } = columns[at];
    const look = pair.some((column) => column.place === place) ? 'up flip' : 'up';
    const marks = { key: String(place), name: look, at: this.fixed + at + 1 };
    return headCell(simulated ? `${name} *` : name, marks, this.sort);
  }

  headRow({ first, last }) {
    const { sort, fixed } = this;
    const node = mark('tr', { 'aria-rowindex': 1 }, headCell('Task', { key: 'task', name: '', at: 1 }, sort));
    if (this.sizes.words > 0)
      node.append(mark('th', { class: 'words', scope: 'col', 'aria-colindex': 2 }, 'What it asks for'));
    node.append(headCell('Mean', { key: 'mean', name: 'n', at: fixed }, sort), gapCell());
    for (let at = first; at < last; at++) node.append(this.head(at));
    node.append(gapCell());
    return node;
  }

  width() {
    return width(this.sizes.column);
  }

  widths({ first, last }) {
    const { task, words, mean } = this.sizes;
    return mark(
      'colgroup',
      {},
      ...[task, ...(words > 0 ? [words] : []), mean, 0].map(width),
      ...Array.from({ length: last - first }, () => this.width()),
      width(0),
    );
  }
}
