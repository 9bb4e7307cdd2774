/** Tables that do not fit on a screen together, each cut to its first lines. */

/** Lines of tables that a person reads at once; with what stands around them they make twenty. */
const screenLines = 17;
const fewestLines = 4;

export interface Screen {
  readonly lines: readonly string[];
  /** Lines that were left out. */
  readonly left: number;
}

/** Whole where they fit. Else each table has an equal share, its title, head and first rows; tables beyond the screen are left out. */
export function oneScreen(boards: readonly string[]): Screen {
  const tables = boards.map((board) => board.split('\n').filter((line) => line !== ''));
  const whole = tables.flat();
  if (whole.length <= screenLines)
    return {
      lines: boards
        .join('\n\n')
        .split('\n')
        .slice(0, screenLines + boards.length),
      left: 0,
    };
  const shown = tables.slice(0, Math.floor(screenLines / fewestLines));
  const lines = sharesOf(shown.map(({ length }) => length)).flatMap((share, index) => shown[index]?.slice(0, share) ?? []);
  return { lines, left: whole.length - lines.length };
}

/** What a short table leaves, longer ones get. */
function sharesOf(lengths: readonly number[]): number[] {
  const shares = lengths.map(() => 0);
  for (let left = screenLines; left > 0; ) {
    const open = shares.flatMap((share, index) => (share < (lengths[index] ?? 0) ? [index] : []));
    if (open.length === 0) break;
    for (const index of open.slice(0, left)) shares[index] = (shares[index] ?? 0) + 1;
    left -= Math.min(left, open.length);
  }
  return shares;
}
