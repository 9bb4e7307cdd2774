/** Two runs with other phrasings of the same numbers: what a card compares of them. */
import { expect, test } from 'vitest';
import type { Solution } from '../../../domain/metrics/nfr-solutions.ts';
import { passCells, sharedPasses } from '../../../studies/robunfr/results/pass-cells.ts';

const solutions = (phrasings: readonly string[]): Solution[] =>
  phrasings.map((phrasing, number) => ({
    ...{ taskId: 'T/1', setting: 'nfr-integrated', dimension: 'care', variant: `care-0${number + 1}`, repetition: 0 },
    ...{ phrasing, outcomes: new Map([['base', phrasing.startsWith('odd') ? 'wrong_output' : 'pass'] as const]) },
    ...{ quality: null, timing: null, simulated: false },
  }));

// Red before: all four, so that the model of one run seemed to vary more between "the same" phrasings.
test('the spread is over the phrasings that both runs have asked', () => {
  const runs = [
    ['take care', 'odd one', 'think first', 'odd two'],
    ['take care', 'be calm', 'think first', 'be attentive'],
  ];
  const [found] = sharedPasses(
    runs.map((phrasings) => passCells(solutions(phrasings))),
    new Set(),
    new Map(),
  );
  expect(found?.prompts).toHaveLength(2);
  expect(found?.parts.map((tasks) => tasks.flat().map((part) => part?.numerator))).toEqual([
    [1, 1],
    [1, 1],
  ]);
});
