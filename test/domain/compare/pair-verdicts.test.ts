/** The quick verdicts are those of the full comparison. */
import { expect, test } from 'vitest';
import { comparePairs } from '../../../domain/compare/pairs.ts';
import { pairVerdicts } from '../../../domain/compare/pair-verdicts.ts';
import { standingsOf } from '../../../domain/compare/standings.ts';
import { uniform } from '../../../domain/random.ts';

type Draw = (random: () => number, model: number) => number;

const kinds: Readonly<Record<string, { readonly hi: number; readonly draw: Draw }>> = {
  'passed or failed': { hi: 100, draw: (random, model) => (random() < 0.2 + 0.03 * model ? 100 : 0) },
  'squares of loops': { hi: 10, draw: (random, model) => Math.floor(random() * (2 + 0.4 * model)) ** 2 / 10 },
  'real scores': { hi: 1, draw: (random, model) => random() ** (1 / (1 + 0.08 * model)) },
  'equal scores': { hi: 1, draw: () => 0.5 },
};

test.each(Object.entries(kinds))('of 22 models on 60 tasks: %s', (_, { hi, draw }) => {
  for (const seed of [1, 2]) {
    const random = uniform(seed);
    const values = Array.from({ length: 22 }, (__, model) => Array.from({ length: 60 }, () => draw(random, model)));
    const options = {
      direction: 'higher',
      range: { kind: 'bounded', lo: 0, hi },
      margin: 0,
      alpha: 0.05,
      seed,
    } as const;
    const [full, quick] = [comparePairs(values, options), pairVerdicts(values, options)];
    expect(quick.map(({ first, second, verdict }) => [first, second, verdict])).toEqual(
      full.map(({ first, second, verdict }) => [first, second, verdict]),
    );
    expect(standingsOf({ values }, quick, options)).toEqual(standingsOf({ values }, full, options));
  }
});

test('few pairs have the exact p; a single model has none', () => {
  const values = [
    [1, 1, 1, 1, 1, 1],
    [0, 0, 0, 0, 0, 0],
  ];
  const options = { direction: 'higher', range: { kind: 'bounded', lo: 0, hi: 1 }, alpha: 0.05, seed: 1 } as const;
  expect(pairVerdicts(values, options)).toEqual([{ first: 0, second: 1, p: 2 / 2 ** 6, verdict: 'better' }]);
  expect(pairVerdicts(values.slice(1), options)).toEqual([]);
});
