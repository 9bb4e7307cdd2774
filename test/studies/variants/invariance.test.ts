import { expect, test } from 'vitest';
import { driftFrom, signatureNames } from '../../../studies/variants/drift.ts';
import { checkVariant, originalOf } from '../../../studies/variants/invariance.ts';

const prompt = `from typing import List


def pick(values: List[int], limit: int = 3) -> List[int]:
    """ Return the values that are above limit, at most 10 of them.
    >>> pick([1, 5])
    [5]
    """
`;
const original = originalOf(prompt, 'pick');
const check = (from: string, to: string): string | null => checkVariant(original, prompt.replace(from, to)).violation;

test('other words in the description are no violation, and come back as its passages', () => {
  const variant = prompt.replace('Return the values', 'Ugh, just give back the values');
  expect(checkVariant(original, variant)).toEqual({
    passages: ['Ugh, just give back the values that are above limit, at most 10 of them.'],
    violation: null,
  });
});

test.each([
  ['a type', 'List[int], limit', 'list, limit'],
  ['a default', 'limit: int = 3', 'limit: int = 4'],
  ['an import', 'from typing import List\n', ''],
  ["an example's result", '[5]\n', '[6]\n'],
  ["an example's call", 'pick([1, 5])', 'pick([1, 6])'],
  ['the closing quotes', '    """\n', ''],
])('a change of %s is a violation', (_what, from, to) => {
  expect(check(from, to)).toMatch(/^changed or lost outside the description/);
});

test('text after the end of the prompt is a violation', () => {
  expect(checkVariant(original, `${prompt}    return values\n`).violation).toMatch(/^changed or lost/);
});

test.each([
  ['a number', '10', '12', 'lost 10'],
  ['a parameter', 'above limit', 'above the bound', 'lost limit'],
  ['a new identifier', 'Return the values', 'Return the values by max_value', 'added max_value'],
  ['an emptied description', 'Return the values that are above limit, at most 10 of them.', '', 'a passage is empty'],
])('%s that changes is drift', (_what, from, to, violation) => {
  expect(check(from, to)).toBe(violation);
});

test.each([
  ['the two lists', 'both lists', 'lost 2'],
  ['the two lists', 'the 2 lists', null],
  ["returns 'Yes' or 'No'", "gives 'Yes' or 'no'", "lost 'No'"],
  ['returns True', 'returns true', 'lost True'],
  ['perform XOR on them', 'combine them', 'lost XOR'],
  ['where n > 0', 'where n is positive', 'lost 0 >'],
  ["it's a prime", 'the value is a prime', null],
  ['return it', 'return it. assert it', 'code or quotes were added'],
])('%j against %j: %s', (before, after, drift) => {
  expect(driftFrom(before, new Set(['n', 's']))(after)).toBe(drift);
});

test('the names of a signature are its entry point and parameters, but not the article a', () => {
  expect(signatureNames('def f(a, b: int, *rest, sep=","):\n', 'f')).toEqual(new Set(['f', 'b', 'rest', 'sep']));
});
