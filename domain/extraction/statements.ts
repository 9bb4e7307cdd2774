/**
 * Splits any text into top-level Python statements by lines, brackets and strings, in linear time: enough to keep,
 * remove or join them.
 */

/** What is still open at the end of a line. */
export interface ScanState {
  readonly quote: '"""' | "'''" | null;
  readonly brackets: number;
  /** The line ended with a backslash. */
  readonly continued: boolean;
}

export const neutral: ScanState = { quote: null, brackets: 0, continued: false };
export const isNeutral = (state: ScanState): boolean =>
  state.quote === null && state.brackets === 0 && !state.continued;

/** All characters that can change the state; the text between them is skipped. */
const significant = /[#"'()[\]{}]/g;

/** The state after one more line. */
export function scanLine(before: ScanState, line: string): ScanState {
  let { quote, brackets } = before;
  let index = 0;
  while (index < line.length) {
    if (quote !== null) {
      const end = closingQuote(line, index, quote);
      if (end === -1) return { quote, brackets, continued: false };
      index = end;
      quote = null;
      continue;
    }
    significant.lastIndex = index;
    if (!significant.test(line)) break;
    index = significant.lastIndex - 1;
    const char = line[index] as string;
    if (char === '#') return { quote, brackets, continued: false };
    if (char === '"' || char === "'") {
      const triple = line.startsWith(char.repeat(3), index);
      if (triple) quote = char === '"' ? '"""' : "'''";
      index = triple ? index + 3 : stringEnd(line, index + 1, char);
      continue;
    }
    if ('([{'.includes(char)) brackets += 1;
    if (')]}'.includes(char)) brackets = Math.max(0, brackets - 1);
    index += 1;
  }
  return { quote, brackets, continued: quote === null && line.endsWith('\\') };
}

/** Index after the closing triple quote at or after `from`; -1 if it is not on this line. */
function closingQuote(line: string, from: number, quote: string): number {
  const next = line.indexOf(quote, from);
  if (next === -1 || !line.slice(from, next).includes('\\')) return next === -1 ? -1 : next + 3;
  for (let index = from; index < line.length; index += 1) {
    if (line[index] === '\\') index += 1;
    else if (line.startsWith(quote, index)) return index + 3;
  }
  return -1;
}

/** Index after a one-line string; an unclosed one ends with its line. */
function stringEnd(line: string, from: number, quote: string): number {
  for (let index = from; index < line.length; index += 1) {
    if (line[index] === '\\') index += 1;
    else if (line[index] === quote) return index + 1;
  }
  return line.length;
}

export interface Statement {
  /** All its lines, including comments directly before it. */
  readonly text: string;
  /** Its first line that is neither a comment nor a decorator. */
  readonly head: string;
}

const isClause = (line: string): boolean => /^(?:else|elif|except|finally)\b/.test(line);
export const isBlank = (line: string): boolean => line.trim() === '';
const isComment = (line: string): boolean => line.startsWith('#');
const isIndented = (line: string): boolean => line.startsWith(' ') || line.startsWith('\t');

/** The top-level statements in order; together they are the whole text, except blank lines at its ends. */
export function statementsOf(source: string): Statement[] {
  const lines = source.split('\n');
  const statements: Statement[] = [];
  let start = 0;
  let end = 0;
  let head = '';
  let state = neutral;
  const close = (): void => {
    if (head !== '') statements.push({ text: lines.slice(start, end).join('\n'), head });
    start = end;
    head = '';
  };
  for (const [index, line] of lines.entries()) {
    if (isNeutral(state) && (isBlank(line) || isComment(line))) continue;
    if (isNeutral(state) && head !== '' && !isIndented(line) && !isClause(line)) close();
    if (isNeutral(state) && head === '' && !line.startsWith('@')) head = line;
    state = scanLine(state, line);
    end = index + 1;
  }
  end = lines.length;
  close();
  return statements;
}

/** Names that a statement binds at top level: a function, a class, imports, or a plain variable. */
export function boundNames({ head, text }: Statement): string[] {
  const definition = /^(?:async\s+)?(?:def|class)\s+(\w+)/.exec(head);
  if (definition !== null) return [definition[1] as string];
  const variable = /^(\w+)\s*(?::[^=]*)?=(?!=)/.exec(head);
  if (variable !== null) return [variable[1] as string];
  if (/^(?:import|from)\s/.test(head)) return importedNames(text.slice(text.indexOf(head)));
  return [];
}

function importedNames(text: string): string[] {
  const list = text.startsWith('from')
    ? text.slice(text.indexOf('import') + 'import'.length)
    : text.slice('import'.length);
  return list
    .replace(/#.*/g, '')
    .replace(/[()\\]/g, ' ')
    .split(',')
    .map((part) => part.trim().split(/\s+as\s+/))
    .map(([name, alias]) => alias ?? (name as string).split('.')[0] ?? '')
    .filter((name) => /^\w+$/.test(name));
}

/** Whether the source binds `name` at top level. */
export function definesName(source: string, name: string): boolean {
  return source.includes(name) && statementsOf(source).some((statement) => boundNames(statement).includes(name));
}

/** White space before the first character of the first line that is not blank. */
function firstMargin(text: string): string {
  const ink = text.search(/\S/);
  return ink === -1 ? '' : text.slice(text.lastIndexOf('\n', ink) + 1, ink);
}

/** Lines without the white space that all of them begin with. */
export function dedent(text: string): string {
  let margin = firstMargin(text);
  if (margin === '') return text;
  const lines = text.split('\n');
  const inked = lines.filter((line) => !isBlank(line));
  for (const line of inked) while (!line.startsWith(margin)) margin = margin.slice(0, -1);
  return margin === ''
    ? text
    : lines.map((line) => (line.startsWith(margin) ? line.slice(margin.length) : line.trimStart())).join('\n');
}
