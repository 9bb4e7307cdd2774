import { expect, test } from 'vitest';
import { type ModelResult, reproductionMarkdown } from '../../bench/reproduce/markdown.ts';

const passes = { study: 's', taskId: 'MBPP/84', recorded: 0, here: 1, reason: 'the code of loop 1 passes every suite here' };
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
  differences: [{ ...passes, recorded: 2, here: 1, reason: 'the code of loop 2 comes to cpu_timeout on suite plus', seconds: null }],
};

test('models by how far they are apart, with what the recorded counts allow; 0.02 is within', () => {
  const lines = reproductionMarkdown([like, other, failing]).split('\n');
  expect(lines[0]).toBe(
    '1 of 3 models come to an ASL within 0.02 of the published one; 3 of 1134 tasks sustain another number of loops than recorded.',
  );
  expect(lines.slice(4, 7)).toEqual([
    '| other | 5.423 | 5.554 to 5.583 | 5.583 | 0.160: no similarity gives the published figure from these counts, so it is of another run than the recording | 1 |',
    '| failing | 5.010 | 4.900 to 5.011 | 4.970 | -0.040: apart | 1 |',
    '| alike | 5.010 | 4.900 to 5.011 | 5.030 | 0.020 | 1 |',
  ]);
});

test('tasks that come out otherwise, the commonest first, with the time of programs that failed there and pass here', () => {
  const lines = reproductionMarkdown([like, other, failing])
    .split('\n')
    .filter((line) => line.startsWith('| MBPP'));
  expect(lines).toEqual([
    '| MBPP/84 | 2 | alike 0 → 1, other 0 → 1 | the next program passes every suite here, in 0.50 to 2.50 s of processor time; the reference takes 1.25 s |',
    '| MBPP/84 | 1 | failing 2 → 1 | the next program comes to cpu_timeout on suite plus |',
  ]);
});
