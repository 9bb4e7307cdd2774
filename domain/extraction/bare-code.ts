/** Finds code in a reply that has no fences. */
import { isBlank, isNeutral, neutral, scanLine } from './statements.ts';

/** First lines of top-level statements that prose hardly ever resembles. All take time linear in the line. */
const statementStarts: readonly RegExp[] = [
  /^(?:async\s+)?def\s+\w+\s*[[(]/,
  /^class\s+\w+\s*[[(:]/,
  /^@\w[\w.]*(?:\(.*\))?\s*$/,
  /^import\s+[A-Za-z_][\w.]*(?:\s+as\s+\w+)?(?:\s*,\s*[A-Za-z_][\w.]*(?:\s+as\s+\w+)?)*\s*(?:#.*)?$/,
  /^from\s+[\w.]+\s+import\s+(?:\(|\*|\w+\s*(?:,|$|as\s|#))/,
  /^[A-Za-z_][\w.]*(?:\s*\[[^\]]*\])?\s*(?:[-+*/%&|^]|\/\/|\*\*|<<|>>)?=(?![=>])\s*\S/,
  /^[a-z_]\w*\s*:\s*[A-Za-z_][\w.]*(?:\[[^=]*\])?\s*=(?!=)\s*\S/,
  /^(?:try\s*:|"""|''')/,
];
const bodyStarts: readonly RegExp[] = [/^(?:return|raise|yield|pass|assert|global|nonlocal)\b/, /^#/];

function startsStatement(line: string): boolean {
  if (statementStarts.some((pattern) => pattern.test(line))) return true;
  if (/^[a-z_]\w*\.[\w.]+\(/.test(line)) return line.trimEnd().endsWith(')');
  if (!/^(?:if|while|for|with)\s/.test(line) || !opensBlock(line)) return false;
  return line.startsWith('for') ? /\sin\s/.test(line) : !line.startsWith('with') || line.includes('(');
}

const startsBody = (line: string): boolean => startsStatement(line) || bodyStarts.some((pattern) => pattern.test(line));
const opensBlock = (line: string): boolean => line.trimEnd().endsWith(':') || /:\s*#/.test(line);
const indentOf = (line: string): string => line.slice(0, line.length - line.trimStart().length);

/**
 * The code in a reply without fences; `prose` says whether there was other text.
 * Null if nothing looks like a definition.
 */
export function bareCode(text: string): { readonly text: string; readonly prose: boolean } | null {
  const lines = unwrapped(text).split('\n');
  const kept: string[] = [];
  let prose = false;
  for (let index = 0; index < lines.length; ) {
    const line = lines[index] as string;
    if (startsStatement(line)) {
      const end = statementEnd(lines, index);
      for (; index < end; index += 1) kept.push(lines[index] as string);
    } else {
      if (isBlank(line) || line.startsWith('#')) kept.push(line);
      else prose = true;
      index += 1;
    }
  }
  const code = kept.join('\n');
  return /^(?:(?:async\s+)?def|class)\s|^\w+\s*=\s*lambda\b/m.test(code) ? { text: code, prose } : null;
}

/** Index of the line after the statement at `from`: the next unindented line while no bracket or string is open. */
function statementEnd(lines: readonly string[], from: number): number {
  let state = scanLine(neutral, lines[from] as string);
  let end = from + 1;
  for (let index = end; index < lines.length; index += 1) {
    const line = lines[index] as string;
    if (isNeutral(state) && isBlank(line)) continue;
    const belongs = !isNeutral(state) || indentOf(line) !== '' || /^(?:else|elif|except|finally)\b.*:/.test(line);
    if (!belongs) break;
    state = scanLine(state, line);
    end = index + 1;
  }
  return end;
}

/** Removes what hides line starts of code: inline backticks, a common indentation, escaped line ends. */
function unwrapped(text: string): string {
  const unescaped =
    !text.includes('\n') && text.includes('\\n')
      ? text.replace(/\\n/g, '\n').replace(/\\t/g, '\t').replace(/\\"/g, '"')
      : text;
  const lines = unescaped.split('\n').map((line) => (/^`[^`]+`$/.test(line) ? line.slice(1, -1) : line));
  const indented = lines.find((line) => /^[ \t]+(?:async\s+)?def\s+\w+\s*\(/.test(line));
  if (indented === undefined || lines.some((line) => /^(?:(?:async\s+)?def|class)\s/.test(line)))
    return lines.join('\n');
  const margin = indentOf(indented);
  return lines.map((line) => (line.startsWith(margin) ? line.slice(margin.length) : line)).join('\n');
}

/**
 * A function's body without its signature, indented by four spaces; null if the text does not begin like a body.
 * Unindented text after it is not part of it.
 */
export function bareBody(text: string): string | null {
  const lines = text
    .split('\n')
    .map((line) => line.replace(/^\t+/, (tabs) => '    '.repeat(tabs.length)))
    .filter((line, index) => index > 0 || !isBlank(line));
  const first = lines[0];
  if (first === undefined || !startsBody(first.trimStart())) return null;
  return indentOf(first) === '' ? unindentedBody(lines) : indentedBody(lines);
}

function indentedBody(lines: readonly string[]): string {
  const margin = indentOf(lines[0] as string);
  const body = leadingLines(lines, (line) => line.startsWith(margin));
  return body.map((line) => (isBlank(line) ? '' : `    ${line.slice(margin.length)}`)).join('\n');
}

/** Either nothing is indented at the outermost level, or only the first line lost its indentation. */
function unindentedBody(lines: readonly string[]): string {
  const [first, ...rest] = lines as [string, ...string[]];
  const lost = lostIndent(lines);
  if (lost !== null) return indentedBody([lost + first, ...rest]);
  const body = leadingLines(
    lines,
    (line) => indentOf(line) !== '' || startsBody(line) || /^(?:else|elif|except|finally)\b/.test(line),
  );
  return body.map((line) => (isBlank(line) ? '' : `    ${line}`)).join('\n');
}

/**
 * The indentation that the first line of a body lost: that of the lines after it outside its own
 * block; null if it lost none.
 */
function lostIndent(lines: readonly string[]): string | null {
  const [first = '', ...behind] = statementLines(lines);
  const indents = behind.map(indentOf);
  const [next = ''] = indents;
  const margin = indents
    .filter((indent) => indent !== '')
    .reduce((least, indent) => (indent.length < least.length ? indent : least), next);
  const hasBlock = opensBlock(first) && scanLine(neutral, first).quote === null;
  const isLost = hasBlock ? next.length > margin.length && !indents.includes('') : next !== '';
  return isLost ? margin : null;
}

/** First lines of statements, at any depth. */
function statementLines(lines: readonly string[]): string[] {
  let state = neutral;
  return lines.filter((line, index) => {
    const starts = isNeutral(state) && !isBlank(line) && (index === 0 || !line.trimStart().startsWith('#'));
    state = scanLine(state, line);
    return starts;
  });
}

/**
 * The text after a body of which only the first line lost its indentation, as when a model continues a signature; null
 * if the text does not begin with such a body.
 */
export function behindContinuation(text: string): string | null {
  const lines = text.split('\n').filter((line, index) => index > 0 || !isBlank(line));
  const [first = '', ...rest] = lines;
  if (indentOf(first) !== '' || !startsBody(first) || lostIndent(lines) === null) return null;
  return rest.slice(leadingLines(rest, (line) => indentOf(line) !== '', scanLine(neutral, first)).length).join('\n');
}

/** Lines up to the first one outside brackets and strings that does not belong. */
function leadingLines(
  lines: readonly string[],
  belongs: (line: string) => boolean,
  before = neutral,
): readonly string[] {
  let state = before;
  for (const [index, line] of lines.entries()) {
    if (isNeutral(state) && !isBlank(line) && !belongs(line)) return lines.slice(0, index);
    state = scanLine(state, line);
  }
  return lines;
}
