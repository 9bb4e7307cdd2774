/** Whether a statement ends inside a text of several lines, so that the next lines belong to it. */

/** How a language writes texts of several lines. */
export interface LongTexts {
  /** Quotes between which a text may have line breaks. */
  readonly quotes: string;
  /** Begins a comment that goes to the end of its line. */
  readonly comment: RegExp;
  /** Opens a text that goes to the line with its group `name`; null if the language has none. */
  readonly heredoc: RegExp | null;
}

export function endsInText(statement: string, texts: LongTexts): boolean {
  return isInHeredoc(statement, texts.heredoc) ?? isInQuotes(statement, texts);
}

/** Null if none is opened. What is between its lines is no code. */
function isInHeredoc(statement: string, heredoc: RegExp | null): boolean | null {
  const found = heredoc?.exec(statement);
  if (!found) return null;
  const name = found.groups?.['name'] ?? '';
  const [, ...lines] = statement.slice(found.index).split('\n');
  return !lines.some((line) => new RegExp(String.raw`^\s*${name}\b`).test(line));
}

function isInQuotes(statement: string, { quotes, comment }: LongTexts): boolean {
  let open: string | null = null;
  for (let at = 0; at < statement.length; at += 1) {
    const char = statement.charAt(at);
    if (char === '\\') at += 1;
    else if (char === '\n' && open !== null && !quotes.includes(open)) open = null;
    else if (open !== null) open = char === open ? null : open;
    else if (`"'\``.includes(char)) open = char;
    else if (comment.test(statement.slice(at, at + 2))) at = lineEnd(statement, at);
  }
  return open !== null && quotes.includes(open);
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end === -1 ? text.length : end;
}
