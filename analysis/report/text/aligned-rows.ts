/** Rows as aligned text, in linear time: `query` may print many rows. */

/** Wider cells overflow their column, so that one long text does not widen all rows. */
const widestColumn = 60;
const gap = '  ';

/** Widths of the columns, from the head and these rows. */
export function columnWidths(head: readonly string[], rows: readonly (readonly string[])[]): number[] {
  const cells = rows.map(linesIn);
  return head.map((name, column) => widthOf([[name], ...cells.map((row) => row[column] ?? [])]));
}

/** The head and a rule. */
export const headLines = (head: readonly string[], widths: readonly number[]): string[] => [
  ...linesOf(
    head.map((name) => [name]),
    widths,
  ),
  widths.map((width) => '─'.repeat(width)).join(gap),
];

/** A row, on as many lines as its tallest cell has. */
export const rowLines = (row: readonly string[], widths: readonly number[]): string[] => [
  ...linesOf(linesIn(row), widths),
];

const linesIn = (row: readonly string[]): string[][] => row.map((cell) => cell.split('\n'));

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
