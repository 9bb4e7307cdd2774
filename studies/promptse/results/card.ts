/** PromptSE on a model's card: the excess of AUC-E over its noise floor. */
import type { CardSource } from '../../../analysis/card/card-source.ts';
import { changedPrompts } from '../../../analysis/gate/changed-prompts.ts';
import { haveSameSettings } from '../../../analysis/gate/needed-settings.ts';
import { decimals } from '../../../analysis/report/format.ts';
import { type CardMetric, type SaidEstimate, withoutParentheses } from '../../../domain/card/card-metric.ts';
import type { SpecStudy } from '../../../schemas/spec.ts';
import type { OpenValues } from '../../../analysis/gate/compared.ts';
import { excessNumbers } from './answer-numbers.ts';
import { type Method, methods } from './elasticity/elasticity-rows.ts';
import { mostArea, openElasticities } from './gate.ts';

type PromptseStudy = Extract<SpecStudy, { kind: 'promptse' }>;

const excess: CardMetric = {
  ...{ name: 'auc_e_excess', title: 'AUC-E above its floor', trait: 'wording', direction: 'higher', unit: '' },
  meaning: 'How stable passing is when the wording changes, above what chance alone explains: below 0, wording matters',
  text: (value) => decimals(value, 3),
  says: (said) => `${findingOf(said)} (AUC-E above its floor: ${withoutParentheses(said)})`,
};

/** Below the floor, wording changes answers more than a second draw of the same prompt does. */
function findingOf({ interval }: SaidEstimate): string {
  if (interval !== null && (interval.hi ?? 1) < 0) return 'changes with the wording more than by chance';
  if (interval !== null && interval.lo > 0) return 'changes with the wording less than by chance';
  return 'is not shown to change with the wording more than by chance';
}

/** By both methods, each only for the same numbers of answers to the same prompts. */
export const elasticityCard: CardSource<PromptseStudy> = {
  metrics: [excess],
  read: async (database, { sides, changed: changedTasks }) => {
    const changed = changedTasks.union(await changedPrompts(database, sides));
    const open: Record<Method, OpenValues[]> = { full: [], light: [] };
    // One side at a time, so that only its scores are in memory.
    for (const side of sides) {
      const found = await openElasticities(database, side, changed);
      for (const method of methods) open[method].push(found[method].excess);
    }
    const alike = methods.filter((method) => haveSameSettings(sides, excessNumbers[method]));
    return alike.map((method) => ({
      ...{ metric: excess, condition: method, values: open[method].map(({ values }) => values) },
      range: { kind: 'bounded', lo: -mostArea, hi: mostArea },
      ...(open[method].some(({ unjudged }) => unjudged > 0) && {
        extremes: { least: open[method].map(({ least }) => least), most: open[method].map(({ most }) => most) },
      }),
    }));
  },
};
