/** Tables of PromptSE: scores per prompt, elasticity and AUC-E. */
import { bool, type Column, estimate, float, int, interval, text, type Table } from './column.ts';
import { cellKey, cellKeyNames } from './keys.ts';

const calibrationKey = {
  run: cellKey.run,
  study: cellKey.study,
  model: cellKey.model,
  benchmark: cellKey.benchmark,
  language: cellKey.language,
  setting: cellKey.setting,
  grouped_by: text(
    'How samples are grouped: all, original, variants, distance, emotion or quadrant (of valence and arousal).',
  ),
  member: text('The distance, emotion or quadrant of the group.'),
} as const satisfies Record<string, Column>;

const calibrationKeyNames = Object.keys(calibrationKey);

/** Of the tasks with a noise floor, which a row with an AUC-E may have none of. */
const ofFloors = <Name extends string>(name: Name, meaning: string): ReturnType<typeof interval<Name>> => ({
  ...interval(name, meaning),
  [name]: float(`${meaning}, over the tasks that have one.`, { nullWhen: 'no task that counts has a noise floor' }),
});

export const promptseTables = {
  prompt_scores: {
    name: 'prompt_scores',
    meaning:
      'PromptSE: results of the samples of each prompt. ' +
      'Repetition 0 of the original is the baseline, later ones are independent redraws. ' +
      'Intervals are computed over prompts and tasks, so the scores of one prompt have no interval.',
    schemaVersion: 1,
    key: cellKeyNames,
    columns: {
      ...cellKey,
      distance: float('Intended perturbation distance.', { nullWhen: 'the prompt is the original' }),
      emotion: text('Emotion of the writer.', { nullWhen: 'the prompt is the original' }),
      edit_distance: float("Measured word edit distance to the original's passages.", {
        nullWhen: 'the prompt is the original',
      }),
      n_samples: int('Samples that count.'),
      n_passed: int('Samples that passed every suite.'),
      n_excluded: int("Samples excluded because of evenkeel's limits."),
      n_without_logprobs: int('Judged samples without log-probabilities: none came, or those that came were rejected.'),
      n_rejected_logprobs: int('Of these, samples whose log-probabilities came and were rejected.', {
        nullWhen: 'an older program wrote it',
      }),
      logprob_fault: text('Why the first of these was rejected.', { nullWhen: 'none was' }),
      pass_rate: float('n_passed / n_samples.', { nullWhen: 'no sample counts' }),
      light_samples: int('Samples that count for PromptSELight: those among the first `lightSamples`.', {
        nullWhen: 'an older program wrote it',
      }),
      light_passed: int('Of these, samples that passed every suite.', { nullWhen: 'an older program wrote it' }),
      soft_exec: float("SoftExec: pass weighted by the softmax of the samples' log-probabilities, 0 to 1.", {
        nullWhen: 'a sample has no log-probabilities, or none counts',
      }),
      simulated: bool('True when the model is simulated.'),
    },
  },
  elasticity: {
    name: 'elasticity',
    meaning:
      'PromptSE: elasticity of each task at each distance, its noise floor, and the excess over it. Intervals are ' +
      'computed over tasks, so the values of one task have no interval; their means, with intervals, are in `auc_e`.',
    schemaVersion: 1,
    key: ['run', 'study', 'model', 'benchmark', 'language', 'setting', 'task_id', 'distance', 'method'],
    columns: {
      run: cellKey.run,
      study: cellKey.study,
      model: cellKey.model,
      benchmark: cellKey.benchmark,
      language: cellKey.language,
      setting: cellKey.setting,
      task_id: cellKey.task_id,
      distance: float('Perturbation distance.'),
      method: text('full (PromptSE, from SoftExec) or light (PromptSELight, from pass rates).'),
      score_original: float('Score of the original prompt.', { nullWhen: 'the prompt has no score; see reason' }),
      score_variants: float('Mean score of the variants.', { nullWhen: 'no variant has one' }),
      pass_rate_original: float('Pass rate of the original prompt (baseline), over all its samples.', {
        nullWhen: 'no sample counts',
      }),
      n_samples: int('Samples behind the score of the original.', { nullWhen: 'the original was not sampled' }),
      delta: float('score_variants - score_original, signed.', { nullWhen: 'one of them is null' }),
      ...estimate('elasticity'),
      floor: float('Expected elasticity of a model that wording does not affect, with the same number of samples.', {
        nullWhen: 'no redraw of the original has an answer that counts, or elasticity is null',
      }),
      floor_samples: int(
        'Answers to the original with which others, as many as the baseline has, are compared for the light floor: ' +
          'as many as the redraws have, but not more than the variants.',
        { nullWhen: 'the method is full, floor is null, or an older program wrote the row' },
      ),
      excess: float('elasticity - floor: 0 if wording has no effect beyond chance, negative if it has.', {
        nullWhen: 'elasticity or floor is null',
      }),
      n_variants: int('Variants that count.'),
      n_excluded: int('Variants without a score.'),
      reason: text('Why elasticity is null.', { nullWhen: 'elasticity is not null' }),
      simulated: bool('True when the model is simulated.'),
    },
  },
  auc_e: {
    name: 'auc_e',
    meaning:
      'PromptSE: one summary row per model and method, over the tasks that have an elasticity at all three distances.',
    schemaVersion: 1,
    key: ['run', 'study', 'model', 'benchmark', 'language', 'setting', 'method'],
    columns: {
      run: cellKey.run,
      study: cellKey.study,
      model: cellKey.model,
      benchmark: cellKey.benchmark,
      language: cellKey.language,
      setting: cellKey.setting,
      method: text('full (PromptSE, from SoftExec) or light (PromptSELight, from pass rates).'),
      family: text('Model family.', { nullWhen: 'the spec does not say' }),
      size_b: float('Number of parameters.', { unit: '1e9', nullWhen: 'the spec does not say' }),
      ...interval('pass_at_1', "Mean pass rate of the original prompt's samples, of its first set (repetition 0)"),
      ...interval('score_original', 'Mean score of the original'),
      ...interval('score_d01', 'Mean score of the variants at 0.1'),
      ...interval('score_d02', 'Mean score of the variants at 0.2'),
      ...interval('score_d03', 'Mean score of the variants at 0.3'),
      ...interval('e_d01', 'E(0.1), mean elasticity'),
      ...interval('e_d02', 'E(0.2), mean elasticity'),
      ...interval('e_d03', 'E(0.3), mean elasticity'),
      ...ofFloors('floor_d01', 'Noise floor of E(0.1)'),
      ...ofFloors('floor_d02', 'Noise floor of E(0.2)'),
      ...ofFloors('floor_d03', 'Noise floor of E(0.3)'),
      ...ofFloors('excess_d01', 'E(0.1) over its floor'),
      ...ofFloors('excess_d02', 'E(0.2) over its floor'),
      ...ofFloors('excess_d03', 'E(0.3) over its floor'),
      ...interval('auc_e', '(E(0.1) + 4 E(0.2) + E(0.3)) / 9, as published; at most 2/3'),
      ...interval('auc_e_normalized', 'The same sum divided by 6, in [0, 1]'),
      ...ofFloors('auc_e_floor', 'Noise floor of auc_e'),
      ...ofFloors('auc_e_excess', 'auc_e over its floor'),
      level: float('Same as `confidence`, by its name in version 0.1.'),
      confidence: float('Confidence level of the intervals.'),
      interval_method: text('How the intervals were made.'),
      samples: int('Samples behind the score of each prompt.', { nullWhen: 'no task counts' }),
      n: int('Tasks that count.'),
      n_floor: int('Of these, tasks with a noise floor: those behind the floors and the excess.', {
        nullWhen: 'an older program wrote it',
      }),
      n_excluded: int('Tasks that lack an elasticity at some distance.'),
      reason: text('Why auc_e is null.', { nullWhen: 'auc_e is not null' }),
      simulated: bool('True when the model is simulated.'),
    },
  },
  calibration: {
    name: 'calibration',
    meaning:
      'PromptSE, RQ4: whether the confidence of a model matches how often it is right. The confidence of a sample ' +
      'is exp of its mean token log-probability; models without log-probabilities have no rows.',
    schemaVersion: 1,
    key: [...calibrationKeyNames],
    columns: {
      ...calibrationKey,
      ...interval('ece', 'Expected calibration error over bins of equal width', {
        ends: 'ece is null, or the samples are of one task',
      }),
      ...interval('overconfidence', 'Mean confidence minus the share of samples that passed'),
      ...interval('sure_failures', 'Share of the samples that failed with a confidence of at least sure_from'),
      ...interval('unsure_successes', 'Share of the samples that passed with a confidence of at most unsure_to'),
      ...interval(
        'sure_failures_own',
        "sure_failures, with the upper quartile of the model's confidence as threshold; null if it is the lower one",
      ),
      ...interval(
        'unsure_successes_own',
        "unsure_successes, with the lower quartile of the model's confidence as threshold; null if they are equal",
      ),
      bins: int('Number of bins of the calibration error.'),
      sure_from: float('Least confidence of a sure failure.'),
      unsure_to: float('Highest confidence of an unsure success.'),
      confidence: float('Confidence level of the intervals.'),
      interval_method: text('How the intervals were made.'),
      n: int('Samples.'),
      n_tasks: int('Tasks that these samples belong to.'),
      simulated: bool('True when the model is simulated.'),
    },
  },
  calibration_bins: {
    name: 'calibration_bins',
    meaning:
      'PromptSE, RQ4: the confidence bins behind the calibration error, for all samples, ' +
      'the original and all variants.',
    schemaVersion: 1,
    key: [...calibrationKeyNames, 'bin'],
    columns: {
      ...calibrationKey,
      bin: int('Index of the bin, from 0.'),
      bin_from: float('Lower bound of confidence, inclusive.'),
      bin_to: float('Upper bound of confidence, exclusive; inclusive in the last bin, where it is 1.'),
      ...interval('mean_confidence', 'Mean confidence of its samples'),
      ...interval('pass_rate', 'Share of its samples that passed'),
      confidence: float('Confidence level of the intervals.'),
      interval_method: text('How the intervals were made.'),
      n: int('Samples.'),
      n_tasks: int('Tasks that these samples belong to.'),
      simulated: bool('True when the model is simulated.'),
    },
  },
} as const satisfies Record<string, Table>;
