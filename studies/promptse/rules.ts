/** Rules of PromptSE. */
import type { Fault } from '../../domain/spec/faults.ts';
import type { StudyRules } from '../rules.ts';
import type { PromptseStudy } from './settings.ts';
import { templateFaults } from './template-faults.ts';

export const promptseRules: StudyRules<PromptseStudy> = {
  roleSettings: ({ settings }) => [{ setting: 'rewriter', model: settings.rewriter, without: 'rules' }],
  fileSettings: ({ settings: { variantSet } }) =>
    variantSet === undefined ? [] : [{ setting: 'variantSet', file: variantSet }],
  faults: ({ settings }) => [...sampleFaults(settings), ...confidenceFaults(settings), ...wordingFaults(settings)],
  additive: ['samples'],
  depth: ({ settings }) => ({ setting: 'samples', value: settings.samples }),
  assumptions: () => ['promptse: a variant is as long as its original; a rewriter needs one draw for each'],
};

type Settings = PromptseStudy['settings'];

const sampleFaults = ({ samples, lightSamples = 0 }: Settings): Fault[] =>
  lightSamples > samples
    ? [{ path: ['settings', 'lightSamples'], rule: `must be at most samples (${samples}), got ${lightSamples}` }]
    : [];

const confidenceFaults = ({ highConfidence, lowConfidence }: Settings): Fault[] =>
  highConfidence < lowConfidence
    ? [
        {
          path: ['settings', 'highConfidence'],
          rule: `must be at least lowConfidence (${lowConfidence}), got ${highConfidence}`,
        },
      ]
    : [];

/** Users may change the template files, so a study that generates variants checks them before it starts. */
const wordingFaults = ({ variantSet }: Settings): Fault[] =>
  variantSet === undefined ? templateFaults().map((rule) => ({ path: ['settings'], rule })) : [];
