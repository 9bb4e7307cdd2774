/**
 * Prefix of a worker's log lines that are not warnings. Each such line is shown once per run, even if many steps and
 * processes log it.
 */
export const notePrefix = 'note: ';

/** Passes each note on the first time only, and every other line each time. */
export function notesOnce(onLine: (line: string) => void): (line: string) => void {
  const notes = new Set<string>();
  return (line) => {
    if (notes.has(line)) return;
    if (line.startsWith(notePrefix)) notes.add(line);
    onLine(line);
  };
}
