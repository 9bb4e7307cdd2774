/** Tables of prompt variants: their texts, their order by detail, and the themes they were labelled with. */
import { bool, float, int, text, type Table } from './column.ts';
import { cellKey, cellKeyNames } from './keys.ts';

export const variantTables = {
  variants: {
    name: 'variants',
    meaning: 'Prompt variants of each study, including missing ones.',
    schemaVersion: 1,
    key: ['run', 'study', 'benchmark', 'task_id', 'language', 'variant'],
    columns: {
      run: cellKey.run,
      study: cellKey.study,
      benchmark: cellKey.benchmark,
      task_id: cellKey.task_id,
      language: cellKey.language,
      variant: text('Name of the variant, as in the cell key.'),
      parent_variant: text('Variant that this one was made from.'),
      kind: text('Kind of variation: style, attack or detail.'),
      attack: text('Name of the attack.', { nullWhen: 'the kind is not attack' }),
      distance: float('Intended perturbation distance.', { nullWhen: 'the kind has none' }),
      emotion: text('Emotion of the writer.', { nullWhen: 'the kind has none' }),
      technical: text('Technical orientation of the writer.', { nullWhen: 'the kind has none' }),
      experience: text('Experience level of the writer.', { nullWhen: 'the kind has none' }),
      collaboration: text('Collaboration style of the writer.', { nullWhen: 'the kind has none' }),
      context: text('Working condition: complexity, collaboration or learning.', {
        nullWhen: 'the study has no contexts',
      }),
      augmentation: text('How its level of detail was made: minimal, summary, paragraphs, mask, maximal, original.', {
        nullWhen: 'the kind has none',
      }),
      level: float('Word limit of a summary, share of paragraphs kept, share of sentences masked.', {
        nullWhen: 'the augmentation has no levels',
      }),
      draw: int('Number of the prompt within its level, from 1.', { nullWhen: 'the level has one prompt' }),
      rewriter: text(
        'Id of the model that wrote it, or rules, or import; for prompts by level of detail: writer, summarizer.',
      ),
      template_version: text('Version of the templates.'),
      status: text(
        'accepted; flagged (asked, but a person should review it, see reason); or missing (no draw followed the ' +
          'rules; its cells were not asked).',
      ),
      reason: text('Why draws were rejected, with counts.', { nullWhen: 'the first draw was accepted' }),
      attempts: int('Draws made.'),
      words: int('Words in its passages.', { nullWhen: 'the variant is missing' }),
      technical_share: float(
        'Share of these words that are technical terms (data/promptse/technical-terms.json), 0 to 1.',
        {
          nullWhen: 'the variant is missing or has no passages, or an older program wrote it',
        },
      ),
      edit_distance: float(
        "Measured: words to change from the original's passages / words of the longer text, 0 to 1.",
        {
          nullWhen: 'the variant is missing',
        },
      ),
      prompt: text('The whole prompt.', { nullWhen: 'the variant is missing', holds: ['prompts', 'data-sets'] }),
      simulated: bool('True if a simulated model helped to make it; false for rules and imported variants.'),
    },
  },
  variant_order: {
    name: 'variant_order',
    meaning: 'Every pair of prompts of a task in which one has less detail than the other, including indirect pairs.',
    schemaVersion: 1,
    key: ['run', 'study', 'benchmark', 'task_id', 'language', 'lower', 'upper'],
    columns: {
      run: cellKey.run,
      study: cellKey.study,
      benchmark: cellKey.benchmark,
      task_id: cellKey.task_id,
      language: cellKey.language,
      lower: text('Variant with less detail.'),
      upper: text('Variant with more detail.'),
      included: bool("Whether the upper variant's description contains every sentence of the lower one's verbatim.", {
        nullWhen: 'one of them is missing',
      }),
    },
  },
  labels: {
    name: 'labels',
    meaning:
      'Themes that a labelling model found in each labelled prompt: one row per theme, or one row without theme ' +
      'if none was found or the answer could not be read.',
    schemaVersion: 1,
    key: [...cellKeyNames, 'labeller', 'pass', 'theme'],
    columns: {
      ...cellKey,
      labeller: text('Id of the labelling model.'),
      pass: int('Number of the labeller’s pass over all summaries, from 0.'),
      taxonomy: text('Version of the taxonomy.'),
      theme: text('Id of a theme that the prompt has.', {
        nullWhen: 'the prompt has none, or no answer could be read; see reason',
      }),
      asks: int('How often the labeller was asked, until an answer could be read or the limit was reached.'),
      reason: text('Why there are no labels.', { nullWhen: 'the answer was read' }),
      simulated: bool('True when the labeller is simulated.'),
    },
  },
} as const satisfies Record<string, Table>;
