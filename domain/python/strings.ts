/** Python's string and bytes literals. */
import { PythonSyntaxError } from './syntax-error.ts';

export interface StringLiteral {
  readonly isBytes: boolean;
  /** For bytes: one character per byte. */
  readonly text: string;
}

const escapes: Readonly<Record<string, string>> = {
  ...{ n: '\n', t: '\t', r: '\r', a: '\u0007', b: '\b', f: '\f', v: '\v' },
  ...{ '\\': '\\', "'": "'", '"': '"', '\n': '' },
};
const escapeSequence = /\\(?:([0-7]{1,3})|x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|([\s\S]))/gu;

/** The literal whose opening quote ends at `from`, and its end. Throws `PythonSyntaxError`, also for f-strings. */
export function stringLiteral(
  text: string,
  from: number,
  prefix: string,
  quote: string,
): { literal: StringLiteral; end: number } {
  if (!['', 'r', 'u', 'b', 'rb', 'br'].includes(prefix))
    throw new PythonSyntaxError(`strings with the prefix ${prefix} are not supported`);
  const end = closingQuote(text, from, quote);
  const body = text.slice(from, end).replaceAll('\r\n', '\n');
  if (quote.length === 1 && /(?<!\\)\n/.test(body))
    throw new PythonSyntaxError('a string that is not closed on its line');
  const isBytes = prefix.includes('b');
  return {
    literal: { isBytes, text: prefix.includes('r') ? body : unescaped(body, isBytes) },
    end: end + quote.length,
  };
}

function closingQuote(text: string, from: number, quote: string): number {
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text.startsWith(quote, at)) return at;
  }
  throw new PythonSyntaxError('a string that is not closed');
}

/** Unknown escapes keep their backslash; code points are not escapes in bytes. */
function unescaped(body: string, isBytes: boolean): string {
  if (!body.includes('\\')) return body;
  return body.replace(
    escapeSequence,
    (whole, octal?: string, byte?: string, short?: string, long?: string, char?: string) => {
      if (octal !== undefined) return String.fromCodePoint(Number.parseInt(octal, 8));
      if (byte !== undefined) return String.fromCodePoint(Number.parseInt(byte, 16));
      const point = short ?? long;
      if (point !== undefined) return isBytes ? whole : String.fromCodePoint(Number.parseInt(point, 16));
      if (char === 'N' && !isBytes) throw new PythonSyntaxError('characters by name are not supported');
      return escapes[char as string] ?? whole;
    },
  );
}
