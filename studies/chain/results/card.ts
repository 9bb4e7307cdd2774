/** Translation chains on a model's card: the score. */
import type { CardSource } from '../../../analysis/card/card-source.ts';
import { decimals } from '../../../analysis/report/format.ts';
import type { CardMetric } from '../../../domain/card/card-metric.ts';
import { isSame } from '../../../analysis/gate/compared.ts';
import { type ChainStudy, chainScores } from './gate.ts';

const score: CardMetric = {
  ...{ name: 'chain_score', title: 'Chain score', trait: 'loops', direction: 'higher', unit: 'steps' },
  // Its scoring may square the steps, so that it does not count them.
  saidUnit: '',
  meaning: 'A score from 0 to the number of steps: how far chains of translations keep the code right',
  text: (value) => decimals(value, 2),
  says: ({ text }) => `scores ${text} in chains of translations`,
};

/** Only for the same settings. */
export const chainCard: CardSource<ChainStudy> = {
  metrics: [score],
  read: async (database, { sides }) => {
    if (!isSame(sides, ({ settings }) => settings)) return [];
    const { values, steps } = await chainScores(database, sides);
    const mapsOf = (of: 'values' | 'least' | 'most') => values.map((side) => side[of]);
    return [
      {
        ...{ metric: score, condition: 'all', range: { kind: 'bounded', lo: 0, hi: steps }, values: mapsOf('values') },
        ...(values.some(({ unjudged }) => unjudged > 0) && {
          extremes: { least: mapsOf('least'), most: mapsOf('most') },
        }),
      },
    ];
  },
};
