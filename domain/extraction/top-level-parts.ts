/** A program's statements at its left margin, each with the lines that belong to it, told by indentation alone: nothing of the text is lost. */

/** Lines at the margin that go on with what stands before them. */
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
