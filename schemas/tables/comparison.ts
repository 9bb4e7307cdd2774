/**
 * Tables of a saved comparison of models. They belong to no run: `compare --save` writes them to a folder, and `query`
 * reads that folder.
 */
import { cardTables } from './cards.ts';
import { bool, float, int, type Table, text } from './column.ts';

/** Names one comparison: a metric of a study. */
const place = {
  study: text('Study, by its name in the spec.'),
  metric: text('Metric, by its name in policies of `gate`.'),
  suite: text('Suite of tests.', { nullWhen: 'the metric has none' }),
  benchmark: text('Benchmark, by its name in the spec.'),
  dimension: text('Requirement, level of detail, method (full or light), or function-only.'),
  workflow: text('How the code was made; the dimension if the study has no workflows.'),
  variant: text('Variant of the prompt.', { nullWhen: 'variants were not compared separately' }),
};
const placeNames = Object.keys(place);

const noPosterior = {
  nullWhen:
    'fewer than 5 tasks are shared, single tasks have no value, values without bounds differ alike on every task, or ' +
    'answers that could not be judged might change a mean by more than 1 % of its range',
};

const noTaskValues = { nullWhen: 'single tasks have no value' };

const noPower =
  'every task changes by the same amount, unless each either passes or fails; or answers of either model could not ' +
  'be judged; or single tasks have no value';

export const comparisonTables = {
  compared_models: {
    name: 'compared_models',
    meaning: 'One row per model and metric: its score on the shared tasks, its rank and its letters.',
    schemaVersion: 1,
    key: [...placeNames, 'run', 'model'],
    columns: {
      ...place,
      run: text('Run of the model.'),
      model: text('Model id.'),
      value: float('Mean over the shared tasks with a judged answer; for ratios of times, the geometric mean in ms.'),
      value_lo: float('Lower end of its interval, which has all that answers that could not be judged allow.'),
      value_hi: float('Upper end of its interval.'),
      rank: float('Rank by value, 1 is best; ties share the mean of their ranks.'),
      rank_lo: int('Lower end of the rank interval. All intervals of a metric hold together.'),
      rank_hi: int('Upper end of the rank interval.'),
      posterior_rank: int('Median rank by a hierarchical model of the means of all models.', noPosterior),
      posterior_rank_lo: int('Lower end of its interval, for this model alone.', noPosterior),
      posterior_rank_hi: int('Upper end of its interval.', noPosterior),
      p_best: float('Probability that this model is the best of those compared, by the same.', noPosterior),
      letters: text('Two models share a letter exactly if no difference between them was found.'),
      n_tasks: int('Tasks that all models share.'),
      n_own_tasks: int('Tasks that this model has a value of, shared or not.'),
      n_unjudged: int('Its answers that could not be judged; they are in no mean, but in the interval.'),
      confidence: float('Confidence of the intervals.'),
      simulated: bool('True when the model is simulated.'),
    },
  },
  compared_pairs: {
    name: 'compared_pairs',
    meaning: 'One row per pair of models and metric; the model that is ahead comes first.',
    schemaVersion: 1,
    key: [...placeNames, 'run', 'model', 'other_run', 'other_model'],
    columns: {
      ...place,
      run: text('Run of the model that is ahead.'),
      model: text('Model that is ahead.'),
      other_run: text('Run of the other model.'),
      other_model: text('The other model.'),
      difference: float(
        'Model minus other model on the tasks judged for both, in the unit of the metric; times as change in ' +
          'percent. From compared_tasks: the mean over tasks of value minus the other value; where by_prompt is not ' +
          'null, of the mean of by_prompt minus the other by_prompt over the places that are null in neither. Tasks ' +
          'without such a place, or where a value is null, do not count; if none is left, the difference of the ' +
          'values in compared_models. Of logarithms of times, 100 (exp(mean) - 1). Not of densities, whose tasks ' +
          'count by their lines, nor where single tasks have no value: there the difference of the values in ' +
          'compared_models.',
      ),
      difference_lo: float('Lower end of its interval, not adjusted for the family.'),
      difference_hi: float('Upper end of its interval.'),
      method: text('Test: mcnemar_exact, sign_flip, or bounds (of metrics that single tasks have no value of).'),
      p: float('Two-sided p of the test; with answers that could not be judged at their worst, if that is larger.'),
      p_holm: float('Adjusted by Holm for all pairs of this metric.'),
      p_bh: float('Adjusted by Benjamini and Hochberg for all pairs of this metric.'),
      verdict: text('better, no_change (within the margin) or inconclusive, of the model that is ahead.'),
      better: int('Tasks on which the model is better.', noTaskValues),
      worse: int('Tasks on which the other model is better.', noTaskValues),
      smallest_effect: float(
        'Smallest difference that is detected with probability 0.8 at the strictest step of Holm.',
        {
          nullWhen: `no difference can be detected, too few tasks change to say which, or ${noPower}`,
        },
      ),
      tasks_needed: int('Tasks on which a difference of the observed size is detected with that probability.', {
        nullWhen: `the observed difference is 0, would need more than a million tasks, or ${noPower}`,
      }),
      margin: float('Differences up to this size do not matter.'),
      n_tasks: int('Tasks compared.'),
      n_judged: int('Tasks judged for both models, on which the difference is taken.', noTaskValues),
      confidence: float('Confidence of the interval; 1 minus the probability of a false alarm in the family.'),
      simulated: bool('True when either model is simulated.'),
    },
  },
  compared_tasks: {
    name: 'compared_tasks',
    meaning: 'One row per model, metric and shared task: what the task has by itself.',
    schemaVersion: 1,
    key: [...placeNames, 'run', 'model', 'task_id'],
    columns: {
      ...place,
      run: text('Run of the model.'),
      model: text('Model id.'),
      task_id: text('Task.'),
      value: float(
        'Value of the task; for densities, its own total over its own lines; for ratios of times, the logarithm of ' +
          'its time in ms.',
        { nullWhen: 'no answer of the model was judged' },
      ),
      by_prompt: text(
        'Value of the task by prompt as a JSON list (cast it to DOUBLE[]), in the same order for all models; null in ' +
          'it: not judged.',
        { nullWhen: 'all answers of all models to the task were judged, or the task has one value' },
      ),
      samples: int('Answers behind the value.', { nullWhen: 'the value is no share of answers' }),
      simulated: bool('True when the model is simulated.'),
    },
  },
  compared_cards: {
    ...cardTables.cards,
    name: 'compared_cards',
    meaning: 'The cards of the compared models, as in table cards, ranked among each other.',
  },
  compared_agreement: {
    ...cardTables.card_agreement,
    name: 'compared_agreement',
    meaning: 'How far two rankings of the compared models agree, as in table card_agreement.',
  },
} as const satisfies Record<string, Table>;
