/** How much of a task's description is still in a text: the information that loops of summaries lose. */

const functionWords = new Set(
  `a an the this that these those it its of to in on at by for from with as and or not if is are be was were then than
  which whose where when there here you your we our will can should must may do does have has had each any all some
  following given below above task problem write writes python program function functions method code named called
  implement create generate return returns returned only please without explanations comments help`.split(/\s+/),
);

const codeLine = /^\s*(?:assert\b|>>>|\.\.\.|(?:async )?def |class |import |from \S+ import|@|return\b)/;
const token = /[\p{L}\p{N}_][\p{L}\p{N}_'.,%+*/^-]*/gu;
const wordInToken = /[\p{L}\p{N}_]+/gu;

/** The lines of a prompt in natural language: without asserts, signatures, imports and interpreter sessions. */
const naturalText = (text: string): string =>
  text
    .split('\n')
    .filter((line) => !codeLine.test(line))
    .join('\n');

/** Distinct lower-case words of a text's natural lines. */
export const wordsOf = (text: string): Set<string> => new Set(naturalText(text).toLowerCase().match(wordInToken) ?? []);

const carriesContent = (word: string): boolean => !functionWords.has(word) && (word.length > 2 || /\p{N}/u.test(word));

/** Distinct words of a text that carry its meaning. */
export const contentWordsOf = (text: string): Set<string> => new Set([...wordsOf(text)].filter(carriesContent));

interface DescriptionToken {
  /** As written, with trailing punctuation. */
  readonly text: string;
  /** The content word of this token, or null for a function word. */
  readonly word: string | null;
}

/** A task's description as tokens, and the distinct content words in it. */
export interface Description {
  readonly tokens: readonly DescriptionToken[];
  readonly content: ReadonlySet<string>;
}

export function readDescription(text: string): Description {
  const tokens = (naturalText(text).match(token) ?? []).map((written) => {
    const words = written.toLowerCase().match(wordInToken) ?? [];
    return { text: written, word: words.find(carriesContent) ?? null };
  });
  return { tokens, content: new Set(tokens.flatMap(({ word }) => word ?? [])) };
}

/** Share of the description's content words that are among `words`, 0 to 1; 1 for a description without content. */
export function recallOf(description: Description, words: ReadonlySet<string>): number {
  if (description.content.size === 0) return 1;
  let found = 0;
  for (const word of description.content) if (words.has(word)) found++;
  return found / description.content.size;
}

/** Size of the intersection over size of the union, 0 to 1; 1 for two empty sets. */
export function jaccard(first: ReadonlySet<string>, second: ReadonlySet<string>): number {
  let shared = 0;
  for (const word of first) if (second.has(word)) shared++;
  const all = first.size + second.size - shared;
  return all === 0 ? 1 : shared / all;
}

/**
 * Retells the description. `tell` returns the replacement of a content word, or null if the word is lost. A function
 * word is kept if the content word after it is kept.
 */
export function retell(description: Description, tell: (word: string, written: string) => string | null): string {
  const told: string[] = [];
  let followerKept = false;
  for (const { text, word } of description.tokens.toReversed()) {
    const retold: string | null = word === null ? (followerKept ? text : null) : tell(word, text);
    if (word !== null) followerKept = retold !== null;
    if (retold !== null) told.push(retold);
  }
  return told.toReversed().join(' ');
}
