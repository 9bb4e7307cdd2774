import { expect, it } from 'vitest';
import { executionKey, limitsFor, limitsRule } from '../../activities/judging/execution-key.ts';
import type { Suite, Task } from '../../schemas/task.ts';

const reference = { key: 'k', outcome: 'pass', firstFailingCase: null } as const;

it('limits follow the reference above a floor: time by case, output in all', () => {
  const light = limitsFor({ ...reference, outputs: ['1', null], caseMs: [3, 700] }, { inputs: [[1], [2], [3]] });
  expect(light).toMatchObject({ caseTimeoutMs: [1000, 1400, 1000], outputBytes: 8 * 1024 * 1024 });
  // HumanEval/15's reference gives 9 MB on the plus inputs.
  const heavy = limitsFor(
    { ...reference, outputs: ['x'.repeat(6_000_000), 'x'.repeat(3_000_000)], caseMs: [3, 3] },
    { inputs: [[1], [2]] },
  );
  expect(heavy.outputBytes).toBe(18_000_000);
});

it('a benchmark can have its own rule for limits; another rule makes other verdicts', () => {
  const judging = { caseLimitMs: 4000, referenceFactor: 4, missingPackage: 'failed' } as const;
  const suite: Suite = { name: 'base', inputs: [[1], [2]], expected: null, oracle: { rule: 'equal' }, judging };
  const own = limitsFor({ ...reference, outputs: ['1', '2'], caseMs: [3, 1700] }, suite);
  expect(own.caseTimeoutMs).toEqual([4000, 6800]);
  expect(limitsRule(suite)).toContain('max(4000 ms, 4 x reference)');
  const { judging: _none, ...usual } = suite;
  const excluded: Suite = { ...suite, judging: { ...judging, missingPackage: 'excluded' } };
  const keyOf = (one: Suite) =>
    executionKey({ tier: 't', engine: 'e', imageDigest: 'd' }, { recordSha256: 'a' } as Task, one, 'code');
  expect(new Set([usual, suite, excluded].map(keyOf)).size).toBe(3);
});

/** Runs of version 0.1 know their verdicts by this text. */
it('the text of the default rule never changes', () => {
  expect(limitsRule({})).toBe(
    '{"memory_bytes":536870912,"output_bytes":"max(8388608, 2 x reference)","rule":"time per input: max(1000 ms, ' +
      '2 x reference), confirmed alone before it is recorded"}',
  );
});
