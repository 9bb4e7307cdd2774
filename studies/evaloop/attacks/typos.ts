/** Replaces letters by neighbours on an English keyboard (ReCode's butter fingers). */
import { type Edit, lettersOf, oneOf, someOf, wordingAttack } from './wording.ts';

/** Share of all letters. */
const rate = 0.05;

export const typos = wordingAttack('typos', (words, _passage, random) =>
  someOf(lettersOf(words), rate, random).map(
    ({ start, text }): Edit => ({ start, length: 1, text: missed(text, oneOf(neighbours(text), random)) }),
  ),
);

/** Each row of keys is shifted half a key to the right. */
const keys = ['qwertyuiop', 'asdfghjkl', 'zxcvbnm'].flatMap((row, y) =>
  Array.from(row, (key, x) => ({ key, x: x + y / 2, y })),
);

function neighbours(letter: string): string[] {
  const hit = keys.find(({ key }) => key === letter.toLowerCase());
  if (!hit) throw new Error(`expected a letter of the English keyboard, got ${letter}`);
  return keys
    .filter(({ key, x, y }) => key !== hit.key && Math.abs(x - hit.x) <= 1 && Math.abs(y - hit.y) <= 1)
    .map(({ key }) => key);
}

const missed = (letter: string, key: string): string => (letter === letter.toLowerCase() ? key : key.toUpperCase());
