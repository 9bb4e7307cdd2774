/** Tables of plain pass@k: counts by cell and task, pass@k and pass^k, agreement between repetitions. */
import { bool, type Column, float, int, interval, type Table, text } from './column.ts';
import { cellKey, cellKeyNames } from './keys.ts';

const passKey = {
  run: cellKey.run,
  study: cellKey.study,
  model: cellKey.model,
  benchmark: cellKey.benchmark,
  language: cellKey.language,
  setting: cellKey.setting,
  suite: text('Suite name, or "all suites": a sample then passes if it passes every suite.'),
} as const satisfies Record<string, Column>;

const passKeyNames = Object.keys(passKey);

export const passTables = {
  pass_counts: {
    name: 'pass_counts',
    meaning: 'Plain pass@k: how many of the samples of each cell passed every suite. `verdicts` has each suite.',
    schemaVersion: 1,
    key: cellKeyNames,
    columns: {
      ...cellKey,
      n_samples: int('Samples that count, n.'),
      n_passed: int('Samples that passed every suite, c. A sample without code fails.'),
      n_excluded: int("Samples excluded because of evenkeel's limits."),
      simulated: bool('True when the model is simulated.'),
    },
  },
  pass_tasks: {
    name: 'pass_tasks',
    meaning:
      'Plain pass@k: each task over all repetitions. Intervals are computed over tasks, so the rate of one task has ' +
      'no interval.',
    schemaVersion: 1,
    key: [...passKeyNames, 'task_id'],
    columns: {
      ...passKey,
      task_id: cellKey.task_id,
      n_repetitions: int('Repetitions in which a sample counts.'),
      n_solved: int('Of these, repetitions in which at least one sample passed.'),
      n_samples: int('Samples that count, n.'),
      n_passed: int('Samples that passed, c.'),
      n_excluded: int("Samples excluded because of evenkeel's limits."),
      pass_rate: float('c / n.', { nullWhen: 'no sample counts' }),
      flaky: bool('True if some samples passed and some failed.', { nullWhen: 'fewer than two samples count' }),
      flaky_across: bool('True if the task was solved in some repetitions and not in others.', {
        nullWhen: 'samples count in fewer than two repetitions',
      }),
      counted_by_repetition: { type: 'intList', meaning: 'Samples that count, by repetition.' },
      passed_by_repetition: { type: 'intList', meaning: 'Samples that passed, by repetition.' },
      simulated: bool('True when the model is simulated.'),
    },
  },
  pass_at_k: {
    name: 'pass_at_k',
    meaning: 'Plain pass@k: pass@k and pass^k, unbiased (Chen et al. 2021), by repetition and over all of them.',
    schemaVersion: 1,
    key: [...passKeyNames, 'repetition', 'k'],
    columns: {
      ...passKey,
      repetition: int('Repetition, from 0.', { nullWhen: 'the samples of all repetitions are taken together' }),
      k: int('Number of samples drawn from those of a task.'),
      ...interval('pass_at_k', 'Mean over tasks of the probability that at least one of k samples passes'),
      ...interval('pass_hat_k', 'pass^k: mean over tasks of the probability that all k samples pass'),
      confidence: float('Confidence level of the intervals.'),
      interval_method: text('How the intervals were made.'),
      n: int('Tasks of which at least k samples count.'),
      n_short: int('Tasks excluded because fewer than k samples count.'),
      n_samples: int('Samples of the tasks that count.'),
      n_excluded: int("Samples excluded because of evenkeel's limits."),
      reason: text('Why pass_at_k is null.', { nullWhen: 'pass_at_k is not null' }),
      simulated: bool('True when the model is simulated.'),
    },
  },
  pass_repeats: {
    name: 'pass_repeats',
    meaning: 'Plain pass@k: flaky tasks, and whether repetitions of the study agree.',
    schemaVersion: 1,
    key: passKeyNames,
    columns: {
      ...passKey,
      n_repetitions: int('Repetitions.'),
      ...interval('flaky', 'Share of tasks of which some samples passed and some failed'),
      n_flaky: int('Tasks of which at least two samples count: those behind flaky.'),
      ...interval('flaky_across', 'Share of tasks that were solved in some repetitions and not in others'),
      ...interval('agreement', 'Mean over tasks of the share of equal verdicts of samples of two repetitions'),
      ...interval('agreement_within', 'The same for two samples of one repetition'),
      n_within: int('Tasks with a repetition in which at least two samples count: those behind agreement_within.'),
      ...interval('kappa', "Fleiss' kappa of the repetitions, the mean over all ways to pair their samples"),
      confidence: float('Confidence level of the intervals.'),
      interval_method: text('How the intervals were made.'),
      n: int('Tasks with samples in at least two repetitions: those behind flaky_across, agreement and kappa.'),
      reason: text('Why kappa is null.', { nullWhen: 'kappa is not null' }),
      simulated: bool('True when the model is simulated.'),
    },
  },
} as const satisfies Record<string, Table>;
