/** Swaps two neighbouring letters of a word (ReCode's swapped characters). */
import { type Edit, oneOf, someOf, type Word, wordingAttack } from './wording.ts';

/** Share of words, one swap each: for words of MBPP's length, as many swaps as ReCode's 5 % of characters. */
const rate = 0.25;

export const swappedLetters = wordingAttack('swapped_letters', (words, _passage, random) =>
  someOf(words.filter(hasPair), rate, random).map((word): Edit => {
    const at = oneOf(pairs(word), random);
    return { start: word.start + at, length: 2, text: `${word.text.charAt(at + 1)}${word.text.charAt(at)}` };
  }),
);

/** Offsets of neighbouring letters that differ. */
const pairs = ({ text }: Word): number[] =>
  Array.from(text, (_, at) => at).filter((at) => at + 1 < text.length && text.charAt(at) !== text.charAt(at + 1));

const hasPair = (word: Word): boolean => pairs(word).length > 0;
