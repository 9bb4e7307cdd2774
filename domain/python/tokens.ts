/** The tokens of one Python expression. Line ends are ignored, as within brackets. */
import { type StringLiteral, stringLiteral } from './strings.ts';
import { PythonSyntaxError } from './syntax-error.ts';

export type Token =
  | { readonly kind: 'string'; readonly literal: StringLiteral }
  | { readonly kind: 'number' | 'name' | 'operator'; readonly text: string }
  | { readonly kind: 'end'; readonly text: '' };

const space = /(?:[ \t\r\n\f]|\\\r?\n|#[^\n]*)+/y;
const string = /([A-Za-z]{0,2})("""|'''|"|')/y;
const number =
  /(?:0[xX][\da-fA-F_]+|0[oO][0-7_]+|0[bB][01_]+|(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][-+]?\d[\d_]*)?[jJ]?)/y;
const name = /[\p{ID_Start}_][\p{ID_Continue}]*/uy;
const operator = /\*\*|\/\/|==|!=|<=|>=|<<|>>|:=|[-+*/%@<>&|^~()[\]{},:.=]/y;

/** Reads tokens one after the other. `next` throws `PythonSyntaxError` for text that is not a token. */
export function createTokens(text: string): { next(): Token } {
  let at = 0;
  const matched = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match !== null) at = pattern.lastIndex;
    return match;
  };
  const readString = (prefix: string, quote: string): Token => {
    const { literal, end } = stringLiteral(text, at, prefix.toLowerCase(), quote);
    at = end;
    return { kind: 'string', literal };
  };
  const next = (): Token => {
    matched(space);
    if (at === text.length) return { kind: 'end', text: '' };
    const opened = matched(string);
    if (opened !== null) return readString(opened[1] as string, opened[2] as string);
    for (const [kind, pattern] of [
      ['number', number] as const,
      ['name', name] as const,
      ['operator', operator] as const,
    ]) {
      const match = matched(pattern);
      if (match !== null) return { kind, text: match[0] };
    }
    throw new PythonSyntaxError(`not a Python token: ${text.slice(at, at + 20)}`);
  };
  return { next };
}
