import { expect, it } from 'vitest';
import { limitsFor } from '../../activities/execution-key.ts';

const reference = { key: 'k', outcome: 'pass', firstFailingCase: null } as const;

it('limits follow the reference above a floor: time by case, output in all', () => {
  const light = limitsFor({ ...reference, outputs: ['1', null], caseMs: [3, 700] }, 3);
  expect(light).toMatchObject({ caseTimeoutMs: [1000, 1400, 1000], outputBytes: 8 * 1024 * 1024 });
  // HumanEval/15's reference gives 9 MB on the plus inputs.
  const heavy = limitsFor({ ...reference, outputs: ['x'.repeat(6_000_000), 'x'.repeat(3_000_000)], caseMs: [3, 3] }, 2);
  expect(heavy.outputBytes).toBe(18_000_000);
});
