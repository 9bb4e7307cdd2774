import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson } from '../../domain/ids.ts';

/**
 * The same record with names in the order of their code units, also in nested records. No name looks like an index,
 * which every engine moves to the front.
 */
function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (value === null || typeof value !== 'object') return value;
  const names = Object.keys(value).toSorted((a, b) => (a < b ? -1 : 1));
  return Object.fromEntries(names.map((name) => [name, ordered((value as Record<string, unknown>)[name])]));
}

test('names are in the order of their code units, in small and in large records', () => {
  const name = fc.string({ maxLength: 4 }).map((text) => `n${text}`);
  const { record } = fc.letrec<{ record: unknown; value: unknown }>((tie) => ({
    record: fc.dictionary(name, tie('value'), { maxKeys: 20 }),
    value: fc.oneof(
      { maxDepth: 2 },
      fc.string(),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.boolean(),
      fc.constant(null),
      tie('record'),
    ),
  }));
  fc.assert(
    fc.property(record, (value) => {
      expect(canonicalJson(value)).toBe(JSON.stringify(ordered(value)));
    }),
  );
});

test.each([
  [{ b: 1, a: [1, undefined, 'x'], c: undefined }, '{"a":[1,null,"x"],"b":1}'],
  [{ role: 'user', content: 'é\n' }, '{"content":"é\\n","role":"user"}'],
  [{ 10: 1, 9: 2, a: 3, A: 4 }, '{"10":1,"9":2,"A":4,"a":3}'],
  [[], '[]'],
])('%j', (value, text) => {
  expect(canonicalJson(value)).toBe(text);
});

test('numbers that JSON does not have are refused', () => {
  expect(() => canonicalJson({ a: [Number.NaN] })).toThrow('finite numbers only, got NaN');
});
