/** Tables of how loops rank models: against pass@1, other rankings, settings and sampled runs (EVALOOP, sections 3.3, 3.5 and 4.2). */
import { bool, type Column, float, int, interval, text, type Table } from './column.ts';
import { cellKey, studyModel, studyModelNames } from './keys.ts';

const earlier = { nullWhen: 'an earlier version made the row' };
/** Of an interval whose estimate is described apart. */
const ends = <Name extends string>(name: Name, nullWhen = `${name} is null, or an earlier version made the row`) =>
  ({
    [`${name}_lo`]: float('Lower end of its interval.', { nullWhen }),
    [`${name}_hi`]: float('Upper end of it.', { nullWhen }),
  }) as Record<`${Name}_lo` | `${Name}_hi`, Column>;
const simulated = bool('True when the model is simulated.');

export const loopRankTables = {
  loop_ranks: {
    name: 'loop_ranks',
    meaning:
      'EVALOOP, section 4.2: each model by pass@1 and by ASL with every s_i = 1, over the tasks that count under every model of the study; 1 is best.',
    schemaVersion: 1,
    key: studyModelNames,
    columns: {
      ...studyModel,
      pass_at_1: float('Share of these tasks whose first code passes.'),
      ...ends('pass_at_1', earlier.nullWhen),
      asl_unweighted: float('ASL with every s_i = 1 over these tasks.'),
      ...ends('asl_unweighted', earlier.nullWhen),
      pass_place: float('Place by pass@1; ties share the mean of their places.'),
      ...ends('pass_place', 'no interval could be made, or an earlier version made the row'),
      asl_place: float('Place by ASL.'),
      asl_place_lo: float('Lower end of its interval: one more than the models that are surely ahead of it on the same tasks.', {
        nullWhen: 'no interval could be made',
      }),
      asl_place_hi: float('Upper end of it.', { nullWhen: 'no interval could be made' }),
      next_model: text('The next model by ASL, then by name.', { nullWhen: 'it is the last' }),
      ahead_of_next: float(
        'Share of the draws of tasks in which it is ahead of that one. It measures how sure an order is, and has no interval of its own.',
        {
          nullWhen: 'it is the last',
        },
      ),
      n_tasks: int('Tasks that count under every model.'),
      level: float('The same as confidence, under its name of version 0.1.', earlier),
      confidence: float('Confidence level of the intervals.', earlier),
      method: text('How the intervals were made.', earlier),
      simulated,
    },
  },
  loop_pairs: {
    name: 'loop_pairs',
    meaning: 'EVALOOP, section 4.2: for any two models of a study, how probable their order by ASL is.',
    schemaVersion: 1,
    key: ['run', 'study', 'model', 'other_model'],
    columns: {
      ...studyModel,
      other_model: text('A model on the same place by ASL or below.'),
      ahead: float(
        'Share of the draws (tasks with replacement) in which model is ahead of it; a draw that ties them counts half. It measures how sure an order is, and has no interval of its own.',
      ),
      reversed: bool('True where pass@1 orders the two the other way.'),
      n_tasks: int('Tasks that count under every model of the study.', earlier),
      simulated: bool('True when either model is simulated.'),
    },
  },
  loop_rank_changes: {
    name: 'loop_rank_changes',
    meaning: 'EVALOOP, section 4.2: how far the ranking by ASL is another one than by pass@1.',
    schemaVersion: 1,
    key: ['run', 'study', 'statistic'],
    columns: {
      run: cellKey.run,
      study: cellKey.study,
      statistic: text(
        'changed_share (of models), large_share (by 10 places or more), mean_absolute (places), reversed_share (of pairs), spearman, kendall, highest_rise, deepest_fall (places won; negative: lost).',
      ),
      value: float('Its value.', { nullWhen: 'the rankings leave it undefined' }),
      value_lo: float('Lower end of its interval over models (spearman, kendall), or of its range over tasks drawn with replacement.', {
        nullWhen: 'there is none',
      }),
      value_hi: float('Upper end of it.', { nullWhen: 'there is none' }),
      n_models: int('Models ranked.'),
      n_tasks: int('Tasks that count under every model.'),
      n_draws: int(
        'Draws in which it was defined; 0 for spearman and kendall, whose intervals need none, and for highest_rise and deepest_fall, which are the extremes of these models and have no interval.',
      ),
      level: float('The same as confidence, under its name of version 0.1.'),
      confidence: float('Confidence level of the intervals.'),
      method: text('How the interval was made.', { nullWhen: 'there is none, or an earlier version made the row' }),
    },
  },
  loop_groups: {
    name: 'loop_groups',
    meaning: 'EVALOOP, section 3.3: means over the models of one family, size group or kind of training, as the spec states them.',
    schemaVersion: 1,
    key: ['run', 'study', 'grouped_by', 'member'],
    columns: {
      run: cellKey.run,
      study: cellKey.study,
      grouped_by: text('family, size or training.'),
      member: text('The family, size group or training.'),
      n_models: int('Models in it.'),
      asl_unweighted: float('Mean ASL with every s_i = 1.', { nullWhen: 'there is none' }),
      ...ends('asl_unweighted'),
      absolute_drop: float('Mean drop from loop 1 to M.', { nullWhen: 'there is none' }),
      ...ends('absolute_drop'),
      rise: float('Mean places won from pass@1 to ASL.', { nullWhen: 'there is none' }),
      ...ends('rise'),
      n_tasks: int('Tasks that count under every model of the study.', earlier),
      level: float('The same as confidence, under its name of version 0.1.', earlier),
      confidence: float('Confidence level of the intervals.', earlier),
      method: text('How the intervals were made.', earlier),
    },
  },
  loop_places: {
    name: 'loop_places',
    meaning: 'EVALOOP, RQ3 (tables 3 and 4): the place of each model under each setting, the baseline among them.',
    schemaVersion: 1,
    key: ['run', 'study', 'compared', 'setting', 'model'],
    columns: {
      run: cellKey.run,
      study: cellKey.study,
      compared: text('summary prompts or temperatures.'),
      setting: text('The setting; default is the baseline.'),
      model: cellKey.model,
      place: float(
        'Place by ASL, 1 is best; ties share the mean of their places. It only orders the scores of `asl`, whose intervals are there; it has no interval of its own.',
        { nullWhen: 'the model has no score somewhere' },
      ),
      average_place: float(
        'Mean place over the settings without the baseline. It describes these settings and has no interval; how far orders agree is in loop_reliability.',
        { nullWhen: 'the model has no score somewhere' },
      ),
      position: int('Order of the settings in the spec: 0 is the baseline.'),
      score: text('What is ranked by: asl, or asl_unweighted where there is no judge.'),
      n: int('Cells behind the score.', earlier),
      n_models: int('Models ranked.', earlier),
      simulated,
    },
  },
  loop_reliability: {
    name: 'loop_reliability',
    meaning: 'EVALOOP, RQ3: how well the baseline ranking agrees with the average place and with each setting alone.',
    schemaVersion: 1,
    key: ['run', 'study', 'compared', 'setting'],
    columns: {
      run: cellKey.run,
      study: cellKey.study,
      compared: text('summary prompts or temperatures.'),
      setting: text('average, or one setting.'),
      position: int('Order of the settings in the spec; 0 is the average.'),
      spearman: float('Spearman correlation with the baseline.', { nullWhen: 'a side ties all models, or there are fewer than two' }),
      spearman_lo: float('Lower end of its interval, over models.', { nullWhen: 'there is none; fewer than four models' }),
      spearman_hi: float('Upper end of it.', { nullWhen: 'there is none; fewer than four models' }),
      kendall_w: float("Kendall's W over the baseline and all settings.", { nullWhen: 'setting is not average, or it is undefined' }),
      ...ends('kendall_w', 'there is none; too few models'),
      icc_agreement: float('ICC(2,1) of the scores over the same.', { nullWhen: 'setting is not average, or it is undefined' }),
      ...ends('icc_agreement', 'there is none; too few models'),
      icc_consistency: float('ICC(3,1) of the same.', { nullWhen: 'setting is not average, or it is undefined' }),
      ...ends('icc_consistency', 'there is none; too few models'),
      n_models: int('Models ranked.'),
      n_left_out: int('Models without a score somewhere.'),
      level: float('The same as confidence, under its name of version 0.1.'),
      confidence: float('Confidence level of the interval.'),
      method: text('How the intervals were made.', earlier),
    },
  },
  loop_sampling: {
    name: 'loop_sampling',
    meaning: 'EVALOOP, section 3.5: plain mean of sustained loops per task, greedy and over the sampled runs, over the tasks of both.',
    schemaVersion: 1,
    key: studyModelNames,
    columns: {
      ...studyModel,
      ...interval('greedy', 'Mean of the greedy runs'),
      ...interval('sampled', 'Mean of the sampled runs'),
      ...interval('difference', 'sampled - greedy, paired by task'),
      p: float('Of the difference: permutation test that swaps the two sides of whole tasks.', { nullWhen: 'no task counts in both' }),
      greedy_sustained: { type: 'intList', meaning: 'Greedy cells that sustained exactly 0..M loops.' },
      sampled_sustained: { type: 'intList', meaning: 'The same of the sampled ones.' },
      n_tasks: int('Tasks that count in both.'),
      level: float('The same as confidence, under its name of version 0.1.'),
      confidence: float('Confidence level of the intervals.'),
      method: text('How intervals and p were made.', earlier),
      simulated,
    },
  },
} as const satisfies Record<string, Table>;
