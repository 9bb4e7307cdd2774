import { expect, test } from 'vitest';
import { deltaPercent } from '../../../domain/metrics/delta.ts';
import { corpusDensity, densityPer10Lines } from '../../../domain/metrics/density.ts';
import { countMatches, exceptionPatterns } from '../../../studies/robunfr/exception-statements.ts';
import { linesOfCode } from '../../../domain/metrics/lines-of-code.ts';

test.each([
  ['an empty program', '', 0],
  ['blank lines, with white space or without', '\n  \n\t\n\f\n', 0],
  ['a line without its end', 'x = 1', 1],
  ['comments and docstrings', '# one\ndef f():\n    """two\n\n    three"""\n    return 1\n', 5],
  ['a backslash and an open bracket: lines, not statements', 'x = [\n    1,\n]\ny = 1 + \\\n    2\n', 5],
  ['Windows and old Mac line ends', 'a = 1\r\n\r\nb = 2\rc = 3', 3],
  ['a form feed between statements', 'a = 1\n\f\nb = 2\n', 2],
])('LOC of %s', (_, source, loc) => {
  expect(linesOfCode(source)).toBe(loc);
});

test('a density is per ten lines, and null without lines', () => {
  expect(densityPer10Lines({ count: 3, loc: 20 })).toBe(1.5);
  expect(densityPer10Lines({ count: 0, loc: 0 })).toBeNull();
});

test("a corpus's density is of its sums: long solutions weigh more, those without a count are left out", () => {
  // (1 + 0) / (5 + 45) = 0.2 per 10 lines; the mean of the densities would be 1.
  expect(corpusDensity([{ count: 1, loc: 5 }, null, { count: 0, loc: 45 }])).toEqual({
    density: 0.2,
    n: 2,
    nExcluded: 1,
  });
  expect(corpusDensity([null])).toEqual({ density: null, n: 0, nExcluded: 1 });
});

test('patterns count lines that begin with except or raise, even in docstrings', () => {
  const source = [
    'def f(x):',
    '    """Says',
    '    raise in its docstring."""',
    '    try:',
    '        return g(x)',
    '    except ValueError:',
    '        raise',
    '    except* (TypeError, KeyError) as error:',
    '        exception = raised = "except"',
    '    # raise nothing',
    '    if x: raise KeyError(x)',
  ].join('\n');
  // Two handlers, one raise, and the docstring's line; the raise after a colon is not at the beginning of a line.
  expect(countMatches(source, exceptionPatterns)).toBe(4);
  expect(countMatches(source, ['\\braise\\b'])).toBe(4);
  expect(countMatches(source, [])).toBe(0);
});

test('an invalid pattern is refused by name', () => {
  expect(() => countMatches('x', ['except('])).toThrow("invalid regular expression 'except('");
});

test('a change in percent refers to the baseline, and is undefined for a baseline of 0', () => {
  expect(deltaPercent(68.29, 72.5)).toBeCloseTo(-5.807, 3);
  expect(deltaPercent(3, 2)).toBe(50);
  expect(deltaPercent(3, 0)).toBeNull();
  expect(deltaPercent(null, 2)).toBeNull();
  expect(deltaPercent(2, null)).toBeNull();
});
