import { expect, test } from 'vitest';
import { interruptedText } from '../../../cli/output/interrupted-text.ts';

// Red before: "nothing is lost" in every case, also of calls that were paid for and whose answers were not stored.
test.each([
  [0, false, 'nothing is lost. Continue with:'],
  [
    2,
    false,
    'all stored answers are safe. 2 calls have no stored answer: charged at the most that they can cost when the run ' +
      'is resumed, and asked again. Continue with:',
  ],
  [0, true, 'all stored answers are safe. The disk is full: free some space first. Then continue with:'],
  [
    1,
    true,
    'all stored answers are safe. 1 call has no stored answer: charged at the most that it can cost when the run is ' +
      'resumed, and asked again. The disk is full: free some space first. Then continue with:',
  ],
])('%d calls without a stored answer, disk full: %s', (open, isDiskFull, text) => {
  expect(interruptedText({ open, isDiskFull, command: 'resume r' })).toBe(`interrupted; ${text}\n  resume r`);
});
