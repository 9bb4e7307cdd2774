/** What the attacks on wording share: only passages of natural language are changed, and in them no name, number or quote. */
import { signatureNames } from '../../variants/drift.ts';
import { passagesOf, promptParts, withPassages } from '../../variants/prompt-parts.ts';
import type { Attack, Draw } from './attack.ts';

/** A word that may be changed: letters only, two or more. */
export interface Word {
  readonly start: number;
  readonly text: string;
}

/** One replacement of what stands at `start` in a passage. */
export interface Edit {
  readonly start: number;
  readonly length: number;
  readonly text: string;
}

/**
 * An attack that edits passages.
 * @param editsOf edits of one passage that do not overlap, given its words that may be changed
 */
export const wordingAttack = (name: string, editsOf: (words: readonly Word[], passage: string, random: Draw) => Edit[]): Attack => ({
  name,
  family: 'wording',
  random: true,
  apply: ({ prompt, entryPoint }, random) => {
    const parts = promptParts(prompt, entryPoint);
    const names = signatureNames(prompt, entryPoint);
    const edited = passagesOf(parts).map((passage) => withEdits(passage, editsOf(plainWords(passage, names), passage, random)));
    return withPassages(parts, edited);
  },
});

/** Items drawn each with the same probability; one at least, so that an attack on a short text is an attack. */
export function someOf<Item>(items: readonly Item[], probability: number, random: Draw): Item[] {
  const drawn = items.filter(() => random() < probability);
  if (drawn.length > 0 || items.length === 0) return drawn;
  return [oneOf(items, random)];
}

/** One item; there must be some. */
export const oneOf = <Item>(items: readonly Item[], random: Draw): Item => items[Math.floor(random() * items.length)] as Item;

/** Punctuation may follow a word, but what holds digits, underscores, quotes or operators is a name, a number or a quotation. */
const plainToken = /(?<=^|\s)\(?([A-Za-z]{2,})[.,;:!?)]*(?=\s|$)/g;
const quotation = /(?<!\w)(?:(["'`]).*?\1|‘.*?’|“.*?”)(?!\w)/gs;

/** A word that is quoted somewhere in the passage is a name there, quoted or not. */
function plainWords(passage: string, names: ReadonlySet<string>): Word[] {
  const quoted = [...passage.matchAll(quotation)].map(({ index, 0: text }) => ({
    from: index,
    to: index + text.length,
    text: text.slice(1, -1),
  }));
  return [...passage.matchAll(plainToken)].flatMap(({ index, 0: token, 1: text }) => {
    if (text === undefined || names.has(text)) return [];
    const start = index + token.indexOf(text);
    return quoted.some((quote) => quote.text === text || (start >= quote.from && start < quote.to)) ? [] : [{ start, text }];
  });
}

function withEdits(passage: string, edits: readonly Edit[]): string {
  const backwards = edits.toSorted((a, b) => b.start - a.start);
  return backwards.reduce((text, edit) => text.slice(0, edit.start) + edit.text + text.slice(edit.start + edit.length), passage);
}

/** Every letter of the words with its place in the passage. */
export const lettersOf = (words: readonly Word[]): Word[] =>
  words.flatMap(({ start, text }) => Array.from(text, (letter, offset) => ({ start: start + offset, text: letter })));
