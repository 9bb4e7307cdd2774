/** Rows as aligned text, in time that grows with their number: what `query` prints may be long. */

/** Cells that are wider stand out of their column, so that one long text does not widen all rows. */
const widestColumn = 60;
const gap = '  ';

/** The head, a rule, then each row on as many lines as its tallest cell has. */
export function* tableLines(head: readonly string[], rows: readonly (readonly string[])[]): Generator<string> {
  const cells = rows.map((row) => row.map((cell) => cell.split('\n')));
  const widths = head.map((name, column) => widthOf([[name], ...cells.map((row) => row[column] ?? [])]));
  yield* linesOf(
    head.map((name) => [name]),
    widths,
  );
  yield widths.map((width) => '─'.repeat(width)).join(gap);
  for (const row of cells) yield* linesOf(row, widths);
}

function* linesOf(row: readonly (readonly string[])[], widths: readonly number[]): Generator<string> {
  const height = Math.max(1, ...row.map((lines) => lines.length));
  for (let line = 0; line < height; line += 1)
    yield widths
      .map((width, column) => padded(row[column]?.[line] ?? '', width))
      .join(gap)
      .trimEnd();
}

const widthOf = (cells: readonly (readonly string[])[]): number => {
  let widest = 1;
  for (const lines of cells) for (const line of lines) widest = Math.max(widest, lengthOf(line));
  return Math.min(widestColumn, widest);
};

/** Characters, not code units. */
const lengthOf = (text: string): number => (/[\uD800-\uDFFF]/.test(text) ? [...text].length : text.length);
const padded = (text: string, width: number): string => text + ' '.repeat(Math.max(0, width - lengthOf(text)));
