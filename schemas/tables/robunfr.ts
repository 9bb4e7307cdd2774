/** Tables of RobuNFR: measured solutions, scores, workflows and regression. */
import { bool, float, int, interval, text, type Column, type Table } from './column.ts';
import { cellKey, cellKeyNames } from './keys.ts';

/** What RobuNFR's derived tables are about; `setting` is the workflow. */
const nfrWorkflowKey = {
  run: cellKey.run,
  study: cellKey.study,
  benchmark: cellKey.benchmark,
  language: cellKey.language,
  setting: text('Workflow: function-only, nfr-integrated or nfr-enhanced.'),
  dimension: text('Non-functional requirement, or function-only.'),
  metric: text(
    'pass_at_1 (%), code_smell, unreadability, exception_handling (per ten lines), wall_ms, cpu_ms (ms, all solutions that came to an end), wall_ms_passing, cpu_ms_passing (those that pass).',
  ),
  suite: text('Suite of pass_at_1.', { nullWhen: 'the metric is no matter of suites' }),
} as const satisfies Record<string, Column>;

const nfrKey = { ...nfrWorkflowKey, model: cellKey.model } as const satisfies Record<string, Column>;

/** Made of times, which are measured. */
const measuredTimes = {
  where: "metric IN ('wall_ms', 'cpu_ms', 'wall_ms_passing', 'cpu_ms_passing')",
  why: 'times are measured in each run',
} as const;
const withTimes = 'the comparisons of times are among those that it is corrected for';

/** As published: next to the verdict, which is about the ratio. */
const welch = {
  welch_p: float("Of a time: p of Welch's test over the phrasings' means, as published; the verdict does not look at it.", {
    nullWhen: 'the metric is not a time, fewer than two phrasings have one or none varies, or an older program wrote it',
  }),
  welch_lo: float("Lower end of Welch's interval of the difference.", { nullWhen: 'welch_p is null' }),
  welch_hi: float('Upper end of it.', { nullWhen: 'welch_p is null' }),
};

