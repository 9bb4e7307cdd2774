/** A screen redrawn in place. Writes only lines that changed, so that it neither scrolls nor flickers. */
export interface LiveScreen {
  readonly size: () => { readonly columns: number; readonly rows: number };
  show(lines: readonly string[]): void;
  /** Restores the terminal's text and cursor, if anything was shown. */
  close(): void;
}

export type ScreenOutput = Pick<NodeJS.WriteStream, 'write' | 'columns' | 'rows'>;

const alternateScreen = { enter: '\x1b[?1049h\x1b[?25l', leave: '\x1b[?25h\x1b[?1049l' };
/** Synchronized update: terminals show what is between these at once, or ignore them. */
const synchronized = { begin: '\x1b[?2026h', end: '\x1b[?2026l' };
const clear = '\x1b[2J';

export function openScreen(output: ScreenOutput): LiveScreen {
  const size = () => ({ columns: output.columns || 80, rows: output.rows || 24 });
  let shown: readonly string[] = [];
  let drawnFor = '';
  let isOpen = false;
  return {
    size,
    show: (lines) => {
      const { columns, rows } = size();
      if (!isOpen) output.write(alternateScreen.enter);
      isOpen = true;
      const resized = drawnFor !== `${columns}x${rows}`;
      const before = resized ? [] : shown;
      const changes = resized ? [clear] : [];
      for (let row = 0; row < Math.max(lines.length, before.length); row++) {
        if (lines[row] !== before[row]) changes.push(`\x1b[${row + 1};1H${lines[row] ?? ''}\x1b[K`);
      }
      if (changes.length > 0) output.write(`${synchronized.begin}${changes.join('')}${synchronized.end}`);
      shown = lines;
      drawnFor = `${columns}x${rows}`;
    },
    close: () => {
      if (isOpen) output.write(alternateScreen.leave);
      isOpen = false;
    },
  };
}
