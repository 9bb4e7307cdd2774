/** Rules of the translation chain. */
import { unknownName } from '../../domain/spec/names.ts';
import type { StudyRules } from '../rules.ts';
import type { ChainStudy } from './steps.ts';

export const chainRules: StudyRules<ChainStudy> = {
  faults: ({ settings }, { benchmarks }) =>
    settings.through.flatMap((benchmark, at) =>
      unknownName(['settings', 'through', at], benchmark, Object.keys(benchmarks), 'benchmark'),
    ),
};
