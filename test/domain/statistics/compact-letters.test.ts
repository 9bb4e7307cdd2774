import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compactGroups, groupsByItem, groupText } from '../../../domain/statistics/ranks/compact-letters.ts';

const share = (own: readonly (readonly number[])[], a: number, b: number): boolean =>
  (own[a] as readonly number[]).some((group) => own[b]?.includes(group));

test('two items share a letter exactly if they do not differ', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 40 }).chain((items) =>
        fc.record({
          items: fc.constant(items),
          differing: fc.array(fc.tuple(fc.nat(items - 1), fc.nat(items - 1)), { maxLength: 300 }),
        }),
      ),
      ({ items, differing }) => {
        const pairs = new Set(differing.map(([a, b]) => `${Math.min(a, b)}/${Math.max(a, b)}`));
        const differ = (a: number, b: number): boolean => a !== b && pairs.has(`${Math.min(a, b)}/${Math.max(a, b)}`);
        const own = groupsByItem(compactGroups(items, differ), items);
        for (let a = 0; a < items; a += 1)
          for (let b = a; b < items; b += 1) expect(share(own, a, b)).toBe(!differ(a, b));
      },
    ),
    { numRuns: 60 },
  );
});

test('no group can be dropped', () => {
  const differ = (a: number, b: number): boolean => (a * 7 + b * 3) % 5 < 2;
  const groups = compactGroups(12, differ);
  for (const group of groups) {
    const own = groupsByItem(
      groups.filter((other) => other !== group),
      12,
    );
    const isCovered = group.every((a) => group.every((b) => share(own, a, b)));
    expect(isCovered).toBe(false);
  }
});

// By hand: 0 differs from 6 and 7; 3, 1, 4, 2 differ from their neighbours in this order; 5 differs from none. Of the
// six largest groups without a difference, [0, 2, 3, 5] adds no pair to the others.
test('eight items with five differences have five groups', () => {
  const pairs = new Set(['0/6', '0/7', '1/3', '1/4', '2/4']);
  const groups = compactGroups(8, (a, b) => pairs.has(`${a}/${b}`));
  expect(groups).toEqual([
    [0, 1, 2, 5],
    [0, 3, 4, 5],
    [1, 2, 5, 6, 7],
    [2, 3, 5, 6, 7],
    [3, 4, 5, 6, 7],
  ]);
});

test('letters in a row are a range; beyond 52 groups they are numbers', () => {
  expect([groupText([0], 3), groupText([0, 1], 3), groupText([0, 1, 3], 4), groupText([2, 3, 4, 5, 8], 9)]).toEqual([
    'a',
    'ab',
    'abd',
    'c-f i',
  ]);
  expect([groupText([52, 53], 60), groupText([3, 10, 11, 12], 60)]).toEqual(['53 54', '4 11-13']);
});
