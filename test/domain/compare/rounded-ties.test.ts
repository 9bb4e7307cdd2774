/** Values that would be equal without rounding: no task is better or worse by 1e-17. */
import { expect, test } from 'vitest';
import { pairVerdicts } from '../../../domain/compare/pair-verdicts.ts';
import { comparePairs, type PairOptions } from '../../../domain/compare/pairs.ts';
import { estimateOf } from '../../../domain/gate/estimate.ts';

/** As an area above a floor of the same size: 0 in one order of the sums, 1e-17 in another. */
const range = { kind: 'bounded', lo: -2 / 3, hi: 2 / 3 } as const;
const options: PairOptions = { direction: 'higher', range, margin: 0, alpha: 0.05, seed: 7 };
const summed = 0.1 + 0.2 - 0.3;
const tasks = Array.from({ length: 8 }, (_, task) => task);

// Red before: +8 -0 with p = 2 / 2^8, a difference that was shown.
test('eight tasks with 5.6e-17 against 0 are ties', () => {
  expect(summed).toBeGreaterThan(0);
  const [pair] = comparePairs([tasks.map(() => summed), tasks.map(() => 0)], options);
  expect(pair).toMatchObject({ better: 0, worse: 0, p: 1, difference: 0, verdict: 'inconclusive' });
  const [quick] = pairVerdicts([tasks.map(() => summed), tasks.map(() => 0)], options);
  expect(quick).toMatchObject({ p: 1, verdict: 'inconclusive' });
});

test('a difference of one answer of thousands is none of rounding', () => {
  const [pair] = comparePairs([tasks.map(() => 1e-6), tasks.map(() => 0)], options);
  expect(pair).toMatchObject({ better: 8, worse: 0 });
});

// Red before: eight tasks lost.
test('a gate counts no such task as lost', () => {
  const compared = { tasks: tasks.map((task) => ({ taskId: `T/${task}`, old: summed, now: 0 })), range, names: false };
  expect(estimateOf(compared, { level: 0.95, direction: 'higher' }).tasks).toMatchObject({ lost: 0, gained: 0 });
});

// Logarithms of times near 1 ms: terms are of size 1.
test('logarithms of equal times that were summed in another order are ties', () => {
  const timed = { ...options, direction: 'lower', range: { kind: 'logTime' } } as const;
  const [pair] = comparePairs([tasks.map(() => Math.log(0.7 + 0.2 + 0.1)), tasks.map(() => 0)], timed);
  expect(pair).toMatchObject({ better: 0, worse: 0, difference: 0 });
});
