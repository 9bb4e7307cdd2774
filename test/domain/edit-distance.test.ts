import { expect, test } from 'vitest';
import { randomOf } from '../../bench/coverage/random.ts';
import { comparedWords, editDistance, wordDistance } from '../../domain/edit-distance.ts';

test('kitten becomes sitting by three edits', () => {
  expect(editDistance([...'kitten'], [...'sitting'])).toBe(3);
  expect(editDistance([], [...'abc'])).toBe(3);
  expect(editDistance([...'abc'], [...'abc'])).toBe(0);
});

test('one new word before nine gives 1/10; case, line ends and punctuation at words do not count', () => {
  expect(wordDistance('a b c d e f g h i', 'Well, a b c d e f g h i.')).toBe(0.1);
  expect(wordDistance('Return the sum.', 'return\n   THE sum')).toBe(0);
  expect(wordDistance('', ' ')).toBe(0);
  expect(wordDistance('', 'two words')).toBe(1);
});

/** Wagner and Fischer's table (1974), with all of its cells. */
function byTable(first: readonly string[], second: readonly string[]): number {
  let row = Array.from({ length: second.length + 1 }, (_, index) => index);
  for (const [index, item] of first.entries()) {
    const next = [index + 1];
    for (const [at, other] of second.entries())
      next.push(Math.min((row[at] ?? 0) + Number(item !== other), (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1));
    row = next;
  }
  return row[second.length] ?? 0;
}

test('4,000 drawn pairs of lists: the distance of the whole table, and above a limit any number above it', () => {
  const random = randomOf(7);
  const drawn = (): string[] =>
    Array.from({ length: Math.floor(random.uniform() * 14) }, () => 'abcdefgh'[Math.floor(random.uniform() * 4)] ?? '');
  for (let pair = 0; pair < 4_000; pair += 1) {
    const [first, second] = [drawn(), drawn()];
    const distance = byTable(first, second);
    expect(editDistance(first, second), `${first.join('')} ${second.join('')}`).toBe(distance);
    const most = Math.floor(random.uniform() * 14);
    const limited = editDistance(first, second, most);
    expect(distance <= most ? limited === distance : limited > most).toBe(true);
  }
});

test('600 drawn pairs of up to 200 items, alike in part or not: the distance of the whole table', () => {
  const random = randomOf(11);
  const below = (most: number): number => Math.floor(random.uniform() * most);
  const drawn = (letters: number): string[] =>
    Array.from({ length: below(200) }, () => 'abcdefghijklmnopqrstuvwxyz'[below(letters)] ?? '');
  for (let pair = 0; pair < 600; pair += 1) {
    const letters = 1 + below(26);
    const first = drawn(letters);
    const second = pair % 2 === 0 ? drawn(letters) : first.filter(() => random.uniform() < 0.7);
    const distance = byTable(first, second);
    expect(editDistance(first, second), `${first.join('')} ${second.join('')}`).toBe(distance);
    const most = below(200);
    const limited = editDistance(first, second, most);
    expect(distance <= most ? limited === distance : limited > most).toBe(true);
  }
});

// Red before: 2.5 s and 4 s. All words differ.
test.each([10_000, 20_000])('prompts of 20,000 and %s words that share none take no time either', (length) => {
  const words = Array.from({ length: 20_000 }, (_, at) => `word${at}`);
  const others = Array.from({ length }, (_, at) => `other${at}`);
  const beganMs = performance.now();
  expect(editDistance(words, others)).toBe(20_000);
  expect(performance.now() - beganMs).toBeLessThan(2_000);
});

// Red before: 5 s for a distance, and a worker of all runs of the folder that answered nobody meanwhile.
test('prompts of 40,000 words with some changes take no time to speak of', () => {
  const words = Array.from({ length: 40_000 }, (_, at) => `word${at % 97}`);
  const changed = ['well', ...words.map((word, at) => (at % 400 === 7 ? 'other' : word)), 'thanks', 'a', 'lot'];
  const beganMs = performance.now();
  expect(editDistance(words, changed)).toBe(104);
  expect(performance.now() - beganMs).toBeLessThan(2_000);
});

test('punctuation is only removed at the ends of words', () => {
  expect(comparedWords('("Don\'t!") x.y, é. -- 3.5)')).toEqual(["don't", 'x.y', 'é', '--', '3.5']);
});
