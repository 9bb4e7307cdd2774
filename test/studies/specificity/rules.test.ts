import { describe, expect, it } from 'vitest';
import { codeLines, descriptionFault } from '../../../studies/specificity/leak.ts';
import { cutToWords, summarizedByRules } from '../../../studies/specificity/rule-summarizer.ts';
import { writtenByRules } from '../../../studies/specificity/rule-writer.ts';
import { wordCount } from '../../../studies/specificity/units.ts';

const task = {
  entryPoint: 'largest',
  reference: `def largest(numbers, start=0):
    """Docstring that is no code line."""
    best = start  # comment
    for number in numbers:
        if number > best:
            best = number
    return best
`,
  suites: [
    {
      name: 'base',
      inputs: [
        [[1, 2], 0],
        [[], -1],
      ],
      expected: [2, -1],
      oracle: { rule: 'equal' as const },
    },
  ],
};
const original = 'Give back the largest number.';

describe('the check of a maximal description', () => {
  const ok = 'Go through the numbers one after another, and always remember the largest one that was seen.';

  it('passes words about the solution, and its single lines', () => {
    expect(codeLines(task.reference)).toEqual([
      'best = start',
      'for number in numbers:',
      'if number > best:',
      'best = number',
      'return best',
    ]);
    expect(descriptionFault(ok, original, task)).toBeNull();
    expect(descriptionFault(`${ok} Begin with \`for number in numbers:\`.`, original, task)).toBeNull();
  });

  it('refuses the solution, also with other white space, and three of its lines in a row', () => {
    const body = 'best = start\n  for number in numbers:\n     if number > best:\n best = number\nreturn best';
    expect(descriptionFault(`${ok}\n${body}`, original, task)).toBe('the whole body of the solution verbatim');
    expect(descriptionFault(`${ok}\nfor number in numbers:\nif number > best:\nbest = number`, original, task)).toBe(
      '3 lines of the solution verbatim',
    );
    expect(descriptionFault(`${ok}\ndef largest(numbers):\n  ...`, original, task)).toBe('it defines largest itself');
  });

  it('refuses an empty text, and less than the benchmark says', () => {
    expect(descriptionFault('  ', original, task)).toBe('it is empty');
    expect(descriptionFault('Largest.', original, task)).toBe('it says less than the original: 1 of 5 words');
  });
});

describe('rule-based writer', () => {
  const text = writtenByRules(original, task);

  it("begins with the benchmark's words and keeps to the rules", () => {
    expect(text.startsWith(original)).toBe(true);
    expect(descriptionFault(text, original, task)).toBeNull();
  });

  it('names arguments, types, result and edge cases as they are', () => {
    expect(text).toContain('2 arguments, in this order: `numbers`, `start`');
    expect(text).toContain('- `numbers` is a list of integers or a list.');
    expect(text).toContain('returns an integer');
    expect(text).toContain('Empty arguments are given too');
    expect(text).toContain('Negative numbers are given too.');
  });
});

describe('rule-based summarizer', () => {
  const text =
    'First of one. Second of one.\n\nFirst of two.\n\nThis third paragraph begins with a sentence of ten words.';

  it('never exceeds its limit', () => {
    for (let limit = 1; limit <= 25; limit += 1) {
      const words = wordCount(summarizedByRules(text, limit));
      expect(words).toBeGreaterThan(0);
      expect(words).toBeLessThanOrEqual(limit);
    }
  });

  it('takes first sentences of paragraphs before second ones, in order', () => {
    expect(summarizedByRules(text, 6)).toBe('First of one.\nFirst of two.');
    expect(summarizedByRules(text, 9)).toBe('First of one. Second of one.\nFirst of two.');
    expect(summarizedByRules(text, 2)).toBe('First of');
  });

  it('cuts at the last whole sentence where that keeps half of the words', () => {
    expect(cutToWords('One two three. Four five.', 4)).toBe('One two three.');
    expect(cutToWords('One. Two three four five six.', 5)).toBe('One. Two three four five');
    expect(cutToWords(' short ', 5)).toBe('short');
  });
});
