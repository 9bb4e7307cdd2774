/** Tables of RobuNFR: quality and times of solutions, scores, workflows and regression. */
import { bool, float, int, interval, text, type Column, type Table } from './column.ts';
import { cellKey, cellKeyNames } from './keys.ts';

/** Key columns of RobuNFR's derived tables; `setting` is the workflow. */
const nfrWorkflowKey = {
  run: cellKey.run,
  study: cellKey.study,
  benchmark: cellKey.benchmark,
  language: cellKey.language,
  setting: text('Workflow: function-only, nfr-integrated or nfr-enhanced.'),
  dimension: text('Non-functional requirement, or function-only.'),
  metric: text(
    'pass_at_1 (%), code_smell, unreadability, exception_handling (per ten lines), wall_ms, cpu_ms (ms, all ' +
      'solutions that finished), wall_ms_passing, cpu_ms_passing (ms, solutions that pass).',
  ),
  suite: text('Suite of pass_at_1.', { nullWhen: 'the metric does not depend on a suite' }),
} as const satisfies Record<string, Column>;

const nfrKey = { ...nfrWorkflowKey, model: cellKey.model } as const satisfies Record<string, Column>;

/** Rows computed from measured times. */
const measuredTimes = {
  where: "metric IN ('wall_ms', 'cpu_ms', 'wall_ms_passing', 'cpu_ms_passing')",
  why: 'times are measured in each run',
} as const;
const withTimes = 'it is adjusted for all comparisons, and those of times vary';

/** The published test; the verdict is based on the ratio instead. */
const welch = {
  welch_p: float("For times: p of Welch's test over the phrasings' means, as published. The verdict does not use it.", {
    nullWhen: 'the metric is not a time, fewer than two phrasings have one, none varies, or an older program wrote it',
  }),
  welch_lo: float("Lower end of Welch's interval of the difference.", { nullWhen: 'welch_p is null' }),
  welch_hi: float('Upper end of that interval.', { nullWhen: 'welch_p is null' }),
};

/** Of delta_percent: Function-Only differs from itself by 0, whatever the tasks; older programs wrote an interval. */
const noOwn = 'delta_percent is null, or in the row of Function-Only, where it is 0 by definition';
const noOwnInterval = {
  delta_percent_lo: float('Lower end of its interval.', { nullWhen: noOwn }),
  delta_percent_hi: float('Upper end of its interval.', { nullWhen: noOwn }),
};

/** Of a yardstick's time. */
const noYardstick = 'no repeat of the yardstick finished, or an older program timed it';

