/** What the columns of a translation chain's tables mean. */
import type { Glossary } from '../../../analysis/report/meanings/glossary.ts';

export const chainMeanings: Glossary = {
  method: 'Intervals: 95 %, over tasks.',
  heads: {
    ASL: 'Average Sustainable Loops of the chain: 0 to its number of steps, more is better',
    Drop: 'Share that passes the first step minus the share that passes the last',
    'Chains n': 'Chains that were judged to their end',
    'No start': 'Tasks whose reference fails its own tests: not counted',
    Excluded: 'Chains with an answer that could not be judged: what is known of them counts',
    n: 'Failed translations for this reason',
    Of: 'Translations that were tried',
    Share: 'Failed translations for this reason among those tried',
  },
  patterns: [[/^\d+\. /, 'Share of chains whose code passes in this language, of those known']],
};
