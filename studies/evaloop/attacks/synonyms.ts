/** Words put otherwise, from a list of our own (ReCode's synonym substitution takes them from a thesaurus). */
import synonymLists from '../../../data/evaloop/synonyms.json' with { type: 'json' };
import { type Edit, oneOf, someOf, wordingAttack } from './wording.ts';

/** Of the words that the list has. */
const rate = 0.5;

const synonymsOf: ReadonlyMap<string, readonly string[]> = new Map(Object.entries(synonymLists));

export const synonyms = wordingAttack('synonyms', (words, _passage, random) =>
  someOf(
    words.filter(({ text }) => synonymsOf.has(text.toLowerCase())),
    rate,
    random,
  ).map(({ start, text }): Edit => {
    const put = oneOf(synonymsOf.get(text.toLowerCase()) as readonly string[], random);
    return { start, length: text.length, text: /^[A-Z]/.test(text) ? put.charAt(0).toUpperCase() + put.slice(1) : put };
  }),
);
