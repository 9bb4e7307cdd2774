/** One card per model: its metrics from all studies, and how far rankings by them agree. */
import { bool, float, int, interval, levelInterval, type Table, text } from './column.ts';
import { cellKey } from './keys.ts';

const metricColumns = {
  metric: text('Metric, such as pass_at_1, asl, auc_e_excess, phrasing_spread, sufficient_detail.'),
  condition: text(
    'What the metric is of: a suite, a method, a curve of detail, an older version; all if there is one.',
  ),
  trait: text('correctness, wording, loops, requirements, detail, versions or cost.'),
};

export const cardTables = {
  cards: {
    name: 'cards',
    meaning:
      'One card per model: each metric of each study on the tasks that its models share, with interval, rank and ' +
      'rank group; the cost per solved task; and the time of a typical task, without a rank.',
    schemaVersion: 1,
    key: ['run', 'study', 'metric', 'condition', 'model'],
    columns: {
      run: cellKey.run,
      study: cellKey.study,
      ...metricColumns,
      model: cellKey.model,
      ...interval('estimate', 'Value on the shared tasks', {
        ends: 'estimate is null, or it is a cost of one task or a time of fewer than 6',
        upper: 'there is no lower end, or a cost has no limit',
      }),
      ...levelInterval('named', 'The value by its name, if it is a place in a list of levels', {
        value: 'estimate is null, or no place in such a list',
      }),
      unit: text('Unit of the value; empty if it has none.'),
      direction: text('higher or lower: which is good.'),
      rank: float('Rank, 1 is best; ties share the mean of their ranks.', {
        nullWhen: 'the model has no value, or models are not ranked by the metric',
      }),
      rank_lo: int('Lower end of the rank interval. All of a metric hold together.', { nullWhen: 'rank is null' }),
      rank_hi: int('Upper end of the rank interval.', { nullWhen: 'rank is null' }),
      letters: text(
        'Rank groups: two models share a letter exactly if no difference was shown, at this confidence for all.',
        {
          nullWhen: 'rank is null',
        },
      ),
      n_better: int('Models that are shown to be better.', { nullWhen: 'rank is null' }),
      n_worse: int('Models that are shown to be worse.', { nullWhen: 'rank is null' }),
      n_models: int('Models that are ranked.', { nullWhen: 'rank is null' }),
      n_tasks: int(
        'Tasks behind the value: those that all models of the metric have, without those of which no answer was ' +
          'judged; of costs, those for which the model paid itself.',
      ),
      n_own_tasks: int(
        'Tasks of this model that have a value, shared or not; of costs all that it answered, of times too unless ' +
          'its replies are simulated or recorded.',
      ),
      n_shared_tasks: int('Tasks that all models of the metric have, also those of which no answer was judged.', {
        nullWhen: 'the value is no mean over tasks',
      }),
      confidence: float('Confidence level of the intervals.'),
      method: text('How the interval was made.'),
      rank_method: text('How differences were shown.', { nullWhen: 'rank is null' }),
      reason: text('Why the value is null.', { nullWhen: 'it is not' }),
      simulated: bool('True when the model is simulated.'),
    },
    volatileRows: { where: "trait = 'cost'", why: 'an interrupted call is paid again, and latencies vary' },
  },
  card_agreement: {
    name: 'card_agreement',
    meaning:
      'How far two rankings of the same models agree: every two metrics of the cards, except cost, time and changes ' +
      'of versions.',
    schemaVersion: 1,
    key: ['run', 'study', 'metric', 'condition', 'other_study', 'other_metric', 'other_condition'],
    columns: {
      run: cellKey.run,
      study: cellKey.study,
      ...metricColumns,
      other_study: text('Study of the other metric.'),
      other_metric: text('The other metric.'),
      other_condition: text('Its condition.'),
      other_trait: text('Its trait.'),
      relation: text(
        'same_trait (measured by two studies), same_study (two traits of one study), same_trait_and_study, different.',
      ),
      ...interval('rho', "Spearman's rho over models, each metric turned so that more is better"),
      n_models: int('Models with both values.'),
      confidence: float('Confidence level of the interval.'),
      method: text('How the interval was made.'),
      reason: text('Why rho is null.', { nullWhen: 'it is not' }),
      simulated: bool('True when any of the models is simulated.'),
    },
  },
} as const satisfies Record<string, Table>;
