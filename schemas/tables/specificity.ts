/** Tables of PartialOrderEval: results by prompt, curves over levels of detail, and themes of prompts. */
import { bool, float, int, interval, levelInterval, text, type Column, type Table } from './column.ts';
import { cellKey, cellKeyNames } from './keys.ts';

const specificityKey = {
  run: cellKey.run,
  study: cellKey.study,
  model: cellKey.model,
  benchmark: cellKey.benchmark,
  language: cellKey.language,
  setting: cellKey.setting,
  family: text('Model family.', { nullWhen: 'the spec does not say' }),
  size_b: float('Number of parameters.', { unit: '1e9', nullWhen: 'the spec does not say' }),
  augmentation: text('minimal, summary, paragraphs, mask, maximal, original.'),
} as const satisfies Record<string, Column>;

const themeKey = {
  run: cellKey.run,
  study: cellKey.study,
  benchmark: cellKey.benchmark,
  language: cellKey.language,
  taxonomy: text('Version of the taxonomy.'),
  theme: text('Id of the theme.'),
  name: text('Name of the theme.'),
} as const satisfies Record<string, Column>;

export const specificityTables = {
  prompt_passes: {
    name: 'prompt_passes',
    meaning: 'PartialOrderEval: whether the answer to each prompt passed.',
    schemaVersion: 1,
    key: cellKeyNames,
    columns: {
      ...cellKey,
      augmentation: text('minimal, summary, paragraphs, mask, maximal, original.'),
      level: float('Word limit, share of paragraphs kept, share of sentences masked.', {
        nullWhen: 'the augmentation has no levels',
      }),
      draw: int('Number of the prompt within its level, from 1.', { nullWhen: 'the level has one prompt' }),
      words: int("Words in the prompt's description.", { nullWhen: 'the prompt is missing' }),
      passed: bool('True if the answer passed every suite; false without code.', {
        nullWhen: 'the answer does not count; see reason',
      }),
      reason: text('Why the answer does not count: the prompt is missing, or a limit of evenkeel.', {
        nullWhen: 'it counts',
      }),
      pragma_missing: bool('True if the program has no OpenMP pragma; it is judged like all others.', {
        nullWhen: 'the task is not for OpenMP, or there is no program',
      }),
      simulated: bool('True when the model is simulated.'),
    },
  },
  specificity_curve: {
    name: 'specificity_curve',
    meaning:
      'PartialOrderEval: pass@1 at each level of detail, by model and augmentation; for masking also by position ' +
      'of the block. Scores are first averaged within tasks.',
    schemaVersion: 1,
    key: ['run', 'study', 'model', 'benchmark', 'language', 'setting', 'augmentation', 'level', 'draw'],
    columns: {
      ...specificityKey,
      level: float('Word limit, share of paragraphs kept, share of sentences masked.', {
        nullWhen: 'the augmentation has no levels',
      }),
      draw: int('Position of the masked block, 1 at the beginning.', {
        nullWhen: 'the row is over all prompts of the level',
      }),
      words: float(
        "Mean words in the prompts' descriptions. It covers all prompts of the level, so it has no interval.",
        {
          unit: 'words',
          nullWhen: 'there is no prompt',
        },
      ),
      ...interval('pass_at_1', 'Mean over tasks of the share of the prompts that passed'),
      ...interval('to_maximal', "pass@1 minus the maximal prompt's, over tasks with both", {
        value: 'no task has both, or it is the maximal prompt itself',
      }),
      ...interval('to_original', "pass@1 minus the original prompt's, over tasks with both", {
        value: 'no task has both, or it is the original prompt itself',
      }),
      ...interval('to_level', "For one position of the block: pass@1 minus the level's pass@1 over all positions", {
        value: 'the row is of all positions, or no task has both',
      }),
      confidence: float('Confidence level of the intervals.'),
      interval_method: text('How the intervals were made.'),
      n: int('Tasks that count.'),
      n_prompts: int('Prompts that count.'),
      n_excluded: int('Prompts that do not count: missing, or stopped by a limit of evenkeel.'),
      n_without_pragma: int('Answers without an OpenMP pragma. They are judged like all others.', {
        nullWhen: 'the tasks need none',
      }),
      own_check: bool(
        'True when the model itself was the checker: the prompts derive from a maximal prompt selected by the ' +
          "model's own success.",
      ),
      reason: text('Why pass_at_1 is null.', { nullWhen: 'pass_at_1 is not null' }),
      simulated: bool('True when the model is simulated.'),
    },
  },
  specificity_summary: {
    name: 'specificity_summary',
    meaning:
      'PartialOrderEval: by model, the smallest sufficient level of each curve, and the maximal prompt compared ' +
      'with the original.',
    schemaVersion: 1,
    key: ['run', 'study', 'model', 'benchmark', 'language', 'setting', 'augmentation'],
    columns: {
      ...specificityKey,
      within: float('x: how far below the maximal pass@1 is still sufficient.'),
      ...levelInterval('sufficient', "Level with the least detail whose pass@1 is within x of the maximal prompt's"),
      ...levelInterval(
        'reaches_original',
        "Level with the least detail whose pass@1 reaches the original prompt's; " +
          'none if even the maximal prompt does not',
      ),
      ...interval('pass_at_1_maximal', "The maximal prompt's pass@1"),
      ...interval('pass_at_1_original', "The original prompt's pass@1"),
      ...interval('maximal_to_original', "Maximal pass@1 minus the original's"),
      maximal_to_original_p: float(
        "p of McNemar's exact test of the two; if tasks were asked several times, " +
          'of the sign-flip test of their means.',
        {
          nullWhen: 'no task counts',
        },
      ),
      confidence: float('Confidence level of the intervals.'),
      interval_method: text('How the intervals were made.'),
      n: int('Tasks with a score at every level of the curve, and of the original prompt if that was asked.'),
      n_excluded: int('Tasks that lack one of these scores.'),
      own_check: bool('True when the model itself was the checker.'),
      reason: text('Why levels are null.', { nullWhen: 'levels are not null' }),
      simulated: bool('True when the model is simulated.'),
    },
  },
  specificity_pairs: {
    name: 'specificity_pairs',
    meaning:
      'PartialOrderEval: monotonicity. Every pair of levels that differ in detail, with a paired test of their ' +
      'pass@1; all pairs of a model form one family.',
    schemaVersion: 1,
    key: ['run', 'study', 'model', 'benchmark', 'language', 'setting', 'augmentation', 'lower', 'upper'],
    columns: {
      ...specificityKey,
      lower: text('Level with less detail.'),
      upper: text('Level with more detail.'),
      ...interval('lower_pass_at_1', 'pass@1 of the lower level, over tasks with both'),
      ...interval('upper_pass_at_1', 'pass@1 of the upper level, over tasks with both'),
      ...interval('difference', 'upper minus lower'),
      violates: bool('True if pass@1 is lower with more detail.', { nullWhen: 'difference is null' }),
      test: text(
        'mcnemar (exact; one prompt on each side) or sign flip (permutation of the two sides within tasks); ' +
          'paired bootstrap in older rows.',
      ),
      p: float('Two-sided p of the test.', { nullWhen: 'no task counts' }),
      p_holm: float('p adjusted by Holm over the family.', { nullWhen: 'p is null' }),
      p_bh: float('p adjusted by Benjamini-Hochberg over the family.', { nullWhen: 'p is null' }),
      family_size: int('Pairs of the model.'),
      confidence: float('Confidence level of the interval.'),
      interval_method: text('How the interval was made.'),
      n: int('Tasks with both.'),
      simulated: bool('True when the model is simulated.'),
    },
  },
  specificity_sizes: {
    name: 'specificity_sizes',
    meaning:
      'PartialOrderEval: the gap between the largest and the smallest model of a family at each level of detail.',
    schemaVersion: 1,
    key: ['run', 'study', 'benchmark', 'language', 'setting', 'family', 'augmentation', 'level'],
    columns: {
      run: cellKey.run,
      study: cellKey.study,
      benchmark: cellKey.benchmark,
      language: cellKey.language,
      setting: cellKey.setting,
      family: text('Model family.'),
      smallest: text('Its smallest model.'),
      largest: text('Its largest model.'),
      smallest_size_b: float('Number of parameters.', { unit: '1e9' }),
      largest_size_b: float('Number of parameters.', { unit: '1e9' }),
      augmentation: text('minimal, summary, paragraphs, mask, maximal, original.'),
      level: float('Word limit, share of paragraphs kept, share of sentences masked.', {
        nullWhen: 'the augmentation has no levels',
      }),
      ...interval('smallest_pass_at_1', 'pass@1 of the smallest model, over tasks with both'),
      ...interval('largest_pass_at_1', 'pass@1 of the largest model, over tasks with both'),
      ...interval('gap', 'largest minus smallest'),
      confidence: float('Confidence level of the intervals.'),
      interval_method: text('How the intervals were made.'),
      n: int('Tasks with both.'),
      simulated: bool('True when one of the models is simulated.'),
    },
  },
  theme_counts: {
    name: 'theme_counts',
    meaning:
      'PartialOrderEval: number of summaries with each theme, by word limit. A summary counts by the share of ' +
      'labelling passes that found the theme in it.',
    schemaVersion: 1,
    key: ['run', 'study', 'benchmark', 'language', 'theme', 'level'],
    columns: {
      ...themeKey,
      category: text('Category of the theme.'),
      level: float('Word limit.', { unit: 'words' }),
      n_prompts: int('Summaries with a readable labelling.'),
      n_with: float('Of these, summaries with the theme.'),
      ...interval('share', 'n_with / n_prompts'),
      n_tasks: int('Tasks that these summaries belong to.'),
      confidence: float('Confidence level of the interval.'),
      interval_method: text('How the interval was made.'),
      simulated: bool('True when a simulated model labelled.'),
    },
  },
  theme_agreement: {
    name: 'theme_agreement',
    meaning:
      'PartialOrderEval: agreement of the labelling passes (of all labellers) on each theme, over all summaries.',
    schemaVersion: 1,
    key: ['run', 'study', 'benchmark', 'language', 'theme'],
    columns: {
      ...themeKey,
      ...interval('alpha', "Krippendorff's alpha over all passes, nominal"),
      ...interval('kappa', "Cohen's kappa of the first two passes"),
      n: int('Summaries labelled in both of the first two passes.'),
      confidence: float('Confidence level of the intervals.'),
      interval_method: text('How the intervals were made.'),
      reason: text('Why alpha is null.', { nullWhen: 'alpha is not null' }),
      simulated: bool('True when a simulated model labelled.'),
    },
  },
  theme_passing: {
    name: 'theme_passing',
    meaning:
      'PartialOrderEval: how passing is associated with themes. ' +
      'Pass rates of summaries with and without a theme, and their difference at equal word limits. ' +
      'Themes were not randomly assigned, so this says nothing about causes.',
    schemaVersion: 1,
    key: ['run', 'study', 'benchmark', 'language', 'model', 'theme'],
    columns: {
      ...themeKey,
      model: cellKey.model,
      ...interval('pass_with', 'Pass rate of summaries in which more than half of the passes found the theme'),
      ...interval('pass_without', 'Pass rate of the other summaries'),
      ...interval('difference', 'pass_with - pass_without, within word limits'),
      n_with: int('Answers to summaries with the theme.'),
      n_without: int('Answers to the other summaries.'),
      n_tasks: int('Tasks that these answers belong to.'),
      confidence: float('Confidence level of the interval.'),
      interval_method: text('How the interval was made.'),
      reason: text('Why difference is null.', { nullWhen: 'difference is not null' }),
      simulated: bool('True when the model is simulated, or a simulated model labelled.'),
    },
  },
} as const satisfies Record<string, Table>;
