/** Removes spaces between words and adds spaces within words (ReCode's white space). */
import { type Edit, lettersOf, someOf, type Word, wordingAttack } from './wording.ts';

/** Share of the spaces between two words that are removed. */
const lostRate = 0.1;
/** Share of the places between two letters that get a space. */
const addedRate = 0.05;

export const whiteSpace = wordingAttack('white_space', (words, passage, random) => [
  ...someOf(spaces(words, passage), lostRate, random).map((start): Edit => ({ start, length: 1, text: '' })),
  ...someOf(withinWords(words), addedRate, random).map((start): Edit => ({ start, length: 0, text: ' ' })),
]);

/** Offsets of single spaces with a word that may be changed on both sides. */
function spaces(words: readonly Word[], passage: string): number[] {
  const starts = new Set(words.map(({ start }) => start));
  return words
    .map(({ start, text }) => start + text.length)
    .filter((at) => passage.charAt(at) === ' ' && starts.has(at + 1));
}

const withinWords = (words: readonly Word[]): number[] =>
  words.flatMap((word) =>
    lettersOf([word])
      .slice(1)
      .map(({ start }) => start),
  );
