/**
 * A Python program with a place for a docstring. A simulated model writes what it understood of the prompt there, and
 * its later summary of the code reads it: what is lost in one loop stays lost, and the text is the only memory.
 */
export interface DocumentedProgram {
  readonly before: string;
  readonly after: string;
}

/** Between a signature's closing parenthesis and its body: the rest of the line, and the body's indentation. */
const bodyStart = /\)\s*(?:->[^:\n]+)?:[ \t]*\n(?=([ \t]+)[^\s#])/y;

const docstring = /"""([\s\S]*?)"""/;
const definitionOf = (entryPoint: string): RegExp => new RegExp(`^def\\s+${entryPoint}\\s*(?=\\()`, 'm');

/**
 * Finds the place: the top of the entry point's body, or of the module if the body does not start on a line of its own.
 */
export function documented(source: string, entryPoint: string): DocumentedProgram {
  const body = findBody(source, entryPoint);
  if (body === null) return { before: '', after: `\n${source}` };
  return { before: source.slice(0, body.offset) + body.indentation, after: `\n${source.slice(body.offset)}` };
}

/** The program with this text, which must hold neither quotes nor backslashes, as its docstring. */
export const withDocstring = (program: DocumentedProgram, text: string): string =>
  `${program.before}"""${text}"""${program.after}`;

/** The first docstring from the entry point's definition on, else the program's first, else null. */
export function docstringOf(source: string, entryPoint: string): string | null {
  const start = source.search(definitionOf(entryPoint));
  return (docstring.exec(source.slice(Math.max(0, start))) ?? docstring.exec(source))?.[1] ?? null;
}

function findBody(source: string, entryPoint: string): { offset: number; indentation: string } | null {
  const definition = definitionOf(entryPoint).exec(source);
  if (definition === null) return null;
  const close = closingParenthesis(source, definition.index + definition[0].length);
  bodyStart.lastIndex = close;
  const match = bodyStart.exec(source);
  return match?.[1] === undefined ? null : { offset: close + match[0].length, indentation: match[1] };
}

/** Offset of the parenthesis that closes the one at `open`, or the text's end. */
function closingParenthesis(source: string, open: number): number {
  let depth = 0;
  for (let offset = open; offset < source.length; offset++) {
    if (source[offset] === '(') depth++;
    if (source[offset] === ')' && --depth === 0) return offset;
  }
  return source.length;
}
