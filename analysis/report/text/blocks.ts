/** A terminal table whose rows have several lines each, with a rule between rows. */
import Table from 'cli-table3';

/** @param words columns at the left that hold text */
export function blockTable(head: readonly string[], blocks: readonly (readonly string[])[], words: number): string {
  const table = new Table({
    head: [...head],
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
    colAligns: head.map((_, column) => (column < words ? ('left' as const) : ('right' as const))),
    chars: rulesOnly,
  });
  for (const block of blocks) table.push([...block]);
  return table.toString();
}

/** Rules between rows, spaces between columns. */
const rulesOnly = {
  ...{ left: '', right: '', middle: '  ', 'left-mid': '', 'right-mid': '', 'mid-mid': '──' },
  ...{ top: '', 'top-left': '', 'top-right': '', 'top-mid': '' },
  ...{ bottom: '', 'bottom-left': '', 'bottom-right': '', 'bottom-mid': '' },
};
