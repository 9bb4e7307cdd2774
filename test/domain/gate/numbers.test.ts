/** Units as people read them. */
import { expect, test } from 'vitest';
import { unitHead, withUnit } from '../../../domain/gate/numbers.ts';

// Red before: "0.50 loops", as if ASL counted them.
test('ASL and chain scores are scores: a margin and the head of a column say on which scale', () => {
  expect(withUnit('0.50', 'loops')).toBe('0.50 on the scale from 0 to the most loops');
  expect(withUnit('0.50', 'steps')).toBe('0.50 on the scale from 0 to all steps');
  expect(['loops', 'steps', '%'].map(unitHead)).toEqual(['0 to M', '0 to M', '%']);
});
