/**
 * LOC of a program: its lines that are not blank, including comments and docstrings. Lines end at \n, \r\n or \r, as
 * Python reads a file; a form feed is white space and does not end a line.
 */
export function linesOfCode(source: string): number {
  return source.split(/\r\n|\n|\r/).filter((line) => /[^ \t\f\v]/.test(line)).length;
}
