import { expect, test } from 'vitest';
import { assumptionsOf } from '../../../activities/estimate/assumptions.ts';
import { specSchema } from '../../../schemas/spec.ts';

const pace = { programsPerSecond: 10, medianLatencyMs: () => null };
const assumed = (settings: object, format = 'humaneval') =>
  assumptionsOf(
    specSchema.parse({
      name: 'x',
      models: [{ id: 'm', provider: 'simulated', profile: 'strong' }],
      benchmarks: { b: { format, path: 'x' } },
      studies: [{ name: 'detail', kind: 'specificity', benchmark: 'b', settings }],
    }),
    [],
    pace as never,
    'container',
  ).join('\n');

test('of a specificity study it is said what is asked before it, and how often at most', () => {
  const all = assumed({ writer: 'm', summarizer: 'm', checker: 'm', labeller: 'm', secondLabeller: 'm' });
  expect(all).toMatch(/specificity, study detail: 42 prompts per task.*written, at most 5; each is solved/);
  expect(all).toMatch(/each is solved once by the checker; one answer a word limit, at most 3;/);
  // Two labellers, two passes each.
  expect(all).toMatch(/every summary is labelled 4 times, with up to 3 questions/);
  const bare = assumed({ wordLimits: [10], ratios: [0.5], maskRatios: [0.5], draws: 1 });
  expect(bare).toMatch(/specificity, study detail: 6 prompts per task/);
  expect(bare).not.toMatch(/written|checker|labelled/);
});

test('that drivers take longer is said where there are some', () => {
  expect(assumed({}, 'pareval')).toMatch(/pareval: a program is built and run once per thread count and repeat/);
  expect(assumed({})).not.toMatch(/pareval/);
});
