import { expect, test } from 'vitest';
import { createRecent } from '../../domain/recent.ts';

test('the oldest values make room for a new one', () => {
  const recent = createRecent<string>(10);
  recent.put('a', 'first', 4);
  recent.put('b', 'second', 4);
  recent.put('c', 'third', 5);
  expect(['a', 'b', 'c'].map(recent.get)).toEqual([undefined, 'second', 'third']);
});

test('a value that is put twice counts once', () => {
  const recent = createRecent<string>(10);
  recent.put('a', 'old', 6);
  recent.put('a', 'new', 6);
  recent.put('b', 'other', 4);
  expect(['a', 'b'].map(recent.get)).toEqual(['new', 'other']);
});

test('a value larger than the room is not kept and removes no other', () => {
  const recent = createRecent<string>(10);
  recent.put('a', 'small', 4);
  recent.put('b', 'huge', 11);
  expect(['a', 'b'].map(recent.get)).toEqual(['small', undefined]);
});
