/** Parses a JSON document from a person's file, or refuses it with line and column of its first error. */
import { InputError } from './errors.ts';

/** Skips a byte order mark. Throws `InputError` if the text is not valid JSON. */
export function parseJsonDocument(text: string, file: string): unknown {
  const document = text.replace(/^\uFEFF/, '');
  try {
    return JSON.parse(document);
  } catch {
    const offset = firstFault(document);
    const before = document.slice(0, offset).split('\n');
    const found =
      offset < document.length
        ? `got ${JSON.stringify(document.slice(offset, offset + 20))}`
        : 'the text ends too early';
    throw new InputError(`not valid JSON: ${found}`, {
      file,
      line: before.length,
      column: (before.at(-1) ?? '').length + 1,
    });
  }
}

const blank = /[\t\n\r ]*/y;
const text = /"(?:[^"\\\p{Cc}]|[\u007f-\u009f]|\\["\\/bfnrt]|\\u[\dA-Fa-f]{4})*"/uy;
const scalar = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])|(?:true|false|null)(?!\w)/y;

/**
 * Offset of the first character that is not valid JSON there; the text's length if it ends too early. JSON.parse does
 * not always report it.
 */
function firstFault(source: string): number {
  const open: ('{' | '[')[] = [];
  let at = skip(source, blank, 0);
  let wanted: 'value' | 'first' | 'key' | 'more' = 'value';
  for (;;) {
    const character = source[at];
    const inside = open.at(-1);
    let next = at;
    if (wanted === 'more') {
      if (inside === undefined || (character !== ',' && character !== closing(inside))) return at;
      next = at + 1;
      if (character === ',') wanted = inside === '{' ? 'key' : 'value';
      else open.pop();
    } else if (wanted === 'first' && inside !== undefined && character === closing(inside)) {
      open.pop();
      wanted = 'more';
      next = at + 1;
    } else if (inside === '{' && wanted !== 'value') {
      next = skip(source, text, at);
      if (next === at) return at;
      next = skip(source, blank, next);
      if (source[next] !== ':') return next;
      wanted = 'value';
      next += 1;
    } else if (character === '{' || character === '[') {
      open.push(character);
      wanted = 'first';
      next = at + 1;
    } else {
      next = Math.max(skip(source, text, at), skip(source, scalar, at));
      if (next === at) return at;
      wanted = 'more';
    }
    at = skip(source, blank, next);
  }
}

const closing = (bracket: '{' | '['): string => (bracket === '{' ? '}' : ']');

/** The end of the pattern's match at `from`; `from` if there is none. */
function skip(source: string, pattern: RegExp, from: number): number {
  pattern.lastIndex = from;
  return pattern.test(source) ? pattern.lastIndex : from;
}
