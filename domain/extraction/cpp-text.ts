/**
 * Finds signatures, bodies and comments in C++ text. Not a parser: it counts braces outside strings and comments.
 */

/** Replaces strings, characters and comments by blanks of the same length, so that offsets stay valid. */
const blankedCpp = (text: string): string =>
  text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/[^\n]*|"(?:[^"\\\n]|\\.)*"|(?<![\w])'(?:[^'\\\n]|\\.)+'/g, (found) =>
    found.replaceAll(/[^\n]/g, ' '),
  );

/** Name of the function whose signature, with opening brace, ends the prompt; null if there is none. */
export function signatureName(prompt: string): string | null {
  const line = prompt.trimEnd().split('\n').at(-1) ?? '';
  return line.endsWith('{') ? (/^[^=;]*?\b([A-Za-z_]\w*)\s*\(/.exec(line)?.[1] ?? null) : null;
}

/** Offsets of a function's definition. */
export interface CppFunction {
  /** Start of the line on which its signature begins. */
  readonly start: number;
  /** Its opening brace. */
  readonly open: number;
  /** After its closing brace, or the end of the text if that is missing. */
  readonly end: number;
}

/** The last definition of that name, or null. Declarations do not count. */
export function findFunction(text: string, name: string): CppFunction | null {
  const blanked = blankedCpp(text);
  const calls = [...blanked.matchAll(new RegExp(String.raw`\b${name}\s*\(`, 'g'))];
  for (const call of calls.toReversed()) {
    const closed = matching(blanked, call.index + call[0].length - 1, '(', ')');
    const opened = /^\s*(?:const\b|noexcept\b)?\s*(?:->[^{;]*)?\{/.exec(blanked.slice(closed));
    const start = blanked.lastIndexOf('\n', call.index) + 1;
    // A type comes before the name, at any indentation: `if (f(x)) {` is not a definition.
    const isDefinition =
      opened !== null &&
      /^[ \t]*(?!(?:return|if|for|while|else)\b)[A-Za-z_][\w:<>,&*\s]*[\s&*>]$/.test(blanked.slice(start, call.index));
    if (!isDefinition) continue;
    const open = closed + opened[0].length - 1;
    return { start, open, end: matching(blanked, open, '{', '}') };
  }
  return null;
}

/** The text between the function's braces; null if the name is not defined. */
export function bodyOfFunction(text: string, name: string): string | null {
  const found = findFunction(text, name);
  if (found === null) return null;
  const isClosed = blankedCpp(text)[found.end - 1] === '}' && found.end - 1 > found.open;
  return text.slice(found.open + 1, isClosed ? found.end - 1 : found.end);
}

/** Offset after the bracket that closes the one at `from`, or the end of the text. */
function matching(text: string, from: number, open: string, close: string): number {
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === open) depth += 1;
    if (text[at] === close && --depth === 0) return at + 1;
  }
  return text.length;
}

/**
 * The comment directly before the signature that ends a prompt, as offsets of the text between its
 * marks; null if there is none.
 */
export function commentBeforeSignature(prompt: string): { readonly start: number; readonly end: number } | null {
  const close = prompt.lastIndexOf('*/');
  if (close === -1 || signatureName(prompt) === null) return null;
  const between = prompt.slice(close + 2).trim();
  if (between.includes('\n') || !between.endsWith('{')) return null;
  const open = prompt.lastIndexOf('/*', close);
  return open === -1 ? null : { start: open + 2, end: close };
}

/** Whether the code has an `omp` pragma outside comments. */
export const hasOmpPragma = (code: string): boolean =>
  /^\s*#\s*pragma\s+omp\b/m.test(blankedCpp(code)) || /\b_Pragma\s*\(\s*"\s*omp\b/.test(code);
