/**
 * The second registry: the results of each kind of study. Separate from the first because it loads the query engine,
 * which only code that computes or reads results needs.
 */
import type { Spec, SpecStudy } from '../schemas/spec.ts';
import { chainResults } from './chain/results/index.ts';
import { evaloopResults } from './evaloop/results/index.ts';
import { passResults } from './pass/results/index.ts';
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
  pass: passResults,
} satisfies Record<SpecStudy['kind'], StudyResults>;

/** In the order of a report. */
export const allResults: readonly StudyResults[] = [...new Set(Object.values(results))];

/** The results of a spec's kinds of study, each once, in the order of their first studies. */
export const resultsOf = ({ studies }: Spec): StudyResults[] => [...new Set(studies.map(({ kind }) => results[kind]))];

export const resultsOfKind = (kind: SpecStudy['kind']): StudyResults => results[kind];
