/**
 * Shared code of the attacks on wording. They change only passages of natural language,
 * and in these no names, numbers or quotations.
 */
import { signatureNames } from '../../variants/drift.ts';
import { passagesOf, promptParts, withPassages } from '../../variants/prompt-parts.ts';
import type { Attack, Draw } from './attack.ts';

/** A word that may be changed: letters only, two or more. */
export interface Word {
  readonly start: number;
  readonly text: string;
}

/** Replaces `length` characters at `start` in a passage. */
export interface Edit {
  readonly start: number;
  readonly length: number;
  readonly text: string;
}

/**
 * An attack that edits passages.
 * @param editsOf returns edits of one passage that do not overlap; `words` are those that may be changed
 */
export const wordingAttack = (
  name: string,
  editsOf: (words: readonly Word[], passage: string, random: Draw) => Edit[],
): Attack => ({
  name,
  family: 'wording',
  random: true,
  apply: ({ prompt, entryPoint }, random) => {
    const parts = promptParts(prompt, entryPoint);
    const names = signatureNames(prompt, entryPoint);
    const edited = passagesOf(parts).map((passage) =>
      withEdits(passage, editsOf(plainWords(passage, names), passage, random)),
    );
    return withPassages(parts, edited);
  },
});

/** Draws each item with the same probability, and at least one item, so that short texts are attacked too. */
export function someOf<Item>(items: readonly Item[], probability: number, random: Draw): Item[] {
  const drawn = items.filter(() => random() < probability);
  if (drawn.length > 0 || items.length === 0) return drawn;
  return [oneOf(items, random)];
}

/** Draws one item; `items` must not be empty. */
export const oneOf = <Item>(items: readonly Item[], random: Draw): Item =>
  items[Math.floor(random() * items.length)] as Item;

/**
 * A word with optional punctuation after it. Tokens with digits, underscores, quotes or operators do not match: they
 * are names, numbers or quotations.
 */
const plainToken = /(?<=^|\s)\(?([A-Za-z]{2,})[.,;:!?)]*(?=\s|$)/g;
const quotation = /(?<!\w)(?:(["'`]).*?\1|‘.*?’|“.*?”)(?!\w)/gs;

/** A word that is quoted somewhere in the passage counts as a name everywhere in it. */
function plainWords(passage: string, names: ReadonlySet<string>): Word[] {
  const quoted = [...passage.matchAll(quotation)].map(({ index, 0: text }) => ({
    from: index,
    to: index + text.length,
    text: text.slice(1, -1),
  }));
  return [...passage.matchAll(plainToken)].flatMap(({ index, 0: token, 1: text }) => {
    if (text === undefined || names.has(text)) return [];
    const start = index + token.indexOf(text);
    return quoted.some((quote) => quote.text === text || (start >= quote.from && start < quote.to))
      ? []
      : [{ start, text }];
  });
}

function withEdits(passage: string, edits: readonly Edit[]): string {
  const backwards = edits.toSorted((a, b) => b.start - a.start);
  return backwards.reduce(
    (text, edit) => text.slice(0, edit.start) + edit.text + text.slice(edit.start + edit.length),
    passage,
  );
}

/** Every letter of the words with its place in the passage. */
export const lettersOf = (words: readonly Word[]): Word[] =>
  words.flatMap(({ start, text }) => Array.from(text, (letter, offset) => ({ start: start + offset, text: letter })));
