/**
 * JSON as Python reads it: `5.0` stays a float, integers keep all their digits, Infinity and NaN are numbers,
 * and objects keep the order of their keys (JavaScript moves keys that look like array indices to the front,
 * and dict order reaches tests).
 */

/**
 * A number that a JavaScript number does not hold unchanged, or that was written as a float. `source` is Python's text
 * of it.
 */
export class ExactNumber {
  readonly source: string;
  constructor(source: string) {
    this.source = source;
  }
}

/**
 * Python writes these three constants, JSON lacks them; the replacements parse as numbers and no encoder writes them.
 */
const constants: Readonly<Record<string, string>> = { Infinity: '1e99999', '-Infinity': '-1e99999', NaN: '-0e99999' };
const sources: Readonly<Record<string, string>> = { '1e99999': 'inf', '-1e99999': '-inf', '-0e99999': 'nan' };
/** Stands before a key of digits, so that the key keeps its place. */
const keyMark = '\u0000';

/** The key as the file has it. */
export const plainKey = (key: string): string => (key.startsWith(keyMark) ? key.slice(keyMark.length) : key);

function withMarks(text: string): string {
  return text.replace(/"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?|-?Infinity|NaN/g, (token, colon: string | undefined) => {
    if (colon !== undefined) return /^"\d+"/.test(token) ? `"\\u0000${token.slice(1)}` : token;
    return constants[token] ?? token;
  });
}

function exactNumber(value: unknown, source: string | undefined): unknown {
  if (typeof value !== 'number' || source === undefined) return value;
  if (Number.isSafeInteger(value) && /^-?\d+$/.test(source) && source !== '-0') return value;
  return new ExactNumber(sources[source] ?? source);
}

/**
 * Like `JSON.parse`, but numbers that are not plain integers up to 2^53 become `ExactNumber`, and keys of digits carry
 * a mark that `plainKey` takes off. Throws `SyntaxError`.
 */
export function parseExactJson(text: string): unknown {
  const revive = (_key: string, value: unknown, context?: { source?: string }): unknown =>
    exactNumber(value, context?.source);
  return JSON.parse(/"\d+"\s*:|Infinity|NaN/.test(text) ? withMarks(text) : text, revive);
}
