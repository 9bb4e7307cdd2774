/** C++ text as far as prompts and answers need it: signatures, bodies, comments. No parser: braces are counted outside strings and comments. */

/** Strings, characters and comments as blanks of the same length, so that offsets stay. */
const blankedCpp = (text: string): string =>
  text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/[^\n]*|"(?:[^"\\\n]|\\.)*"|(?<![\w])'(?:[^'\\\n]|\\.)+'/g, (found) =>
    found.replaceAll(/[^\n]/g, ' '),
  );

/** The function whose signature ends the prompt, with its opening brace; null where none does. */
export function signatureName(prompt: string): string | null {
  const line = prompt.trimEnd().split('\n').at(-1) ?? '';
  return line.endsWith('{') ? (/^[^=;]*?\b([A-Za-z_]\w*)\s*\(/.exec(line)?.[1] ?? null) : null;
}

/** Where a function's definition stands. */
export interface CppFunction {
  /** Of the line on which its signature begins. */
  readonly start: number;
  /** Of its opening brace. */
  readonly open: number;
  /** Behind its closing brace; the text's end where that is missing. */
  readonly end: number;
}

/** The last definition of that name, or null. A declaration is none. */
export function findFunction(text: string, name: string): CppFunction | null {
  const blanked = blankedCpp(text);
  const calls = [...blanked.matchAll(new RegExp(String.raw`\b${name}\s*\(`, 'g'))];
  for (const call of calls.toReversed()) {
    const closed = matching(blanked, call.index + call[0].length - 1, '(', ')');
    const opened = /^\s*(?:const\b|noexcept\b)?\s*(?:->[^{;]*)?\{/.exec(blanked.slice(closed));
    const start = blanked.lastIndexOf('\n', call.index) + 1;
    // Behind a type, at any depth of indentation: `if (f(x)) {` is no definition.
    const isDefinition =
      opened !== null && /^[ \t]*(?!(?:return|if|for|while|else)\b)[A-Za-z_][\w:<>,&*\s]*[\s&*>]$/.test(blanked.slice(start, call.index));
    if (!isDefinition) continue;
    const open = closed + opened[0].length - 1;
    return { start, open, end: matching(blanked, open, '{', '}') };
  }
  return null;
}

/** Between the braces; null where the name is not defined. */
export function bodyOfFunction(text: string, name: string): string | null {
  const found = findFunction(text, name);
  if (found === null) return null;
  const isClosed = blankedCpp(text)[found.end - 1] === '}' && found.end - 1 > found.open;
  return text.slice(found.open + 1, isClosed ? found.end - 1 : found.end);
}

/** Behind the bracket that closes the one at `from`; the text's end where none does. */
function matching(text: string, from: number, open: string, close: string): number {
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === open) depth += 1;
    if (text[at] === close && --depth === 0) return at + 1;
  }
  return text.length;
}

/** The comment right before the signature that ends a prompt: offsets of the text between its marks; null where there is none. */
export function commentBeforeSignature(prompt: string): { readonly start: number; readonly end: number } | null {
  const close = prompt.lastIndexOf('*/');
  if (close === -1 || signatureName(prompt) === null) return null;
  const between = prompt.slice(close + 2).trim();
  if (between.includes('\n') || !between.endsWith('{')) return null;
  const open = prompt.lastIndexOf('/*', close);
  return open === -1 ? null : { start: open + 2, end: close };
}

/** Whether OpenMP is told anything: an `omp` pragma outside comments. */
export const hasOmpPragma = (code: string): boolean =>
  /^\s*#\s*pragma\s+omp\b/m.test(blankedCpp(code)) || /\b_Pragma\s*\(\s*"\s*omp\b/.test(code);
