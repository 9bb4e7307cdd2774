/** What worker processes say that is no warning: once, for however many steps and processes. */
export const notePrefix = 'note: ';

/** Lets a note through the first time it comes, and every other line each time. */
export function notesOnce(onLine: (line: string) => void): (line: string) => void {
  const notes = new Set<string>();
  return (line) => {
    if (notes.has(line)) return;
    if (line.startsWith(notePrefix)) notes.add(line);
    onLine(line);
  };
}
