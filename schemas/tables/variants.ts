/** Tables of the variants of a prompt: their texts, their order and the themes they were labelled with. */
import { bool, float, int, text, type Table } from './column.ts';
import { cellKey, cellKeyNames } from './keys.ts';

export const variantTables = {
  variants: {
    name: 'variants',
    meaning: 'Prompt variants of each study, the ones that could not be had included.',
    schemaVersion: 1,
    key: ['run', 'study', 'benchmark', 'task_id', 'language', 'variant'],
    columns: {
      run: cellKey.run,
      study: cellKey.study,
      benchmark: cellKey.benchmark,
      task_id: cellKey.task_id,
      language: cellKey.language,
      variant: text('Name of the variant, as in the cell key.'),
      parent_variant: text('Variant that it was made from.'),
      kind: text('What kind of variation: style (PromptSE), attack (EVALOOP), detail (PartialOrderEval).'),
      attack: text('Name of the attack.', { nullWhen: 'it is no attack' }),
      distance: float('Wanted perturbation distance.', { nullWhen: 'the kind has none' }),
      emotion: text('Emotion of the writer.', { nullWhen: 'the kind has none' }),
      technical: text('Technical orientation of the writer.', { nullWhen: 'the kind has none' }),
      experience: text('Experience level of the writer.', { nullWhen: 'the kind has none' }),
      collaboration: text('Collaboration style of the writer.', { nullWhen: 'the kind has none' }),
      context: text('Condition of work: complexity, collaboration or learning.', { nullWhen: 'the study has no contexts' }),
      augmentation: text('How its detail was made: minimal, summary, paragraphs, mask, maximal, original.', {
        nullWhen: 'the kind has none',
      }),
      level: float('Word limit of a summary, share of paragraphs kept, share of sentences masked.', { nullWhen: 'it has no levels' }),
      draw: int('Which of the prompts of its level, from 1.', { nullWhen: 'its level has one' }),
      rewriter: text('Id of the model that wrote it, rules, or import; of a poset: writer, summarizer.'),
      template_version: text('Version of the templates.'),
      status: text(
        'accepted, flagged (asked, and a person should look at it: see reason), or missing where no draw kept to the rules: its cells were not asked.',
      ),
      reason: text('Why draws were refused, with counts.', { nullWhen: 'the first draw was accepted' }),
      attempts: int('Draws made.'),
      words: int('Words in its passages.', { nullWhen: 'it is missing' }),
      technical_share: float('Share of these words that are technical terms (data/promptse/technical-terms.json), 0 to 1.', {
        nullWhen: 'it is missing, has no passages, or an older program wrote it',
      }),
      edit_distance: float("Measured: words to change from the original's passages, over the longer one's words, 0 to 1.", {
        nullWhen: 'it is missing',
      }),
      prompt: text('The whole prompt.', { nullWhen: 'it is missing' }),
      simulated: bool('True when a simulated model had a part in it; false for rules and imported variants.'),
    },
  },
  variant_order: {
    name: 'variant_order',
    meaning:
      'PartialOrderEval: every pair of prompts of a task of which one is below the other in detail. The order is transitive: all pairs are here.',
    schemaVersion: 1,
    key: ['run', 'study', 'benchmark', 'task_id', 'language', 'lower', 'upper'],
    columns: {
      run: cellKey.run,
      study: cellKey.study,
      benchmark: cellKey.benchmark,
      task_id: cellKey.task_id,
      language: cellKey.language,
      lower: text('Variant with less detail.'),
      upper: text('Variant with more.'),
      included: bool("Whether every sentence of the lower one's description stands verbatim in the upper one's.", {
        nullWhen: 'one of them is missing',
      }),
    },
  },
  labels: {
    name: 'labels',
    meaning:
      'PartialOrderEval: themes that a labelling model found in each summary; one row per theme, or one without theme where none was found or read.',
    schemaVersion: 1,
    key: [...cellKeyNames, 'labeller', 'pass', 'theme'],
    columns: {
      ...cellKey,
      labeller: text('Id of the labelling model.'),
      pass: int('Which of its runs over all summaries, from 0.'),
      taxonomy: text('Version of the taxonomy.'),
      theme: text('Id of a theme that the prompt has.', { nullWhen: 'it has none, or no answer could be read; see reason' }),
      asks: int('Questions until the answer was read, or given up.'),
      reason: text('Why there are no labels.', { nullWhen: 'the answer was read' }),
      simulated: bool('True when a simulated model labelled.'),
    },
  },
} as const satisfies Record<string, Table>;
