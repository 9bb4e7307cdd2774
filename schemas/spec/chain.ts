/** EVALOOP's translation chain: code goes from language to language and is tested in each. */
import { z } from 'zod';
import { extraction, maxReferenceMs, maxTokens, studyModels, studyName, temperature, topP } from './fields.ts';

const chainSettings = z.strictObject({
  through: z
    .array(z.string())
    .min(1)
    .max(20)
    .describe(
      'Entries of `benchmarks` in the order of the chain, each a file of one language; the paper: PHP, Ruby, JavaScript, Perl and Python again.',
    ),
  tasks: z
    .enum(['mbpp-plus', 'shared'])
    .default('mbpp-plus')
    .describe('Of the tasks that all these files share: those that are in MBPP+ too, as in the paper, or all.'),
  scoring: z
    .enum(['squares', 'counts'])
    .default('squares')
    .describe(
      'squares: a failure ends the chain, and i steps passed in a row weigh i², as the text says; counts: every step is fed the one before, right or wrong, and the score is the mean number of steps passed, as in the authors’ code.',
    ),
  signature: z
    .boolean()
    .default(true)
    .describe('False: the model is not told the function’s name in the next language, and most tests miss it.'),
  temperature: temperature.default(0),
  topP: topP.default(1),
  maxTokens: maxTokens.default(1024),
});
export const chainStudy = z.strictObject({
  name: studyName,
  kind: z
    .literal('evaloop-translation')
    .describe(
      'Translation from language to language, tested in each (EVALOOP, section 5). Needs the container sandbox. See docs/studies/chain.md.',
    ),
  benchmark: z.string().describe('The entry of `benchmarks` whose references start the chain.'),
  models: studyModels,
  repetitions: z.int().min(1).max(1000).default(1).describe('Times that everything is done anew.'),
  extraction,
  maxReferenceMs,
  settings: chainSettings.describe('The order of the languages has no default.'),
});
