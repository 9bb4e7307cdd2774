import type { SpecStudy } from '../../schemas/spec.ts';

/** An EVALOOP study of a spec, with its settings. */
export type EvaloopStudy = Extract<SpecStudy, { kind: 'evaloop' }>;
