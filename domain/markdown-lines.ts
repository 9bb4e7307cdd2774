/** Wraps Markdown text, for documents that are generated from the code. */

export const markdownWidth = 118;

/** A word that would begin a list, a heading, a quote or a table at the start of a line. */
const opensBlock = /^(?:\d+[.)]|[-+*>|=]+|#+)$/;

/** `text` broken at spaces outside backticks; `first` precedes the first line, the same number of spaces the others. */
export function wrappedMarkdown(text: string, first = ''): string {
  const lines: string[] = [];
  let line = first;
  for (const word of unbroken(text)) {
    const joined = line.endsWith(' ') || line === '' ? line + word : `${line} ${word}`;
    const fits = joined.length <= markdownWidth || line.trim() === first.trim();
    if (!fits) lines.push(line);
    line = fits ? joined : `${' '.repeat(first.length)}${word}`;
  }
  return [...lines, line].join('\n');
}

/** Words, with those that may not begin a line joined to the word before. */
function unbroken(text: string): string[] {
  const words: string[] = [];
  for (const word of text.match(/(?:`[^`]*`|[^\s`])+/g) ?? []) {
    if (words.length > 0 && opensBlock.test(word)) words.push(`${words.pop()} ${word}`);
    else words.push(word);
  }
  return words;
}
