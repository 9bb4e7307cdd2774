/** Translation chains in a multiverse: the score as in the paper's text, and as in the authors' code. */
import { measuredBy, type ChosenSource, withoutOwnChoices } from '../../../analysis/multiverse/measured.ts';
import { firstAnswersSource } from '../../../analysis/gate/solutions.ts';
import type { SpecStudy } from '../../../schemas/spec.ts';
import { chainSource } from './gate.ts';
import type { ChainScoring } from './score.ts';

type ChainStudy = Extract<SpecStudy, { kind: 'evaloop-translation' }>;

const counted = ['counts', 'squares'] as const satisfies readonly ChainScoring[];

const scores: ChosenSource<ChainStudy> = {
  // A run scored by `squares` does not translate further after a failure, so it cannot be scored by `counts`.
  choices: [{ name: 'scoring', options: ({ settings }) => (settings.scoring === 'counts' ? counted : ['squares']) }],
  read(database, sides, options) {
    const scoring = counted.find((one) => one === options.scoring) ?? 'squares';
    const [first, ...others] = sides.map((side) => ({
      ...side,
      study: { ...side.study, settings: { ...side.study.settings, scoring } },
    }));
    return first === undefined ? Promise.resolve([]) : measuredBy(chainSource, database, [first, ...others]);
  },
};

export const chainMultiverse = [withoutOwnChoices(firstAnswersSource), scores];
