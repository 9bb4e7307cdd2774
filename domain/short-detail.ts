/** A long message of an endpoint as it is shown: its begin, and its end with the remedy and the place in the spec. */

const longest = 700;
const kept = 300;

/** Each line of at most `longest` characters or so; the rest of longer ones is left out in the middle, and counted. */
export const shortDetail = (text: string): string => text.split('\n').map(shortLine).join('\n');

function shortLine(line: string): string {
  if (line.length <= longest) return line;
  const [begin, end] = [line.slice(0, kept).trimEnd(), line.slice(-kept).trimStart()];
  return `${begin} … (${line.length - begin.length - end.length} characters left out; status --json has them) … ${end}`;
}
