/** Cuts tables to their first lines so that together they fit on a screen. */

/** Lines for tables; with the lines around them they make twenty. */
const screenLines = 17;
const fewestLines = 4;

export interface Screen {
  readonly lines: readonly string[];
  /** Number of lines not shown. */
  readonly left: number;
}

/**
 * All lines if they fit, with a blank line between tables if that fits too. Else each table gets an equal share of
 * lines: its title, head and first rows; tables for which no room is left are not shown.
 * @param room lines for all tables; default: of a small screen
 */
export function oneScreen(boards: readonly string[], room = screenLines): Screen {
  const tables = boards.map((board) => board.split('\n').filter((line) => line !== ''));
  const whole = tables.flat();
  const gaps = Math.max(0, tables.length - 1);
  if (whole.length + gaps <= room)
    return { lines: tables.flatMap((table, index) => (index === 0 ? table : ['', ...table])), left: 0 };
  if (whole.length <= room) return { lines: whole, left: 0 };
  const shown = tables.slice(0, Math.floor(room / fewestLines));
  const lines = sharesOf(
    shown.map(({ length }) => length),
    room,
  ).flatMap((share, index) => shown[index]?.slice(0, share) ?? []);
  return { lines, left: whole.length - lines.length };
}

/** Lines that a short table does not need go to longer ones. */
function sharesOf(lengths: readonly number[], room: number): number[] {
  const shares = lengths.map(() => 0);
  for (let left = room; left > 0; ) {
    const open = shares.flatMap((share, index) => (share < (lengths[index] ?? 0) ? [index] : []));
    if (open.length === 0) break;
    for (const index of open.slice(0, left)) shares[index] = (shares[index] ?? 0) + 1;
    left -= Math.min(left, open.length);
  }
  return shares;
}
