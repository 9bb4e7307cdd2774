import { expect, test } from 'vitest';
import { partsMarkdown } from '../../../../analysis/report/text/markdown.ts';
import type { Row } from '../../../../schemas/tables.ts';
import { driversPart } from '../../../../studies/specificity/report/drivers.ts';
import { context } from './context.ts';

const textOf = (outcomes: Row[], speedups: Row[] = [], pragmas: Row[] = []): string =>
  partsMarkdown([driversPart({ run: 'r', drivers: { outcomes, speedups, pragmas } }, context)]);

test('outcomes have their own columns, similar ones a common one', () => {
  const outcomes = [
    ...['pass', 'wrong_output', 'compile_error', 'build_timeout', 'cpu_timeout', 'wall_timeout'],
    ...['flaky', 'exception', 'early_exit', 'no_code'],
  ];
  const rows = outcomes.map((outcome, index) => ({ model: 'm', outcome, n: 10 ** index }));
  // Places of the digits: each count of ones is one outcome.
  expect(textOf(rows)).toContain('| m | 1 | 10 | 1,100 | 110,000 | 1,000,000 | 110,000,000 | 1,000,000,000 | – |');
});

test('a model without OpenMP tasks has no count of pragmas, and its times no comparison', () => {
  const text = textOf([{ model: 'm', outcome: 'pass', n: 2 }], [], [{ model: 'm', without: 0, asked: 0 }]);
  expect(text).toContain('| m | 2 | 0 | 0 | 0 | 0 | 0 | 0 | – |');
  expect(text).not.toContain('Speed-up');
  expect(textOf([])).toBe('');
});

test('speed-ups say so if other programs ran meanwhile', () => {
  const row = { model: 'm', parallelism: 'omp', threads: 4, programs: 3, median: 2.5, low: 2, high: 3, alone: true };
  const outcomes = [{ model: 'm', outcome: 'pass', n: 2 }];
  const pragmas = [{ model: 'm', without: 1, asked: 2 }];
  expect(textOf(outcomes, [row], pragmas)).toMatch(
    /\| 1 of 2 \|[\s\S]*\| m \| OpenMP \| 4 \| 3 \| 2\.50 \(2\.00 – 3\.00\) \|/,
  );
  expect(textOf(outcomes, [row])).not.toContain('do not rely on these times');
  expect(textOf(outcomes, [{ ...row, alone: false }])).toContain('do not rely on these times');
});
