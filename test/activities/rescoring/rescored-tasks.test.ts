import { expect, test } from 'vitest';
import { holdsUnder } from '../../../activities/rescoring/rescored-tasks.ts';
import { usualJudging } from '../../../activities/judging/execution-key.ts';
import type { JudgingRule, Suite } from '../../../schemas/task.ts';

const suite = (judging: Partial<JudgingRule>): Suite =>
  ({ name: 'base', inputs: [], judging: { ...usualJudging, ...judging } }) as unknown as Suite;
const usual = suite({});

test.each([
  ['a pass under a longer limit', 'pass', suite({ caseLimitMs: 4000 }), true],
  ['a time-out under a longer limit', 'cpu_timeout', suite({ caseLimitMs: 4000 }), false],
  ['a wall time-out under a larger factor', 'wall_timeout', suite({ referenceFactor: 3 }), false],
  ['a wrong output under a larger factor', 'wrong_output', suite({ referenceFactor: 3 }), true],
  ['a pass under a shorter limit', 'pass', suite({ caseLimitMs: 500 }), false],
  ['a pass under a longer limit and a smaller factor', 'pass', suite({ caseLimitMs: 4000, referenceFactor: 1 }), false],
  ['a pass under another rule for packages', 'pass', suite({ missingPackage: 'failed' }), false],
  ['a time-out under the same rule', 'cpu_timeout', usual, true],
] as const)('%s', (_what, outcome, now, holds) => expect(holdsUnder({ outcome }, usual, now)).toBe(holds));
