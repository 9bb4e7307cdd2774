/** Where the variance of a study's answers is. */
import { bool, float, int, interval, type Table, text } from './column.ts';
import { cellKey } from './keys.ts';

export const variancePartTables = {
  variance_parts: {
    name: 'variance_parts',
    meaning:
      'Where the variance of passing is: between models, tasks, variants, their interactions, repetitions and ' +
      'samples; over the first programs of all tasks to which every model of the study has an answer that counts in ' +
      'every variant.',
    schemaVersion: 1,
    key: ['run', 'study', 'benchmark', 'language', 'setting', 'step', 'variants', 'part'],
    columns: {
      run: cellKey.run,
      study: cellKey.study,
      benchmark: cellKey.benchmark,
      language: cellKey.language,
      setting: cellKey.setting,
      step: text('Step whose answers are judged.'),
      variants: text('Variants that are compared: all, or those that word the same requirement.'),
      part: text(
        'model, task, variant; model_task, model_variant, task_variant, model_task_variant (interactions); run ' +
          '(repetitions of a cell); sample (answers within a repetition).',
      ),
      ...interval(
        'variance',
        'Variance of one answer, 1 if it passes and 0 if not, that this part contributes; an estimate that no ' +
          'true value can have is given as the nearest that one can, such as 0 for a negative one',
      ),
      ...interval('share', 'The same as a share of the sum of all parts', {
        value: 'variance is null, or the sum of all parts is 0',
      }),
      levels: int('How many there are: models, tasks, variants, their combinations, repetitions or samples.'),
      n: int('Answers behind the estimates.'),
      n_tasks: int('Tasks to which every model has an answer that counts in every variant.'),
      n_excluded: int('Tasks left out because a model has no answer that counts in some variant.'),
      n_models: int('Models.'),
      n_variants: int('Variants.'),
      confidence: float('Confidence level of the intervals.'),
      method: text('How estimates and intervals were made. Intervals are over tasks, for these models and variants.'),
      reason: text('Why variance is null.', { nullWhen: 'variance is not null' }),
      simulated: bool('True when any of the models is simulated.'),
    },
  },
} as const satisfies Record<string, Table>;
