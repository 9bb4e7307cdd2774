/** Tables of the translation chain (EVALOOP, section 5). */
import { bool, float, int, interval, text, type Table } from './column.ts';
import { cellKey, cellKeyNames } from './keys.ts';

export const chainTables = {
  chains: {
    name: 'chains',
    meaning: 'Translation chains: how far each cell got, and what ended it.',
    schemaVersion: 1,
    key: cellKeyNames,
    columns: {
      ...cellKey,
      steps: int('Steps of the chain, M.'),
      sustained_steps: int('Steps passed in a row from the first, 0 to M.'),
      passed_steps: int('Steps passed in total; with scoring `counts`, a chain continues after a failure.'),
      ended_by: text(
        'survived, code_failed, no_code, excluded (a limit of evenkeel kept a step from being judged; what is known ' +
          'of it counts), or start_failed (the reference fails its own tests; not counted).',
      ),
      ended_language: text('Language of the first translation that failed.', { nullWhen: 'none did' }),
      ended_outcome: text('Outcome of that translation.', { nullWhen: 'none failed' }),
      simulated: bool('True when the model is simulated.'),
    },
  },
  translations: {
    name: 'translations',
    meaning:
      'Every step of a translation chain that was asked. Its text is in `samples` (step translate), its outcomes ' +
      'by suite are in `verdicts`.',
    schemaVersion: 1,
    key: [...cellKeyNames, 'loop'],
    columns: {
      ...cellKey,
      loop: int('Step of the chain, from 1.'),
      source_language: text('Translated from.'),
      target_language: text('Translated to, and tested in.'),
      outcome: text('Outcome of the translation, from the closed list.'),
      simulated: bool('True when the model is simulated.'),
    },
  },
  chain_scores: {
    name: 'chain_scores',
    meaning:
      'Translation chains: Average Sustainable Loops per model, with intervals. Where a step could not be judged, ' +
      'what is known of the chain counts: no estimate is outside of what all chains may be, and intervals have all ' +
      'of it.',
    schemaVersion: 1,
    key: ['run', 'study', 'model', 'benchmark', 'setting'],
    columns: {
      run: cellKey.run,
      study: cellKey.study,
      model: cellKey.model,
      benchmark: cellKey.benchmark,
      setting: cellKey.setting,
      languages: text('Languages in the order of the chain, the start first.'),
      steps: int('Steps of the chain, M.'),
      scoring: text(
        'squares: sum of n_i i^2 over M T, where a failure ends the chain; counts: mean number of steps passed, ' +
          'where each step translates the previous answer.',
      ),
      ...interval('score', 'ASL by this scoring, of the cells that were judged to their end'),
      ...interval('pass_at_1', 'Share of cells whose first translation passed, of those judged there', {
        value: 'no first translation was judged',
      }),
      drop: float(
        'Share of cells that passed the first step minus the share that passed the last, -1 to 1, of cells where ' +
          'both are known.',
        { nullWhen: 'there are none' },
      ),
      drop_lo: float('Lower end of its interval.', { nullWhen: 'drop is null' }),
      drop_hi: float('Upper end of its interval.', { nullWhen: 'drop is null' }),
      passed: {
        type: 'intList',
        meaning:
          'Of the n cells that count, those that passed step 1, 2, ... M; with scoring `squares`, only those that ' +
          'passed all earlier steps.',
      },
      level: float('Same as `confidence`, by its name in version 0.1.'),
      confidence: float('Confidence level of the intervals.'),
      method: text('How the intervals were made.'),
      n: int('Cells that were judged to their end, T.'),
      n_start_failed: int('Cells not counted because the reference fails its own tests.'),
      n_excluded: int("Cells with a step that could not be judged because of evenkeel's limits."),
      reason: text('Why the score is null.', { nullWhen: 'the score is not null' }),
      simulated: bool('True when the model is simulated.'),
    },
  },
  chain_failures: {
    name: 'chain_failures',
    meaning: 'Translation chains: number of translations into each language, by outcome.',
    schemaVersion: 1,
    key: ['run', 'study', 'model', 'benchmark', 'setting', 'step', 'outcome'],
    columns: {
      run: cellKey.run,
      study: cellKey.study,
      model: cellKey.model,
      benchmark: cellKey.benchmark,
      setting: cellKey.setting,
      step: int('Step of the chain, from 1.'),
      source_language: text('Translated from.'),
      target_language: text('Translated to.'),
      outcome: text('Outcome, from the closed list.'),
      n: int('Translations with this outcome.'),
      attempted: int('Translations at this step.'),
      share: float('n / attempted.'),
      share_lo: float('Lower end of its interval.', { nullWhen: 'an earlier version made the row' }),
      share_hi: float('Upper end of its interval.', { nullWhen: 'an earlier version made the row' }),
      level: float('Same as `confidence`, by its name in version 0.1.', {
        nullWhen: 'an earlier version made the row',
      }),
      confidence: float('Confidence level of the interval.', { nullWhen: 'an earlier version made the row' }),
      method: text('How the interval was made.', { nullWhen: 'an earlier version made the row' }),
      tasks: text('Ids of up to twenty of the tasks, in order.'),
      simulated: bool('True when the model is simulated.'),
    },
  },
} as const satisfies Record<string, Table>;
