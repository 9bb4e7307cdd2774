/**
 * LOC of a program: its lines that hold anything but white space. Comments and docstrings count. Lines end at \n, \r\n or \r, as Python
 * reads a file; the form feed is white space and ends none.
 */
export function linesOfCode(source: string): number {
  return source.split(/\r\n|\n|\r/).filter((line) => /[^ \t\f\v]/.test(line)).length;
}
