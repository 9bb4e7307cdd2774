import { expect, test } from 'vitest';
import { randomOf } from '../../../../bench/coverage/random.ts';
import { markedWords } from '../../../../studies/promptse/report/marked-words.ts';

/** By the whole table of lengths; of two ways that keep as much, the one that drops a word of the first text. */
function markedByTable(first: string, second: string): string[] {
  const [before, after] = [first.split(/(\s+)/), second.split(/(\s+)/)];
  const lengths = Array.from({ length: before.length + 1 }, () => new Array<number>(after.length + 1).fill(0));
  const at = (i: number, j: number): number => lengths[i]?.[j] ?? 0;
  for (let i = before.length - 1; i >= 0; i -= 1)
    for (let j = after.length - 1; j >= 0; j -= 1)
      (lengths[i] as number[])[j] =
        before[i] === after[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const marked: string[] = [];
  let i = 0;
  for (let j = 0; j < after.length; j += 1) {
    while (i < before.length && before[i] !== after[j] && at(i + 1, j) >= at(i, j + 1)) i += 1;
    if (i < before.length && before[i] === after[j]) i += 1;
    else if (after[j]?.trim() !== '') marked.push(`${j} ${after[j]}`);
  }
  return marked;
}

const markedIn = (first: string, second: string): string[] =>
  markedWords(first, second).flatMap(({ text, marked }, index) => (marked ? [`${index} ${text}`] : []));

test('1,000 drawn pairs of texts: the words that the whole table marks', () => {
  const random = randomOf(5);
  const below = (most: number): number => Math.floor(random.uniform() * most);
  for (let pair = 0; pair < 1_000; pair += 1) {
    const [most, letters, gap] = [pair % 20 === 0 ? 150 : 25, 1 + below(8), pair % 3 === 0 ? '  ' : ' '];
    const drawn = (): string[] => Array.from({ length: below(most) }, () => 'abcdefgh'[below(letters)] ?? '');
    const first = drawn();
    const second = pair % 2 === 0 ? drawn() : first.filter(() => random.uniform() < 0.7);
    const texts = [first.join(' '), second.join(gap)] as const;
    expect(markedIn(...texts), texts.join(' | ')).toEqual(markedByTable(...texts));
  }
});

// Red before: 5 s and 0.4 GB for one variant of many in a report, and four times that for twice the words.
test('a text of 7,000 words takes no time to speak of', () => {
  const words = Array.from({ length: 7_000 }, (_, at) => `word${at % 97}`);
  const others = words.map((word, at) => (at % 50 === 7 ? `other${at}` : word));
  const beganMs = performance.now();
  expect(markedIn(words.join(' '), others.join(' '))).toHaveLength(140);
  expect(performance.now() - beganMs).toBeLessThan(2_000);
});
