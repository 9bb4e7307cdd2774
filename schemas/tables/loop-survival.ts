/** Tables of how tasks are lost: survival and hazard, causes of breaks, drift of lengths, and fixpoints. */
import { bool, float, int, text, type Table } from './column.ts';
import { studyModel, studyModelNames } from './keys.ts';

const earlier = { nullWhen: 'an earlier version made the row' };
const simulated = bool('True when the model is simulated.');

export const loopSurvivalTables = {
  loop_survival: {
    name: 'loop_survival',
    meaning:
      'EVALOOP: survival and hazard by loop, for original prompts under the default setting. Cells that pass all ' +
      'loops are censored at M.',
    schemaVersion: 1,
    key: [...studyModelNames, 'loop'],
    columns: {
      ...studyModel,
      loop: int('Loop, from 1.'),
      at_risk: int('Cells that reached the loop.'),
      ended: int('Of these, cells that broke in the loop.'),
      hazard: float('ended / at_risk.'),
      hazard_lo: float('Lower end of its interval.'),
      hazard_hi: float('Upper end of its interval.'),
      survival: float('Kaplan-Meier estimate of the probability to survive the loop.'),
      survival_lo: float('Lower end of its interval.', {
        nullWhen: 'an earlier version made the row, and survival is 0 or 1',
      }),
      survival_hi: float('Upper end of its interval.', {
        nullWhen: 'an earlier version made the row, and survival is 0 or 1',
      }),
      level: float('Same as `confidence`, by its name in version 0.1.'),
      confidence: float('Confidence level of the intervals.'),
      method: text('How the intervals were made.', earlier),
      simulated,
    },
  },
  loop_tests: {
    name: 'loop_tests',
    meaning:
      'EVALOOP: log-rank tests between any two models of a study with at most 12 models, paired by task: the two ' +
      'models are swapped within whole tasks. All p of a study form one family (Holm).',
    schemaVersion: 1,
    key: ['run', 'study', 'model', 'other_model'],
    columns: {
      ...studyModel,
      other_model: text('The model it is compared with.'),
      chi_square: float('Sum of the paired log-rank scores, standardised and squared; one degree of freedom.', {
        nullWhen: 'the test is undefined; see reason',
      }),
      p: float('Share of swaps of the two models within whole tasks that set them at least as far apart.', {
        nullWhen: 'the test is undefined',
      }),
      p_adjusted: float('p adjusted over all pairs of the study (Holm).', { nullWhen: 'p is null' }),
      n: int('Cells of both models, over the tasks that count for both.'),
      n_tasks: int('Tasks that count for both.', earlier),
      method: text('How the test was made.', earlier),
      reason: text('Why there is no test.', { nullWhen: 'there is one' }),
      simulated: bool('True when either model is simulated.'),
    },
  },
  loop_breaks: {
    name: 'loop_breaks',
    meaning: 'EVALOOP: what broke in each loop, and whether it collapsed or had drifted (section 2.2).',
    schemaVersion: 1,
    key: [...studyModelNames, 'loop'],
    columns: {
      ...studyModel,
      loop: int('The loop that broke; a missing summary breaks the loop that needed it.'),
      n_format: int('Cells without code or summary, or whose code is not valid Python.'),
      n_signature: int('Cells whose function is missing or takes different arguments.'),
      n_semantics: int('All other cells: wrong output, other exceptions, time and memory limits.'),
      n_collapsed: int(
        'Cells that broke after at least one sustained loop, with a similarity of at least collapseThreshold.',
      ),
      n_drifted: int('The same, with a similarity below collapseThreshold.'),
      n_unscored: int('The same, without a similarity.'),
      similarity: float('Mean similarity of scored cells.', { nullWhen: 'no cell is scored' }),
      similarity_lo: float('Lower end of its interval.', { nullWhen: 'no cell is scored' }),
      similarity_hi: float('Upper end of its interval.', { nullWhen: 'no cell is scored' }),
      n_scored: int('Cells with a similarity.', earlier),
      level: float('Same as `confidence`, by its name in version 0.1.', earlier),
      confidence: float('Confidence level of the interval.', earlier),
      method: text('How the interval was made.', earlier),
      simulated,
    },
  },
  loop_lengths: {
    name: 'loop_lengths',
    meaning:
      "EVALOOP: length of code and summary in each sustained loop, divided by the same cell's length in loop 1; " +
      'means over the cells that got that far.',
    schemaVersion: 1,
    key: [...studyModelNames, 'loop'],
    columns: {
      ...studyModel,
      loop: int('Loop, from 1.'),
      n_cells: int('Cells that sustained the loop.'),
      code_ratio: float(
        'Mean ratio of code lengths (characters) over cells, as published. One cell can dominate it, so it has no ' +
          'interval; use code_factor for one.',
        { nullWhen: 'the run holds no code' },
      ),
      summary_ratio: float('The same for summaries. It has no interval; use summary_factor for one.', {
        nullWhen: 'the loop has no summary (the last)',
      }),
      code_factor: float('Geometric mean of the ratios of code lengths, each task once.', {
        nullWhen: 'the run holds no code',
      }),
      code_factor_lo: float('Lower end of its interval.', {
        nullWhen: 'there are fewer than two tasks, or all values are equal',
      }),
      code_factor_hi: float('Upper end of its interval.', {
        nullWhen: 'there are fewer than two tasks, or all values are equal',
      }),
      summary_factor: float('The same for summaries.', { nullWhen: 'the loop has no summary (the last)' }),
      summary_factor_lo: float('Lower end of its interval.', {
        nullWhen: 'there are fewer than two tasks, or all values are equal',
      }),
      summary_factor_hi: float('Upper end of its interval.', {
        nullWhen: 'there are fewer than two tasks, or all values are equal',
      }),
      n_tasks: int('Tasks that sustained the loop.', earlier),
      level: float('Same as `confidence`, by its name in version 0.1.', earlier),
      confidence: float('Confidence level of the intervals.', earlier),
      method: text('How the intervals were made.', earlier),
      simulated,
    },
  },
  loop_fixpoints: {
    name: 'loop_fixpoints',
    meaning: 'EVALOOP: cells whose code stopped changing before their end, for at least two sustained loops.',
    schemaVersion: 1,
    key: studyModelNames,
    columns: {
      ...studyModel,
      n_cells: int('Cells that sustained two loops or more.'),
      n_fixed: int('Of these, cells at a fixpoint.'),
      fixed_share: float('n_fixed / n_cells.', { nullWhen: 'n_cells is 0' }),
      fixed_share_lo: float('Lower end of its interval.', { nullWhen: 'n_cells is 0' }),
      fixed_share_hi: float('Upper end of its interval.', { nullWhen: 'n_cells is 0' }),
      from_loop: float('Mean loop after which their code stayed the same.', { nullWhen: 'no cell is at a fixpoint' }),
      from_loop_lo: float('Lower end of its interval.', { nullWhen: 'no cell is at a fixpoint' }),
      from_loop_hi: float('Upper end of its interval.', { nullWhen: 'no cell is at a fixpoint' }),
      level: float('Same as `confidence`, by its name in version 0.1.', earlier),
      confidence: float('Confidence level of the intervals.', earlier),
      method: text('How the intervals were made.', earlier),
      simulated,
    },
  },
} as const satisfies Record<string, Table>;