export const robunfrTables = {
  quality: {
    name: 'quality',
    meaning:
      'Measures of each distinct program, stored as solution.py with one trailing newline; ' +
      'one row per page that used it.',
    schemaVersion: 1,
    key: ['program_sha256', 'page'],
    columns: {
      program_sha256: text('SHA-256 of the program.'),
      page: text('Page of the plan whose part holds this row.'),
      loc: int('Lines that are not blank, including comments and docstrings.'),
      code_smells: int("Pylint's refactoring (R) messages.", { nullWhen: 'reason is not null' }),
      unreadability: int("Pylint's convention (C) messages.", { nullWhen: 'reason is not null' }),
      handlers: int('except handlers, from the syntax tree.', { nullWhen: 'reason is not null' }),
      raises: int('raise statements, from the syntax tree.', { nullWhen: 'reason is not null' }),
      code_smell_density: float('Code smells.', {
        unit: 'per 10 lines',
        nullWhen: 'reason is not null, or the program is blank',
      }),
      unreadability_density: float('Convention messages.', {
        unit: 'per 10 lines',
        nullWhen: 'reason is not null, or the program is blank',
      }),
      exception_density: float('Handlers and raises.', {
        unit: 'per 10 lines',
        nullWhen: 'reason is not null, or the program is blank',
      }),
      reason: text(
        'Why there are no measures: syntax_error, too_deep, pylint_crash, timeout, memory, output_limit, killed.',
        {
          nullWhen: 'there are measures',
        },
      ),
      pylint: text("Pylint's version."),
      python: text("The interpreter's version; Pylint's py-version is its first two numbers."),
    },
  },
  quality_messages: {
    name: 'quality_messages',
    meaning: 'Every Pylint message about a measured program, once per page that used it.',
    schemaVersion: 1,
    key: ['program_sha256', 'page', 'place'],
    columns: {
      program_sha256: text('SHA-256 of the program.'),
      page: text('Page of the plan whose part holds this row.'),
      place: int("Position in Pylint's order, from 0."),
      message_id: text('e.g. C0114.'),
      symbol: text('e.g. missing-module-docstring.'),
      category: text('convention, refactor, warning, error, fatal.'),
      line: int('Line, from 1.'),
      column: int('Column, from 0.'),
      object: text('The function, class or method concerned; empty for the module.', { holds: ['replies'] }),
      text: text('The message.', { holds: ['replies'] }),
    },
  },
  timings: {
    name: 'timings',
    meaning:
      'Repeats of timed programs on the timed suite of their task (the first, unless the study sets another), as ' +
      'measured; one row with repeat 0 if no repeat finished. Once per page that used the program. Values of ' +
      "RobuNFR are in units of the task's yardstick: docs/studies/robunfr.md.",
    schemaVersion: 1,
    key: ['execution_id', 'page', 'repeat'],
    columns: {
      execution_id: text('Row of `executions`.'),
      page: text('Page of the plan whose part holds this row.'),
      repeat: int('Number of the repeat, from 1; 0 if there is no time.', { volatile: true }),
      end: text('How it ended: completed, or what stopped it.', { volatile: true }),
      detail: text('What ended it before its last case.', {
        nullWhen: 'nothing ended it early',
        volatile: true,
        holds: ['replies', 'data-sets'],
      }),
      // Integers, but 32 bits would overflow at 2.1 s.
      cpu_ns: float('CPU time of the calls.', { unit: 'ns', nullWhen: 'there is no time', volatile: true }),
      wall_ns: float('Wall time of the calls.', { unit: 'ns', nullWhen: 'there is no time', volatile: true }),
      switches: int('How often another process took its core.', { nullWhen: 'there is no time', volatile: true }),
      waited_ns: float('Time spent waiting for its core while ready to run.', {
        unit: 'ns',
        nullWhen: 'there is no time',
        volatile: true,
      }),
      noisy: bool('True if others used its core for more than 1/20 of the wall time, even after repeating.', {
        nullWhen: 'there is no time',
        volatile: true,
      }),
      redone: int('Noisy repeats that were run again.', { volatile: true }),
      core: int('Core that it ran on.', { nullWhen: 'slots cannot be bound', volatile: true }),
      yardstick_cpu_ns: float("CPU time of the task's yardstick, timed in turns with it: mean over its repeats.", {
        unit: 'ns',
        nullWhen: noYardstick,
        volatile: true,
      }),
      yardstick_wall_ns: float('Its wall time, without the wait for its core: mean over its repeats.', {
        unit: 'ns',
        nullWhen: noYardstick,
        volatile: true,
      }),
    },
  },
  nfr_scores: {
    name: 'nfr_scores',
    meaning:
      'RobuNFR: whether the program of each cell passed; `setting` is the workflow. Outcomes by suite are in ' +
      '`verdicts` at `step`.',
    schemaVersion: 1,
    key: cellKeyNames,
    columns: {
      ...cellKey,
      dimension: text('The requested non-functional requirement, or function-only.'),
      phrasing: text('Wording of the requirement.', { nullWhen: 'the workflow is function-only' }),
      step: text('Step whose answer contains the program: generate, or improve for NFR-Enhanced.'),
      passed: bool('True when every suite passed.', {
        nullWhen: 'a limit of evenkeel, or a reference without output, prevented judging',
      }),
      failure: text(
        'Why it did not pass: raises (an exception instead of a value), wrong_output, syntax_error, timeout, ' +
          'no_code (prose), nothing_to_improve, other, or excluded (a limit of evenkeel, or a reference without ' +
          'output).',
        { nullWhen: 'the program passed' },
      ),
      exception_matches: int("Matches of the study's patterns for exception handling.", {
        nullWhen: 'the study counts by syntax tree, or there is no code',
      }),
      simulated: bool('True when the model is simulated.'),
    },
  },
  nfr_summary: {
    name: 'nfr_summary',
    meaning:
      'RobuNFR: AVG and STDEV of a metric over the phrasings, ' +
      'and the change from Function-Only (tables 2 and 3 of the paper).',
    schemaVersion: 1,
    key: ['run', 'study', 'model', 'benchmark', 'language', 'setting', 'dimension', 'metric', 'suite'],
    volatileRows: measuredTimes,
    columns: {
      ...nfrKey,
      n_values: int('Phrasings, or repetitions of Function-Only, that have a value.'),
      ...interval('mean', 'AVG over these values'),
      ...interval('stdev', 'STDEV over these values (n - 1)', { value: 'there are fewer than two values' }),
      ...interval(
        'function_only',
        'AVG of Function-Only over the same tasks: for each phrasing, those whose solution counts in both',
        { value: 'there is no such task' },
      ),
      ...interval(
        'delta_percent',
        'Change from Function-Only over the same tasks. It is 100 (mean - function_only) / function_only where every ' +
          'task of mean has a solution under Function-Only that counts; else the other tasks are left out of it',
        { value: 'function_only is null or 0' },
      ),
      ...noOwnInterval,
      ...interval(
        'ratio',
        'For times: geometric mean over tasks of time with the requirement / time of Function-Only; ' +
          'null for other metrics',
      ),
      n_ratio: int('Tasks with both times.', { nullWhen: 'ratio is null' }),
      level: float('Same as `confidence`, by its name in version 0.1.'),
      confidence: float('Confidence level of the intervals.'),
      method: text('How the intervals were made.'),
      n: int('Solutions that count.'),
      n_tasks: int('Tasks that these solutions belong to.'),
      n_excluded: int("Solutions excluded: evenkeel's limits, a reference without output, or no measure."),
      reason: text('Why mean is null.', { nullWhen: 'mean is not null' }),
      ceiling: float(
        'Share of tasks whose own reference passes this suite, of those whose reference could be judged. It covers ' +
          'all of them, so it has no interval.',
        {
          unit: '%',
          nullWhen: 'the metric is not pass_at_1, or no reference could be judged',
        },
      ),
      simulated: bool('True when the model is simulated.'),
    },
  },
  nfr_stdev_parts: {
    name: 'nfr_stdev_parts',
    meaning:
      'RobuNFR: STDEV of pass_at_1 over phrasings in two parts, stdev² = phrasing² + chance², over the tasks with a ' +
      'value for every phrasing.',
    schemaVersion: 1,
    key: ['run', 'study', 'model', 'benchmark', 'language', 'setting', 'dimension', 'metric', 'suite'],
    columns: {
      ...nfrKey,
      ...interval('phrasing', 'The part that the phrasings differ by; 0 if chance explains all'),
      ...interval('chance', 'The STDEV that equal phrasings would have, from tasks and samples'),
      n_tasks: int('Tasks with a value for every phrasing.'),
      confidence: float('Confidence level of the intervals.'),
      method: text('How the intervals were made.'),
      reason: text('Why phrasing and chance are null.', { nullWhen: 'they are not null' }),
      simulated: bool('True when the model is simulated.'),
    },
  },
  nfr_phrasings: {
    name: 'nfr_phrasings',
    meaning:
      'RobuNFR: the value of a metric for each phrasing over all tasks; AVG and STDEV are computed from these values.',
    schemaVersion: 1,
    key: [
      'run',
      'study',
      'model',
      'benchmark',
      'language',
      'setting',
      'dimension',
      'metric',
      'suite',
      'variant',
      'repetition',
    ],
    volatileRows: measuredTimes,
    columns: {
      ...nfrKey,
      variant: cellKey.variant,
      repetition: cellKey.repetition,
      phrasing: text('Wording of the requirement.', { nullWhen: 'the workflow is function-only' }),
      ...interval('value', 'Share in percent, density per ten lines, or mean milliseconds; null if no solution counts'),
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
      ...interval('mean', 'Mean over models of their AVG; null if no model has one'),
      ...interval('stdev', 'Mean over models of their STDEV; null if no model has one'),
      ...interval(
        'delta_percent',
        'Change from the mean of Function-Only over the same tasks in percent, from unrounded values, of the models ' +
          'that have both; null if no model has, or Function-Only is 0',
      ),
      ...noOwnInterval,
      n_models: int('Models that have an AVG.'),
      p_workflows: float(
        "p of the paired t-test of the tasks' mean times in this workflow and in the other " +
          'one with the same requirement.',
        {
          nullWhen: 'the metric is not a time, there is only one workflow, or no test is possible',
        },
      ),
      n_tasks: int('Tasks in that test: those timed in both workflows.', { nullWhen: 'p_workflows is null' }),
      ...interval(
        'ratio_workflows',
        'For times: geometric mean over tasks of time in this workflow / time in the other one; null for other metrics',
      ),
      n_ratio_workflows: int('Tasks with a time in both workflows.', { nullWhen: 'ratio_workflows is null' }),
      p_ratio_workflows: float('p of the sign-flip test of the logarithms of these ratios.', {
        nullWhen: 'ratio_workflows is null',
      }),
      ...interval(
        'ratio',
        'For times: geometric mean over tasks of time with the requirement / time of Function-Only, models ' +
          'averaged on logarithms; null for other metrics',
      ),
      n_ratio: int('Tasks with both times.', { nullWhen: 'ratio is null' }),
      n: int('Tasks behind the averages.'),
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
      ...interval('old_stdev', 'STDEV of the old version; null if fewer than two phrasings have a value'),
      ...interval('new_mean', 'AVG of the new version'),
      ...interval('new_stdev', 'STDEV of the new version; null if fewer than two phrasings have a value'),
      ...interval(
        'difference',
        'New minus old: new_mean - old_mean, both of the n solutions with a value in both versions. Where answers ' +
          'could not be judged, the interval of pass_at_1 has all that they allow, over all answers; and `compare`, ' +
          '`gate` and cards, which take the mean of each task first, may have another difference',
      ),
      ...interval('delta_percent', 'Difference in percent of the old value, with its interval, of the n solutions'),
      ratio: float(
        'For times: geometric mean over tasks of new / old, of programs that pass in both versions; below 1 is ' +
          'faster. The verdict on a time is based on this ratio.',
        {
          nullWhen: 'the metric is not a time, no task has both times, or an older program wrote it',
        },
      ),
      ratio_lo: float('Lower end of its interval.', { nullWhen: 'ratio is null' }),
      ratio_hi: float('Upper end of its interval.', { nullWhen: 'ratio is null' }),
      n_ratio: int('Tasks with such a time in both versions.', { nullWhen: 'ratio is null' }),
      level: float('Same as `confidence`, by its name in version 0.1.'),
      confidence: float('Confidence level of each single interval.'),
      interval_method: text('How the intervals were made; that of ratio is always over tasks.', {
        nullWhen: 'an older program wrote it: a percentile bootstrap over tasks',
      }),
      method: text(
        'mcnemar_exact, sign_flip (versions swapped task by task), ratio_sign_flip (the same, on logarithms of ' +
          'the ratios of times); in runs of older programs also welch and paired_bootstrap.',
      ),
      p: float(
        'p of the test. Of pass_at_1, where answers could not be judged, the larger of that of the n solutions and ' +
          'that of all answers, with these in the least favourable way for the difference: 1 if the other version is ' +
          'then ahead. Not in runs of older programs.',
        { nullWhen: 'no test is possible' },
      ),
      ...welch,
      p_adjusted: float('p adjusted by Holm over all comparisons of the pair.', {
        nullWhen: 'p is null',
        volatile: withTimes,
      }),
      smallest_effect: float(
        'Smallest difference that could have been detected; for times, of a typical task, whose time is the ' +
          'geometric mean of the old times. Of the n solutions.',
        { nullWhen: 'no difference could be detected with the tasks that change, or nothing was tested' },
      ),
      margin: float('Differences up to this do not matter; for times, of a typical task.'),
      verdict: text('better, worse, no_change, inconclusive: by p_adjusted and the interval of difference.', {
        volatile: withTimes,
      }),
      n: int('Solutions of each version that count: those with a value in both versions.'),
      n_excluded: int(
        'Solutions excluded because one version has no value. Of pass_at_1, answers that could not be judged still ' +
          'count for p, the interval of difference and the verdict.',
      ),
      reason: text('Why difference is null.', { nullWhen: 'difference is not null' }),
      simulated: bool('True when either model is simulated.'),
    },
  },
} as const satisfies Record<string, Table>;
