/**
 * Tables that compare EVALOOP's ranking of models with that by pass@1, under other settings and in sampled runs
 * (EVALOOP, sections 3.3, 3.5 and 4.2).
 */
import { bool, type Column, float, int, interval, text, type Table } from './column.ts';
import { cellKey, studyModel, studyModelNames } from './keys.ts';

const earlier = { nullWhen: 'an earlier version made the row' };
/** The ends of an interval, for an estimate that is declared separately. */
const ends = <Name extends string>(name: Name, nullWhen = `${name} is null, or an earlier version made the row`) =>
  ({
    [`${name}_lo`]: float('Lower end of its interval.', { nullWhen }),
    [`${name}_hi`]: float('Upper end of its interval.', { nullWhen }),
  }) as Record<`${Name}_lo` | `${Name}_hi`, Column>;
const unplaced = { nullWhen: 'the model has no rank' };
const simulated = bool('True when the model is simulated.');

export const loopRankTables = {
  loop_ranks: {
    name: 'loop_ranks',
    meaning:
      'EVALOOP, section 4.2: rank of each model by pass@1 and by ASL with every s_i = 1, over the tasks that ' +
      'count for every model with a rank; 1 is best. A model has none if more than 1 % of its cells could not be ' +
      'judged; its scores are in `asl`.',
    schemaVersion: 1,
    key: studyModelNames,
    columns: {
      ...studyModel,
      pass_at_1: float('Share of these tasks whose first code passes.', unplaced),
      ...ends('pass_at_1'),
      asl_unweighted: float('ASL with every s_i = 1 over these tasks.', unplaced),
      ...ends('asl_unweighted'),
      pass_place: float('Rank by pass@1; ties share the mean of their ranks.', unplaced),
      ...ends('pass_place', 'no interval could be made, or an earlier version made the row'),
      asl_place: float('Rank by ASL.', unplaced),
      asl_place_lo: float(
        'Lower end of its interval: one more than the number of models significantly ahead of it on the same tasks.',
        {
          nullWhen: 'no interval could be made',
        },
      ),
      asl_place_hi: float('Upper end of its interval, which leaves room for all models without a rank.', {
        nullWhen: 'no interval could be made',
      }),
      next_model: text('The next model by ASL, then by name.', { nullWhen: 'the model is the last or has no rank' }),
      ahead_of_next: float(
        'Share of bootstrap draws of tasks in which the model is ahead of next_model. It measures how certain an ' +
          'order is and has no interval.',
        {
          nullWhen: 'the model is the last or has no rank',
        },
      ),
      n_tasks: int('Tasks that count for every model with a rank.'),
      n_unjudged: int(
        'Its cells that could not be judged to their end, without tasks whose reference gives no output.',
        earlier,
      ),
      reason: text('Why the model has no rank.', { nullWhen: 'it has one' }),
      level: float('Same as `confidence`, by its name in version 0.1.', earlier),
      confidence: float('Confidence level of the intervals.', earlier),
      method: text('How the intervals were made.', { nullWhen: 'there are none, or an earlier version made the row' }),
      simulated,
    },
  },
  loop_pairs: {
    name: 'loop_pairs',
    meaning: 'EVALOOP, section 4.2: for any two models with a rank, how certain their order by ASL is.',
    schemaVersion: 1,
    key: ['run', 'study', 'model', 'other_model'],
    columns: {
      ...studyModel,
      other_model: text('A model with the same or a worse rank by ASL.'),
      ahead: float(
        'Share of bootstrap draws (tasks with replacement) in which model is ahead of other_model; ties count ' +
          'half. It measures how certain an order is and has no interval.',
      ),
      reversed: bool('True if pass@1 orders the two the other way round.'),
      n_tasks: int('Tasks that count for every model with a rank.', earlier),
      simulated: bool('True when either model is simulated.'),
    },
  },
  loop_rank_changes: {
    name: 'loop_rank_changes',
    meaning: 'EVALOOP, section 4.2: how far the ranking by ASL differs from that by pass@1.',
    schemaVersion: 1,
    key: ['run', 'study', 'statistic'],
    columns: {
      run: cellKey.run,
      study: cellKey.study,
      statistic: text(
        'changed_share (of models), large_share (models that move by 10 ranks or more), mean_absolute (ranks), ' +
          'reversed_share (of pairs), spearman, kendall, highest_rise, deepest_fall (ranks gained; negative: lost).',
      ),
      value: float('Value of the statistic.', { nullWhen: 'the rankings leave it undefined' }),
      value_lo: float(
        'Lower end of its interval over models (spearman, kendall), or of its range over tasks drawn with replacement.',
        {
          nullWhen: 'there is no interval',
        },
      ),
      value_hi: float('Upper end of its interval.', { nullWhen: 'there is no interval' }),
      n_models: int('Models ranked: those that have a rank in `loop_ranks`.'),
      n_tasks: int('Tasks that count for every model with a rank.'),
      n_draws: int(
        'Bootstrap draws in which it is defined; 0 for spearman and kendall, whose intervals need no draws, and ' +
          'for highest_rise and deepest_fall, which are extremes of these models and have no interval.',
      ),
      level: float('Same as `confidence`, by its name in version 0.1.'),
      confidence: float('Confidence level of the intervals.'),
      method: text('How the interval was made.', {
        nullWhen: 'there is no interval, or an earlier version made the row',
      }),
    },
  },
  loop_groups: {
    name: 'loop_groups',
    meaning:
      'EVALOOP, section 3.3: means over the models of one family, size group or kind of training, ' +
      'as stated in the spec.',
    schemaVersion: 1,
    key: ['run', 'study', 'grouped_by', 'member'],
    columns: {
      run: cellKey.run,
      study: cellKey.study,
      grouped_by: text('family, size or training.'),
      member: text('The family, size group or training.'),
      n_models: int('Models in it that have a rank in `loop_ranks`.'),
      asl_unweighted: float('Mean ASL with every s_i = 1.', { nullWhen: 'no model has a value' }),
      ...ends('asl_unweighted'),
      absolute_drop: float('Mean drop from loop 1 to M.', { nullWhen: 'no model has a value' }),
      ...ends('absolute_drop'),
      rise: float('Mean ranks gained from pass@1 to ASL.', { nullWhen: 'no model has a value' }),
      ...ends('rise'),
      n_tasks: int('Tasks that count for every model with a rank.', earlier),
      level: float('Same as `confidence`, by its name in version 0.1.', earlier),
      confidence: float('Confidence level of the intervals.', earlier),
      method: text('How the intervals were made.', earlier),
    },
  },
  loop_places: {
    name: 'loop_places',
    meaning: 'EVALOOP, RQ3 (tables 3 and 4): the rank of each model under each setting, including the baseline.',
    schemaVersion: 1,
    key: ['run', 'study', 'compared', 'setting', 'model'],
    columns: {
      run: cellKey.run,
      study: cellKey.study,
      compared: text('summary prompts or temperatures.'),
      setting: text('The setting; default is the baseline.'),
      model: cellKey.model,
      place: float(
        'Rank by ASL, 1 is best; ties share the mean of their ranks. It has no interval; the scores that it ' +
          'orders, with their intervals, are in `asl`.',
        { nullWhen: 'the model lacks a score under some setting' },
      ),
      average_place: float(
        'Mean rank over all settings except the baseline. It describes only these settings and has no interval; ' +
          '`loop_reliability` says how far the rankings agree.',
        { nullWhen: 'the model lacks a score under some setting' },
      ),
      position: int('Order of the settings in the spec: 0 is the baseline.'),
      score: text('The score that is ranked: asl, or asl_unweighted if there is no judge.'),
      n: int('Cells behind the score.', earlier),
      n_models: int('Models ranked.', earlier),
      simulated,
    },
  },
  loop_reliability: {
    name: 'loop_reliability',
    meaning: 'EVALOOP, RQ3: how well the baseline ranking agrees with the average rank and with each setting.',
    schemaVersion: 1,
    key: ['run', 'study', 'compared', 'setting'],
    columns: {
      run: cellKey.run,
      study: cellKey.study,
      compared: text('summary prompts or temperatures.'),
      setting: text('average, or one setting.'),
      position: int('Order of the settings in the spec; 0 is the average.'),
      spearman: float('Spearman correlation with the baseline.', {
        nullWhen: 'all models tie on one side, or there are fewer than two',
      }),
      spearman_lo: float('Lower end of its interval, over models.', {
        nullWhen: 'there are fewer than four models, or it is undefined',
      }),
      spearman_hi: float('Upper end of its interval.', {
        nullWhen: 'there are fewer than four models, or it is undefined',
      }),
      kendall_w: float("Kendall's W over the baseline and all settings.", {
        nullWhen: 'setting is not average, or it is undefined',
      }),
      ...ends('kendall_w', 'there are too few models, or it is undefined'),
      icc_agreement: float('ICC(2,1) of the scores over the baseline and all settings.', {
        nullWhen: 'setting is not average, or it is undefined',
      }),
      ...ends('icc_agreement', 'there are too few models, or it is undefined'),
      icc_consistency: float('ICC(3,1) of the scores over the baseline and all settings.', {
        nullWhen: 'setting is not average, or it is undefined',
      }),
      ...ends('icc_consistency', 'there are too few models, or it is undefined'),
      n_models: int('Models ranked.'),
      n_left_out: int('Models excluded because they lack a score, or a place, under some setting.'),
      level: float('Same as `confidence`, by its name in version 0.1.'),
      confidence: float('Confidence level of the interval.'),
      method: text('How the intervals were made.', earlier),
    },
  },
  loop_sampling: {
    name: 'loop_sampling',
    meaning:
      'EVALOOP, section 3.5: mean number of sustained loops per task, in the greedy and in the sampled runs, over ' +
      'tasks that count in both.',
    schemaVersion: 1,
    key: studyModelNames,
    columns: {
      ...studyModel,
      ...interval('greedy', 'Mean of the greedy runs'),
      ...interval('sampled', 'Mean of the sampled runs'),
      ...interval('difference', 'sampled - greedy, paired by task'),
      p: float('p of the difference: permutation test that swaps the two sides of whole tasks.', {
        nullWhen: 'no task counts in both',
      }),
      greedy_sustained: { type: 'intList', meaning: 'Greedy cells that sustained exactly 0..M loops.' },
      sampled_sustained: { type: 'intList', meaning: 'Sampled cells that sustained exactly 0..M loops.' },
      n_tasks: int('Tasks that count in both.'),
      level: float('Same as `confidence`, by its name in version 0.1.'),
      confidence: float('Confidence level of the intervals.'),
      method: text('How intervals and p were made.', earlier),
      simulated,
    },
  },
} as const satisfies Record<string, Table>;
