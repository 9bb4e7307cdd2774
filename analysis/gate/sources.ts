/**
 * What a gate can judge of each kind of study: a new kind says here what it has beside the pass of its first answers.
 */
import type { SpecStudy } from '../../schemas/spec.ts';
import type { GateSource } from './compared.ts';
import { detailSource } from './detail-source.ts';
import { elasticitySource } from './elasticity-source.ts';
import { chainSource, loopsSource } from './loops-source.ts';
import { firstAnswersSource, requirementsSource } from './solutions-source.ts';

const sources: { readonly [K in SpecStudy['kind']]: readonly GateSource<Extract<SpecStudy, { kind: K }>>[] } = {
  evaloop: [firstAnswersSource, loopsSource],
  'evaloop-translation': [firstAnswersSource, chainSource],
  promptse: [firstAnswersSource, elasticitySource],
  'robunfr-prompts': [requirementsSource],
  'robunfr-regression': [requirementsSource],
  'robunfr-workflows': [requirementsSource],
  specificity: [firstAnswersSource, detailSource],
};

export const sourcesOf = (kind: SpecStudy['kind']): readonly GateSource[] => sources[kind] as readonly GateSource[];
