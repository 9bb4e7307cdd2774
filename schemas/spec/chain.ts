/** EVALOOP's translation chain: code is translated from language to language and tested in each. */
import { z } from 'zod';
import { efforts, extraction, maxReferenceMs, maxTokens, studyModels, studyName, temperature, topP } from './fields.ts';

const chainSettings = z.strictObject({
  through: z
    .array(z.string())
    .min(1)
    .max(20)
    .describe(
      'Entries of `benchmarks` in the order of the chain, each a file of one language. The paper’s order: PHP, ' +
        'Ruby, JavaScript, Perl and back to Python.',
    ),
  tasks: z
    .enum(['mbpp-plus', 'shared'])
    .default('mbpp-plus')
    .describe(
      'Which of the tasks that all these files share: mbpp-plus, those also in MBPP+, as in the paper; shared, all.',
    ),
  scoring: z
    .enum(['squares', 'counts'])
    .default('squares')
    .describe(
      'squares, as in the paper’s text: a failure ends the chain, and i steps passed in a row weigh i². ' +
        'counts, as in the authors’ code: every step translates the previous answer, right or wrong, and the ' +
        'score is the mean number of steps passed.',
    ),
  signature: z
    .boolean()
    .default(true)
    .describe(
      'True: the prompt gives the function’s signature in the next language. False: it does not, and most tests ' +
        'do not find the function.',
    ),
  temperature: temperature.default(0),
  topP: topP.default(1),
  maxTokens: maxTokens.default(1024),
  efforts,
});
export const chainStudy = z.strictObject({
  name: studyName,
  kind: z
    .literal('evaloop-translation')
    .describe(
      'Translation from language to language, tested in each (EVALOOP, section 5). Needs the container sandbox. ' +
        'See docs/studies/chain.md.',
    ),
  benchmark: z.string().describe('The entry of `benchmarks` whose references start the chain.'),
  models: studyModels,
  repetitions: z.int().min(1).max(1000).default(1).describe('How often every cell is repeated.'),
  extraction,
  maxReferenceMs,
  settings: chainSettings.describe('Settings of the chain; `through` has no default.'),
});
