/** What AUC-E and its excess depend on: chance differences between scores are smaller with more answers. */
import type { NeededSettings } from '../../../analysis/gate/needed-settings.ts';
import type { SpecStudy } from '../../../schemas/spec.ts';
import type { Method } from './elasticity/elasticity-rows.ts';

type PromptseStudy = Extract<SpecStudy, { kind: 'promptse' }>;

/** Each score is of one prompt's answers. */
const full: NeededSettings<PromptseStudy> = {
  ...{ metrics: ['auc_e_normalized', 'auc_e_excess'], condition: 'full', areNumbers: true },
  settingsOf: ({ settings: { samples, logprobs } }) => (logprobs ? { samples } : null),
};

/** The original's answers against those of all variants together. */
const lightArea: NeededSettings<PromptseStudy> = {
  ...{ metrics: ['auc_e_normalized'], condition: 'light', areNumbers: true },
  settingsOf: ({ settings: { samples, lightSamples, variants } }) => ({ samples: lightSamples ?? samples, variants }),
};

/** And against the original's other answers. */
const lightExcess: NeededSettings<PromptseStudy> = {
  ...{ metrics: ['auc_e_excess'], condition: 'light', areNumbers: true },
  settingsOf: ({ repetitions, settings: { samples, lightSamples, variants } }) => ({
    ...{ samples, lightSamples: lightSamples === samples ? 'all' : (lightSamples ?? 'all'), variants, repetitions },
  }),
};

export const areaNumbers: Readonly<Record<Method, NeededSettings<PromptseStudy>>> = { full, light: lightArea };
export const excessNumbers: Readonly<Record<Method, NeededSettings<PromptseStudy>>> = { full, light: lightExcess };
export const promptseNumbers = [full, lightArea, lightExcess];
