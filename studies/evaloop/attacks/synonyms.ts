/** Replaces words by synonyms from evenkeel's own list (ReCode's synonym substitution uses a thesaurus). */
import synonymLists from '../../../data/evaloop/synonyms.json' with { type: 'json' };
import { type Edit, oneOf, someOf, wordingAttack } from './wording.ts';

/** Share of the words that have an entry in the list. */
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
