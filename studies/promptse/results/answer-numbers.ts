/** What AUC-E and its excess depend on: chance differences between scores are smaller with more answers. */
import type { AnswerNumbers } from '../../../analysis/gate/answer-numbers.ts';
import type { SpecStudy } from '../../../schemas/spec.ts';
import type { Method } from './elasticity/elasticity-rows.ts';

type PromptseStudy = Extract<SpecStudy, { kind: 'promptse' }>;

/** Each score is of one prompt's answers. */
const full: AnswerNumbers<PromptseStudy> = {
  ...{ metrics: ['auc_e_normalized', 'auc_e_excess'], condition: 'full' },
  numbersOf: ({ settings: { samples, logprobs } }) => (logprobs ? { samples } : null),
};

/** The original's answers against those of all variants together. */
const lightArea: AnswerNumbers<PromptseStudy> = {
  ...{ metrics: ['auc_e_normalized'], condition: 'light' },
  numbersOf: ({ settings: { samples, lightSamples, variants } }) => ({ samples: lightSamples ?? samples, variants }),
};

/** And against the original's other answers. */
const lightExcess: AnswerNumbers<PromptseStudy> = {
  ...{ metrics: ['auc_e_excess'], condition: 'light' },
  numbersOf: ({ repetitions, settings: { samples, lightSamples, variants } }) => ({
    ...{ samples, lightSamples: lightSamples === samples ? 'all' : (lightSamples ?? 'all'), variants, repetitions },
  }),
};

export const areaNumbers: Readonly<Record<Method, AnswerNumbers<PromptseStudy>>> = { full, light: lightArea };
export const excessNumbers: Readonly<Record<Method, AnswerNumbers<PromptseStudy>>> = { full, light: lightExcess };
export const promptseNumbers = [full, lightArea, lightExcess];
