/** Splits a program into its unindented statements, each with its indented lines; together they are the whole text. */

/** Unindented lines that continue the previous statement. */
const goesOn = /^(?:[})\]*{]|end\b|else\b|elsif\b|elseif\b|catch\b|finally\b|rescue\b|ensure\b|when\b|=cut\b)/;

export function topLevelParts(source: string): string[] {
  const parts: string[][] = [];
  for (const line of source.split('\n')) {
    const begins = /^\S/.test(line) && !goesOn.test(line);
    const last = parts.at(-1);
    if (last === undefined || begins) parts.push([line]);
    else last.push(line);
  }
  return parts.map((lines) => lines.join('\n'));
}
