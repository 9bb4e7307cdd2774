import { expect, test } from 'vitest';
import { type ModelResult, reproductionMarkdown, reproductionTables } from '../../bench/reproduce/markdown.ts';

const passes = {
  study: 's',
  taskId: 'MBPP/84',
  recorded: 0,
  here: 1,
  reason: 'the code of loop 1 passes every suite here',
};
const like: ModelResult = {
  model: 'alike',
  published: 5.01,
  allowed: { low: 4.9, high: 5.011 },
  here: 5.03,
  n: 378,
  excluded: 0,
  differences: [{ ...passes, seconds: { program: 2.5, reference: 1.25 } }],
};
const other: ModelResult = {
  ...like,
  model: 'other',
  published: 5.423,
  allowed: { low: 5.554, high: 5.583 },
  here: 5.583,
  differences: [{ ...passes, seconds: { program: 0.5, reference: 1.25 } }],
};
const failing: ModelResult = {
  ...like,
  model: 'failing',
  here: 4.97,
  differences: [
    { ...passes, recorded: 2, here: 1, reason: 'the code of loop 2 comes to cpu_timeout on suite plus', seconds: null },
  ],
};

test('models are sorted by their difference, with what the recorded counts allow; 0.02 is tolerated', () => {
  const lines = reproductionMarkdown([like, other, failing]).split('\n');
  expect(lines[0]).toBe(
    '1 of 3 models have an ASL within 0.02 of the published one; ' +
      '3 of 1134 tasks sustain a different number of loops than',
  );
  expect(lines[1]).toBe('recorded.');
  expect(lines.slice(5, 12)).toEqual([
    '| other | 5.423 | 5.554 to 5.583 | 5.583 | 0.160 (a) | 1 |',
    '| failing | 5.010 | 4.900 to 5.011 | 4.970 | -0.040 (b) | 1 |',
    '| alike | 5.010 | 4.900 to 5.011 | 5.030 | 0.020 | 1 |',
    '',
    '(a) no similarity gives the published figure from these counts, so it belongs to another run than the recording.',
    '',
    '(b) more than 0.02 from the published figure.',
  ]);
});

test('tasks with other outcomes, most common first, with the time of programs that failed there and pass here', () => {
  const text = reproductionMarkdown([like, other, failing]);
  expect(text.slice(text.indexOf('- **')).replaceAll('\n  ', ' ').trim().split('\n')).toEqual([
    '- **MBPP/84**, 2 models: the next program passes every suite here, in 0.50 to 2.50 s of processor time; the ' +
      'reference takes 1.25 s. 0 → 1: alike, other.',
    '- **MBPP/84**, 1 model: the next program comes to cpu_timeout on suite plus. 2 → 1: failing.',
  ]);
  expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(120);
});

test('the saved tables are those of the Markdown; only models out of reach are in the first', () => {
  const tables = reproductionTables([like, other, failing]);
  expect(tables['evaloop-unreachable']?.rows).toEqual([['other', '5.423', '5.554 to 5.583']]);
  expect(tables['evaloop-recordings']?.rows[2]).toEqual(['alike', '5.010', '4.900 to 5.011', '5.030', '0.020', '1']);
  expect(tables['evaloop-tasks']?.rows.map(([entry]) => entry?.split(':')[0])).toEqual([
    '**MBPP/84**, 2 models',
    '**MBPP/84**, 1 model',
  ]);
});
