/** Finds a position in the text of a spec, for messages that come long after it was read. */
import { LineCounter, parseDocument } from 'yaml';
import { position } from './faults.ts';

/** Line and column, from 1, of the node at `path`, or of the nearest existing node above it. */
export function specPlace(
  text: string,
  path: readonly PropertyKey[],
): { readonly line: number; readonly column: number } {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const { line, col } = lines.linePos(position(document, path, false));
  return { line, column: col };
}
