import type { SpecStudy } from '../../schemas/spec.ts';

/** Of the spec: a PromptSE study with its settings. */
export type PromptseStudy = Extract<SpecStudy, { kind: 'promptse' }>;
