/** The whole grid is one Tab stop; arrow keys move the active cell, which the table names for screen readers. */
import { rowHeight } from './sizes.js';
export function gridKeys(table, box, drawing, { extent, tell, open }) {
  let active = null;
  let shown;
  const name = `active-${Math.random().toString(36).slice(2)}`;
  const unmark = () => {
    shown?.classList.remove('active');
    shown?.removeAttribute('id');
    shown = undefined;
    table.removeAttribute('aria-activedescendant');
  };
  /** Also after a drawing, which makes cells new. */
  const markActive = () => {
    unmark();
    if (active === null || document.activeElement !== table) return;
    shown = drawing.nodeAt(active.row, active.column);
    if (shown === undefined) return;
    shown.classList.add('active');
    shown.id = name;
    table.setAttribute('aria-activedescendant', name);
  };
  const go = (row, column) => {
    const { rows, columns } = extent();
    active = { row: Math.max(-1, Math.min(rows - 1, row)), column: Math.max(0, Math.min(columns - 1, column)) };
    drawing.reveal(active.row, active.column);
    markActive();
    tell(active.row, active.column);
  };
  const page = () => Math.max(1, Math.floor(box.clientHeight / rowHeight) - 4);
  const moves = {
    ArrowRight: ({ row, column }) => [row, column + 1],
    ArrowLeft: ({ row, column }) => [row, column - 1],
    ArrowDown: ({ row, column }) => [row + 1, column],
    ArrowUp: ({ row, column }) => [row - 1, column],
    PageDown: ({ row, column }) => [row + page(), column],
    PageUp: ({ row, column }) => [Math.max(0, row - page()), column],
    Home: ({ row, column }, far) => (far ? [0, column] : [row, 0]),
    End: ({ row, column }, far) => (far ? [Infinity, column] : [row, Infinity]),
  };
  table.addEventListener('keydown', (event) => {
    if (event.target !== table || active === null || event.altKey) return;
    if (moves[event.key]) go(...moves[event.key](active, event.ctrlKey || event.metaKey));
    else if (event.key === 'Enter' || event.key === ' ') open(active.row, active.column);
    else return;
    event.preventDefault();
  });
  table.addEventListener('focus', () => {
    active ??= { row: 0, column: drawing.fixed() };
    go(active.row, active.column);
  });
  table.addEventListener('blur', unmark);
  return {
    markActive,
    /** What is left of the rows and columns may no longer hold the active cell. */
    keep() {
      if (active === null) return;
      const { rows, columns } = extent();
      active = { row: Math.min(rows - 1, active.row), column: Math.min(columns - 1, active.column) };
      markActive();
    },
  };
}
