/** Against the distance of the whole texts, after drawn changes. */
import { expect, test } from 'vitest';
import { randomOf } from '../../../bench/coverage/random.ts';
import { wordDistance } from '../../../domain/edit-distance.ts';
import { keptWithin } from '../../../studies/promptse/kept-within.ts';

const vocabulary = ['find', 'determine', 'the', 'largest', 'value,', 'Return', 'sum.', 'of', 'a', 'list'];

test('1,500 drawn changes of passages are kept just where the whole texts are within the distance', () => {
  const random = randomOf(11);
  const text = (most: number): string =>
    Array.from(
      { length: Math.floor(random.uniform() * most) },
      () => vocabulary[Math.floor(random.uniform() * vocabulary.length)] ?? '',
    ).join(' ');
  const answers: boolean[] = [];
  for (let round = 0; round < 50; round += 1) {
    const original = [text(12), text(12), text(12)];
    let current = [`Well, ${original[0]}`, ...original.slice(1)];
    const distance = [0.1, 0.2, 0.3, 0.5, 0.7][round % 5] ?? 0;
    const isKept = keptWithin(original, distance, current);
    for (let change = 0; change < 30; change += 1) {
      const at = Math.floor(random.uniform() * 3);
      const own = (current[at] ?? '').split(' ');
      own.splice(Math.floor(random.uniform() * own.length), Math.floor(random.uniform() * 3), text(3));
      const moved = current.with(at, own.join(' '));
      const isWithin = wordDistance(original.join('\n'), moved.join('\n')) <= distance;
      expect(isKept(moved)).toBe(isWithin);
      answers.push(isWithin);
      if (isWithin) current = moved;
    }
  }
  // Both answers come up, or the test says little.
  expect(answers.filter(Boolean).length).toBeGreaterThan(300);
  expect(answers.filter((one) => !one).length).toBeGreaterThan(300);
});

// Red before: minutes, in which the worker of all runs of the folder did nothing else.
test('of a prompt of 30,000 words thousands of changes take seconds, and all that are kept are near enough', () => {
  const passages = Array.from({ length: 3_000 }, (_, at) => `find the a value of list ${at % 7} and return it`);
  const isKept = keptWithin(passages, 0.1, passages);
  let current = passages;
  const beganMs = performance.now();
  for (const [at, passage] of passages.entries()) {
    // Words that other passages lose, so that counts of words do not tell the distance.
    const changed = passage.replace(at % 2 === 0 ? 'find the' : 'a value', at % 2 === 0 ? 'a value' : 'find the');
    const moved = current.with(at, changed);
    if (isKept(moved)) current = moved;
  }
  expect(performance.now() - beganMs).toBeLessThan(15_000);
  const distance = wordDistance(passages.join('\n'), current.join('\n'));
  expect(distance).toBeLessThanOrEqual(0.1);
  expect(distance).toBeGreaterThan(0.09);
});

// Red before: 15 s, since each change read the whole passage.
test('of one passage of 20,000 words only what changes is read', () => {
  const passage = Array.from({ length: 2_000 }, (_, at) => `sentence ${at} says find the sum of the numbers.`).join(
    '\n',
  );
  const isKept = keptWithin([passage], 0.1, [passage]);
  let current = passage;
  const beganMs = performance.now();
  for (let at = 0; at < 2_000; at += 1) {
    const moved = current.replace(`sentence ${at} says find`, `sentence ${at} states determine`);
    if (isKept([moved])) current = moved;
  }
  expect(performance.now() - beganMs).toBeLessThan(8_000);
  const distance = wordDistance(passage, current);
  expect(distance).toBeLessThanOrEqual(0.1);
  expect(distance).toBeGreaterThan(0.09);
});
