/** The tables that a run ends with: names to the left, numbers to the right, a line per row. */
import Table from 'cli-table3';

/** @param textColumns columns at the left that hold text */
export function boardTable(head: readonly string[], rows: readonly (readonly string[])[], textColumns = 1): string {
  const colAligns = head.map((_, index) => (index < textColumns ? ('left' as const) : ('right' as const)));
  const table = new Table({ head: [...head], style: { head: [], border: [] }, colAligns, chars: headRuleOnly });
  for (const row of rows) table.push([...row]);
  const [names = '', ...lines] = table.toString().split('\n');
  return [names, names.replaceAll(/[^│]/g, '─').replaceAll('│', '┼'), ...lines].join('\n');
}

const headRuleOnly = {
  ...{ top: '', 'top-mid': '', 'top-left': '', 'top-right': '', bottom: '', 'bottom-mid': '', 'bottom-left': '', 'bottom-right': '' },
  ...{ left: '', right: '', mid: '', 'left-mid': '', 'mid-mid': '', 'right-mid': '' },
};