export const robunfrTables = {
  quality: {
    name: 'quality',
    meaning: 'What was measured of each distinct program, as solution.py with one trailing newline; once per page that used it.',
    schemaVersion: 1,
    key: ['program_sha256', 'page'],
    columns: {
      program_sha256: text('SHA-256 of the program.'),
      page: text('Page of the plan whose part holds this row.'),
      loc: int('Lines that hold more than white space, comments and docstrings included.'),
      code_smells: int("Pylint's refactoring (R) messages.", { nullWhen: 'reason is not' }),
      unreadability: int("Pylint's convention (C) messages.", { nullWhen: 'reason is not' }),
      handlers: int('except handlers, from the syntax tree.', { nullWhen: 'reason is not' }),
      raises: int('raise statements, from the syntax tree.', { nullWhen: 'reason is not' }),
      code_smell_density: float('Code smells.', { unit: 'per 10 lines', nullWhen: 'reason is not, or there is no line' }),
      unreadability_density: float('Convention messages.', { unit: 'per 10 lines', nullWhen: 'reason is not, or there is no line' }),
      exception_density: float('Handlers and raises.', { unit: 'per 10 lines', nullWhen: 'reason is not, or there is no line' }),
      reason: text('Why it has no measures: syntax_error, too_deep, pylint_crash, timeout, memory, output_limit, killed.', {
        nullWhen: 'it has them',
      }),
      pylint: text("Pylint's version."),
      python: text("The interpreter's version; Pylint's py-version is its first two numbers."),
    },
  },
  quality_messages: {
    name: 'quality_messages',
    meaning: 'Every message of Pylint about a measured program.',
    schemaVersion: 1,
    key: ['program_sha256', 'page', 'place'],
    columns: {
      program_sha256: text('SHA-256 of the program.'),
      page: text('Page of the plan whose part holds this row.'),
      place: int("Place in Pylint's order, from 0."),
      message_id: text('e.g. C0114.'),
      symbol: text('e.g. missing-module-docstring.'),
      category: text('convention, refactor, warning, error, fatal.'),
      line: int('From 1.'),
      column: int('From 0.'),
      object: text('Function, class or method that it is about; empty for the module.'),
      text: text('The message.'),
    },
  },
  timings: {
    name: 'timings',
    meaning:
      'Repeats of timed programs on the timed suite of their task (the first, unless the study says another); one row with repeat 0 where none came to an end.',
    schemaVersion: 1,
    key: ['execution_id', 'page', 'repeat'],
    columns: {
      execution_id: text('Row of `executions`.'),
      page: text('Page of the plan whose part holds this row.'),
      repeat: int('From 1; 0 where there is no time.', { volatile: true }),
      end: text('How it ended: completed, or what stopped it.', { volatile: true }),
      detail: text('What ended it before its last case.', { nullWhen: 'nothing did', volatile: true }),
      // Whole numbers that have no room in 32 bits, which end at 2.1 s.
      cpu_ns: float('Processor time of the calls.', { unit: 'ns', nullWhen: 'there is no time', volatile: true }),
      wall_ns: float('Wall time of the calls.', { unit: 'ns', nullWhen: 'there is no time', volatile: true }),
      switches: int('Times that others took its core.', { nullWhen: 'there is no time', volatile: true }),
      waited_ns: float('Ready to run while others had its core.', { unit: 'ns', nullWhen: 'there is no time', volatile: true }),
      noisy: bool('Others had its core for more than a twentieth of the wall time, also when it was redone.', {
        nullWhen: 'there is no time',
        volatile: true,
      }),
      redone: int('Noisy repeats that were run again.', { volatile: true }),
      core: int('Core that it ran on.', { nullWhen: 'slots cannot be bound', volatile: true }),
    },
  },
  nfr_scores: {
    name: 'nfr_scores',
    meaning: 'RobuNFR: what the program of each cell came to; `setting` is the workflow. Outcomes by suite are in `verdicts` at `step`.',
    schemaVersion: 1,
    key: cellKeyNames,
    columns: {
      ...cellKey,
      dimension: text('Non-functional requirement that was asked for, or function-only.'),
      phrasing: text('How it was asked for.', { nullWhen: 'it is Function-Only' }),
      step: text('Step whose answer holds the program: generate, or improve for NFR-Enhanced.'),
      passed: bool('True when every suite passed.', { nullWhen: 'a limit of ours kept it from being judged' }),
      failure: text(
        'What kept it from passing: raises (an exception where a value is expected), wrong_output, syntax_error, timeout, no_code (prose), nothing_to_improve, other, or excluded (a limit of ours).',
        { nullWhen: 'it passed' },
      ),
      exception_matches: int("Matches of the study's own patterns for exception handling.", {
        nullWhen: 'it counts by syntax tree, or there is no code',
      }),
      simulated: bool('True when the model is simulated.'),
    },
  },
  nfr_summary: {
    name: 'nfr_summary',
    meaning: 'RobuNFR: AVG and STDEV of a metric over the phrasings, and the change against Function-Only (tables 2 and 3 of the paper).',
    schemaVersion: 1,
    key: ['run', 'study', 'model', 'benchmark', 'language', 'setting', 'dimension', 'metric', 'suite'],
    volatileRows: measuredTimes,
    columns: {
      ...nfrKey,
      n_values: int('Phrasings, or repetitions of Function-Only, that have a value.'),
      ...interval('mean', 'AVG over them'),
      ...interval('stdev', 'STDEV over them (n - 1); null where fewer than two have a value'),
      ...interval('function_only', 'AVG of Function-Only over these tasks'),
      ...interval('delta_percent', '100 (mean - function_only) / function_only'),
      ...interval(
        'ratio',
        'Of a time: geometric mean over the tasks of their time with the requirement over that of Function-Only; null for other metrics',
      ),
      n_ratio: int('Tasks with a time in both.', { nullWhen: 'ratio is null' }),
      level: float('The same as confidence, under its name of version 0.1.'),
      confidence: float('Confidence level of the intervals.'),
      method: text('How the intervals were made.'),
      n: int('Solutions that count.'),
      n_tasks: int('Tasks that they are of.'),
      n_excluded: int('Solutions left out: limits of ours, or without a measure.'),
      reason: text('Why mean is null.', { nullWhen: 'it is not' }),
      ceiling: float('Share of the tasks whose own reference passes this suite. All tasks were tried: it has no interval.', {
        unit: '%',
        nullWhen: 'the metric is not pass_at_1',
      }),
      simulated: bool('True when the model is simulated.'),
    },
  },
  nfr_phrasings: {
    name: 'nfr_phrasings',
    meaning: 'RobuNFR: the value of a metric for each phrasing over all tasks; what AVG and STDEV are taken over.',
    schemaVersion: 1,
    key: ['run', 'study', 'model', 'benchmark', 'language', 'setting', 'dimension', 'metric', 'suite', 'variant', 'repetition'],
    volatileRows: measuredTimes,
    columns: {
      ...nfrKey,
      variant: cellKey.variant,
      repetition: cellKey.repetition,
      phrasing: text('How it was asked for.', { nullWhen: 'it is Function-Only' }),
      ...interval('value', 'Share in percent, density per ten lines, or mean milliseconds; null where no solution counts'),
      n: int('Tasks whose solution counts.', { nullWhen: 'an older program wrote it' }),
      confidence: float('Confidence level of the interval.', { nullWhen: 'an older program wrote it' }),
      interval_method: text('How the interval was made.', { nullWhen: 'an older program wrote it' }),
      simulated: bool('True when the model is simulated.'),
    },
  },
  nfr_workflows: {
    name: 'nfr_workflows',
    meaning: 'RobuNFR: averages over models by workflow and dimension (tables 5 and 6 of the paper).',
    schemaVersion: 1,
    key: ['run', 'study', 'benchmark', 'language', 'setting', 'dimension', 'metric', 'suite'],
    volatileRows: measuredTimes,
    columns: {
      ...nfrWorkflowKey,
      ...interval('mean', 'Mean over models of their AVG; null where no model has one'),
      ...interval('stdev', 'Mean over models of their STDEV; null where no model has one'),
      ...interval('delta_percent', 'Against the mean of Function-Only, both unrounded; null where either is, or Function-Only is 0'),
      n_models: int('Models that have an AVG.'),
      p_workflows: float("Of the paired t-test of the tasks' mean times, this workflow against the other one of the same requirement.", {
        nullWhen: 'the metric is no time, there is one workflow, or no test could be made',
      }),
      n_tasks: int('Tasks in that test: timed in both.', { nullWhen: 'p_workflows is null' }),
      ...interval(
        'ratio_workflows',
        'Of a time: geometric mean over the tasks of their time in this workflow over that in the other one; null for other metrics',
      ),
      n_ratio_workflows: int('Tasks with a time in both workflows.', { nullWhen: 'ratio_workflows is null' }),
      p_ratio_workflows: float('Of the sign-flip test of the logarithms of these ratios.', { nullWhen: 'ratio_workflows is null' }),
      ...interval(
        'ratio',
        'Of a time: geometric mean over the tasks of their time with the requirement over that of Function-Only, models averaged on logarithms; null for other metrics',
      ),
      n_ratio: int('Tasks with a time in both.', { nullWhen: 'ratio is null' }),
      n: int('Tasks that the averages are over.'),
      confidence: float('Confidence level of the intervals.'),
      interval_method: text('How the intervals were made.'),
      simulated: bool('True when any of the models is simulated.'),
    },
  },
  regression: {
    name: 'regression',
    meaning: 'RobuNFR: two versions of a model, metric by metric (table 4 of the paper), with the verdict.',
    schemaVersion: 1,
    key: ['run', 'study', 'old_model', 'model', 'benchmark', 'language', 'setting', 'dimension', 'metric', 'suite'],
    volatileRows: measuredTimes,
    columns: {
      ...nfrWorkflowKey,
      old_model: text('Id of the old version.'),
      model: text('Id of the new version.'),
      ...interval('old_mean', 'AVG of the old version'),
      ...interval('old_stdev', 'STDEV of the old version; null where fewer than two phrasings have a value'),
      ...interval('new_mean', 'AVG of the new version'),
      ...interval('new_stdev', 'STDEV of the new version; null where fewer than two phrasings have a value'),
      ...interval('difference', 'New minus old'),
      ...interval('delta_percent', 'Difference in percent of the old value'),
      ratio: float('Of a time: geometric mean over the tasks of new / old; below 1 is faster. Its verdict is about this ratio.', {
        nullWhen: 'the metric is not a time, no task has a time in both, or an older program wrote it',
      }),
      ratio_lo: float('Lower end of its interval.', { nullWhen: 'ratio is null' }),
      ratio_hi: float('Upper end of its interval.', { nullWhen: 'ratio is null' }),
      n_ratio: int('Tasks with a time in both versions.', { nullWhen: 'ratio is null' }),
      level: float('The same as confidence, under its name of version 0.1.'),
      confidence: float('Confidence level of the intervals, each for itself alone.'),
      interval_method: text('How the intervals were made; that of the ratio is always over tasks.', {
        nullWhen: 'an older program wrote it: a percentile bootstrap over tasks',
      }),
      method: text(
        'mcnemar_exact, sign_flip (the versions swapped task by task), ratio_sign_flip (the same of the logarithms of the ratios of times); welch and paired_bootstrap in runs of older programs.',
      ),
      p: float('Of the test.', { nullWhen: 'no test could be made' }),
      ...welch,
      p_adjusted: float('By Holm over all comparisons of the pair.', { nullWhen: 'p is null', volatile: withTimes }),
      smallest_effect: float(
        'Smallest difference that could have been seen, of a time for a typical task: one of the geometric mean of the old times.',
        { nullWhen: 'none could, or nothing was tested' },
      ),
      margin: float('Differences up to this do not matter, of a time for a typical task.'),
      verdict: text('better, worse, no_change, inconclusive.', { volatile: withTimes }),
      n: int('Solutions of each version that count.'),
      n_excluded: int('Left out because a version has no value there.'),
      reason: text('Why difference is null.', { nullWhen: 'it is not' }),
      simulated: bool('True when either model is simulated.'),
    },
  },
} as const satisfies Record<string, Table>;
