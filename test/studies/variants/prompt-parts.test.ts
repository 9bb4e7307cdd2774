import { expect, test } from 'vitest';
import { passagesOf, promptParts, withPassages } from '../../../studies/variants/prompt-parts.ts';

const signature = `import math


def helper(x: int) -> int:
    """ Doubles a number, for use below. """
    return 2 * x


def area(width: float, height: float = 1.0) -> float:
    """ Compute the area of a rectangle with the given sides.
    Round it to two decimals.

    Rules:
    - Sides are positive,
      and never zero.
    area = width * height
    >>> area(2.0, 3.0)
    6.0

    Return None for a side that is negative.
    """
`;

test("only the entry point's docstring holds passages: no helper, rule, formula or example", () => {
  expect(passagesOf(promptParts(signature, 'area'))).toEqual([
    'Compute the area of a rectangle with the given sides.\n    Round it to two decimals.',
    'Return None for a side that is negative.',
  ]);
});

test('the segments joined are the prompt, and other passages go where the old ones were', () => {
  const parts = promptParts(signature, 'area');
  expect(withPassages(parts, passagesOf(parts))).toBe(signature);
  const changed = withPassages(parts, ['FIRST', 'SECOND']);
  expect(changed).toBe(
    signature
      .replace('Compute the area of a rectangle with the given sides.\n    Round it to two decimals.', 'FIRST')
      .replace('Return None for a side that is negative.', 'SECOND'),
  );
});

test('a quoted prompt without a definition has its words between the quotes, and its assert is fixed', () => {
  const prompt = '"""\nWrite a function to add two numbers.\nassert add(1, 2) == 3\n"""\n';
  expect(passagesOf(promptParts(prompt, 'add'))).toEqual(['Write a function to add two numbers.']);
});

test('examples continue until a blank line, whatever they look like', () => {
  const prompt =
    'def f(x):\n    """Say whether x is small.\n    Examples:\n    the value five is small\n' +
    '    and so is four\n\n    Ignore negative values.\n    """\n';
  expect(passagesOf(promptParts(prompt, 'f'))).toEqual(['Say whether x is small.', 'Ignore negative values.']);
});

test('an import between signature and docstring does not hide it, and a docstring in single quotes is one', () => {
  expect(passagesOf(promptParts("def f(x):\n    import math\n    '''Return the root.'''\n", 'f'))).toEqual([
    'Return the root.',
  ]);
});

test('a long line may hold a formula and stays a passage', () => {
  const line =
    'Find the line that fits the points best where the line is y = m * x + b in the usual way and nothing else.';
  expect(passagesOf(promptParts(`"""\n${line}\nassert f([]) == 0\n"""\n`, 'f'))).toEqual([line]);
});

test('a prompt of code alone has no passage', () => {
  expect(passagesOf(promptParts('def f(x):\n    return x\n', 'f'))).toEqual([]);
});
