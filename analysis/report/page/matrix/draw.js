/** Draws the rows and columns of a grid that can be seen; gaps stand for all others. */
import { gridSizes, placesSeen, rowHeight } from './sizes.js';
export const mark = (name, attributes, ...children) => {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
};

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
const gapCell = () => mark('td', { class: 'gap', 'aria-hidden': 'true' });
const gapRow = (columns) =>
  mark('tr', { class: 'gap', 'aria-hidden': 'true' }, mark('td', { colspan: columns, class: 'gap' }));

/** @param lead place of the gap before the cells; another gap follows them */
function slideCells(node, lead, { now, next, make }) {
  for (let place = now.first; place < Math.min(next.first, now.last); place++) node.children[lead + 1].remove();
  for (let place = Math.max(next.last, now.first); place < now.last; place++) node.lastChild.previousSibling.remove();
  const start = node.children[lead + 1];
  for (let place = next.first; place < Math.min(now.first, next.last); place++) start.before(make(place));
  for (let place = Math.max(now.last, next.first); place < next.last; place++) node.lastChild.before(make(place));
}

export function gridDrawing(grid, { matrix, box, table }) {
  const stampOf = cellStamps(grid);
  const drawn = new Map();
  let [view, sort, sizes, seen, printing] = [null, null, null, null, false];
  let [above, below, body] = [null, null, null];

  const fixed = () => (sizes.words > 0 ? 3 : 2);
  const room = () => matrix.clientWidth || 1064;
  const rowsSeen = () => {
    if (printing) return { first: 0, last: Math.min(60, view.rows.length) };
    const height = (box.clientHeight || 640) - sizes.head;
    const from = box.scrollTop / rowHeight;
    return placesSeen(from, from + height / rowHeight, { count: view.rows.length, spare: 8, step: 8 });
  };
  const columnsSeen = () => {
    if (printing) return { first: 0, last: view.columns.length };
    const start = box.scrollLeft - sizes.before;
    const [from, to] = [start + sizes.task, start + (box.clientWidth || room())];
    return placesSeen(from / sizes.column, to / sizes.column, { count: view.columns.length, spare: 4, step: 4 });
  };

  const cellOf = (row, place) => {
    const column = view.columns[place];
    const look = grid.cellAt(row, column);
    const cell = stampOf(look, column.condition).cloneNode(true);
    cell.setAttribute('aria-colindex', fixed() + place + 1);
    const example = grid.exampleAt(row, column);
    if (example !== undefined) cell.replaceChildren(mark('a', { href: `#x-${example}`, tabindex: '-1' }, look.text));
    if (view.pair.includes(column) && view.flips[row]?.flips) cell.classList.add('flip');
    return cell;
  };
  const rowOf = (at) => {
    const row = view.rows[at];
    const { name, words, tag } = grid.tasks[row];
    const head = mark('th', { scope: 'row', title: words, 'aria-colindex': 1 }, name);
    if (tag !== '') head.append(mark('span', { class: 'tag ceiling' }, tag));
    const mean = view.means[row];
    const node = mark('tr', { 'aria-rowindex': at + 2 }, head);
    if (sizes.words > 0) node.append(mark('td', { class: 'words', 'aria-colindex': 2 }, words));
    node.append(mark('td', { class: 'n', 'aria-colindex': fixed() }, mean === null ? '–' : mean.toFixed(1)));
    node.append(gapCell());
    for (let place = seen.first; place < seen.last; place++) node.append(cellOf(row, place));
    node.append(gapCell());
    return node;
  };

  const headAt = (at) => {
    const { name, simulated, place } = view.columns[at];
    const look = view.pair.some((column) => column.place === place) ? 'up flip' : 'up';
    return headCell(simulated ? `${name} *` : name, { key: String(place), name: look, at: fixed() + at + 1 }, sort);
  };
  const headRow = () => {
    const node = mark('tr', { 'aria-rowindex': 1 }, headCell('Task', { key: 'task', name: '', at: 1 }, sort));
    if (sizes.words > 0)
      node.append(mark('th', { class: 'words', scope: 'col', 'aria-colindex': 2 }, 'What it asks for'));
    node.append(headCell('Mean', { key: 'mean', name: 'n', at: fixed() }, sort), gapCell());
    for (let at = seen.first; at < seen.last; at++) node.append(headAt(at));
    node.append(gapCell());
    return node;
  };
  const width = (pixels) => mark('col', { style: `width:${pixels}px` });
  const widths = () =>
    mark(
      'colgroup',
      {},
      ...[sizes.task, ...(sizes.words > 0 ? [sizes.words] : []), sizes.mean, 0].map(width),
      ...Array.from({ length: seen.last - seen.first }, () => width(sizes.column)),
      width(0),
    );
  const stretch = () => {
    const columns = table.firstChild.children;
    columns[fixed()].style.width = `${seen.first * sizes.column}px`;
    columns[columns.length - 1].style.width = `${(view.columns.length - seen.last) * sizes.column}px`;
  };
  /** Everything but the rows: they follow. */
  const frame = () => {
    const columns = widths();
    drawn.clear();
    const all = columns.children.length;
    [above, below, body] = [gapRow(all), gapRow(all), mark('tbody', {})];
    body.append(above, below);
    table.replaceChildren(columns, mark('thead', {}, headRow()), body);
    stretch();
    table.style.width = `${sizes.before + view.columns.length * sizes.column}px`;
    table.style.setProperty('--head', `${sizes.head}px`);
    table.setAttribute('aria-rowcount', view.rows.length + 1);
    table.setAttribute('aria-colcount', fixed() + view.columns.length);
  };
  /** Takes away the columns that can no longer be seen and adds the new ones; all others stay. */
  const slide = (next) => {
    const now = seen;
    seen = next;
    slideCells(table.firstChild, fixed(), { now, next, make: () => width(sizes.column) });
    slideCells(table.tHead.rows[0], fixed(), { now, next, make: headAt });
    for (const [at, node] of drawn)
      slideCells(node, fixed(), { now, next, make: (place) => cellOf(view.rows[at], place) });
    const all = table.firstChild.children.length;
    for (const gap of [above, below]) gap.firstChild.setAttribute('colspan', all);
    stretch();
  };
  const fill = ({ first, last }) => {
    for (const [at, node] of drawn)
      if (at < first || at >= last) {
        node.remove();
        drawn.delete(at);
      }
    let next = below;
    for (let at = last - 1; at >= first; at--) {
      if (!drawn.has(at)) {
        drawn.set(at, rowOf(at));
        next.before(drawn.get(at));
      }
      next = drawn.get(at);
    }
    above.firstChild.style.height = `${first * rowHeight}px`;
    below.firstChild.style.height = `${(printing ? 0 : view.rows.length - last) * rowHeight}px`;
    above.hidden = first === 0;
    below.hidden = last === view.rows.length || printing;
  };
  const scroll = () => {
    // Both are measured before anything changes: a table without rows would end the scrolling.
    const [rows, columns] = [rowsSeen(), columnsSeen()];
    if (seen === null || columns.first >= seen.last || columns.last <= seen.first) {
      seen = columns;
      frame();
    } else if (columns.first !== seen.first || columns.last !== seen.last) slide(columns);
    fill(rows);
  };
  const redraw = () => {
    if (view === null) return;
    sizes = gridSizes(grid, view, table, room());
    seen = null;
    // The first table gives the box its size.
    scroll();
    scroll();
  };

  return {
    scroll,
    redraw,
    show(next, order) {
      [view, sort] = [next, order];
      redraw();
    },
    print(on) {
      printing = on;
      redraw();
    },
    /** The cell at a place: row -1 is the head. Undefined, if it is not drawn. */
    nodeAt: (row, column) =>
      (row < 0 ? table.tHead.rows[0] : drawn.get(row))?.querySelector(`[aria-colindex="${column + 1}"]`) ?? undefined,
    fixed,
    /** Scrolls as far as needed to see a cell. */
    reveal(row, column) {
      const top = row * rowHeight;
      const height = box.clientHeight - sizes.head - rowHeight;
      if (row >= 0) box.scrollTop = Math.min(top, Math.max(box.scrollTop, top - height));
      const left = (column - fixed()) * sizes.column + sizes.before;
      const width = box.clientWidth - sizes.column;
      if (column >= fixed()) box.scrollLeft = Math.min(left - sizes.task, Math.max(box.scrollLeft, left - width));
      else box.scrollLeft = 0;
      scroll();
    },
  };
}
