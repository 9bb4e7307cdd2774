/** Switches the case of random letters (ReCode's changed character case). */
import { type Edit, lettersOf, someOf, wordingAttack } from './wording.ts';

/** Share of all letters. */
const rate = 0.35;

export const letterCase = wordingAttack('letter_case', (words, _passage, random) =>
  someOf(lettersOf(words), rate, random).map(({ start, text }): Edit => ({ start, length: 1, text: otherCase(text) })),
);

const otherCase = (letter: string): string =>
  letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
