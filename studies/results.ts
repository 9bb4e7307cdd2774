/** The second registry: what is made of each kind's answers. Only who makes or reads results loads it, since it brings the query engine. */
import type { Spec, SpecStudy } from '../schemas/spec.ts';
import { chainResults } from './chain/results/index.ts';
import { evaloopResults } from './evaloop/results/index.ts';
import { promptseResults } from './promptse/results/index.ts';
import { robunfrResults } from './robunfr/results/index.ts';
import { specificityResults } from './specificity/results/index.ts';
import type { StudyResults } from './study-results.ts';

const results = {
  evaloop: evaloopResults,
  'evaloop-translation': chainResults,
  promptse: promptseResults,
  'robunfr-prompts': robunfrResults,
  'robunfr-regression': robunfrResults,
  'robunfr-workflows': robunfrResults,
  specificity: specificityResults,
} satisfies Record<SpecStudy['kind'], StudyResults>;

/** Those of the kinds that a spec has, each once, in the order of their first studies. */
export const resultsOf = ({ studies }: Spec): StudyResults[] => [...new Set(studies.map(({ kind }) => results[kind]))];
