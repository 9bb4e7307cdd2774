import { describe, expect, test } from 'vitest';
import { mutantsOf } from '../../simulator/mutations.ts';

const programs: readonly [string, string][] = [
  [
    'largest',
    'def largest(values, count=1):\n    """Keep - the < largest."""\n    if count == 0:\n' +
      '        return []\n    return sorted(values)[-count:]\n',
  ],
  ['trivial', 'def trivial(a):\n  return a\n'],
  ['spread', 'import math\n\ndef spread(\n    a,\n    b,\n) -> float:\n    # one + two\n    return math.fabs(a - b)\n'],
  ['bound', 'bound = lambda a: a + 1\n'],
];

describe.each(programs)('%s', (entryPoint, reference) => {
  const mutants = mutantsOf(reference, entryPoint, 1);

  test('has four to eight distinct mutants, none of them the reference', () => {
    expect(mutants.length).toBeGreaterThanOrEqual(4);
    expect(mutants.length).toBeLessThanOrEqual(8);
    expect(new Set([reference, ...mutants]).size).toBe(mutants.length + 1);
  });

  test('has the same mutants for the same seed', () => {
    expect(mutantsOf(reference, entryPoint, 1)).toEqual(mutants);
  });

  test('keeps its name in every mutant', () => {
    for (const mutant of mutants) expect(mutant).toMatch(new RegExp(`\\b${entryPoint}\\b`));
  });
});

test('strings and comments are never mutated', () => {
  const reference = "def shout(a):\n    # a + b < 1 and 2\n    word = 'a + b < 1 and 2'\n    return word\n";
  for (let seed = 0; seed < 20; seed++) {
    for (const mutant of mutantsOf(reference, 'shout', seed)) {
      expect(mutant).toContain('    # a + b < 1 and 2\n');
      expect(mutant).toContain("    word = 'a + b < 1 and 2'\n");
    }
  }
});

test('a comparison is swapped with its neighbour', () => {
  const reference = 'def small(a):\n    return a < limit\n';
  expect(mutantsOf(reference, 'small', 1)).toContain('def small(a):\n    return a <= limit\n');
});
