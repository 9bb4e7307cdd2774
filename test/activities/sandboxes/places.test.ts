import { expect, test } from 'vitest';
import { createPlaces } from '../../../activities/sandboxes/embedded/places.ts';

test('at most so many run; what goes first comes before those that wait; a failure gives its place back', async () => {
  const places = createPlaces(2);
  const began: string[] = [];
  let [running, most] = [0, 0];
  const work = (name: string) => async (): Promise<string> => {
    began.push(name);
    most = Math.max(most, ++running);
    await new Promise((resolve) => setImmediate(resolve));
    running -= 1;
    if (name === 'b') throw new Error('b fails');
    return name;
  };
  const ends = await Promise.allSettled([
    ...['a', 'b', 'c', 'd'].map((name) => places.run(false, work(name))),
    ...['e', 'f'].map((name) => places.run(true, work(name))),
  ]);
  expect(began).toEqual(['a', 'b', 'e', 'f', 'c', 'd']);
  expect(most).toBe(2);
  expect(ends.map((end) => (end.status === 'fulfilled' ? end.value : end.status))).toEqual([
    'a',
    'rejected',
    'c',
    'd',
    'e',
    'f',
  ]);
});
