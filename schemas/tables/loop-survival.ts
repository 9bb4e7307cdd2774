/** Tables of how tasks are lost: survival, hazard, what broke, drift of lengths and fixpoints. */
import { bool, float, int, text, type Table } from './column.ts';
import { studyModel, studyModelNames } from './keys.ts';

const earlier = { nullWhen: 'an earlier version made the row' };
const simulated = bool('True when the model is simulated.');

export const loopSurvivalTables = {
  loop_survival: {
    name: 'loop_survival',
    meaning:
      'EVALOOP: survival and hazard by loop, unchanged prompts under the default setting. Cells that pass all loops are censored at M.',
    schemaVersion: 1,
    key: [...studyModelNames, 'loop'],
    columns: {
      ...studyModel,
      loop: int('Loop, from 1.'),
      at_risk: int('Cells that reached it.'),
      ended: int('Of these, the ones that broke in it.'),
      hazard: float('Their share.'),
      hazard_lo: float('Lower end of its interval.'),
      hazard_hi: float('Upper end of it.'),
      survival: float("Kaplan and Meier's estimate of lasting beyond it."),
      survival_lo: float('Lower end of its interval.', { nullWhen: 'an earlier version made the row, and survival is 0 or 1' }),
      survival_hi: float('Upper end of it.', { nullWhen: 'an earlier version made the row, and survival is 0 or 1' }),
      level: float('The same as confidence, under its name of version 0.1.'),
      confidence: float('Confidence level of the intervals.'),
      method: text('How the intervals were made.', earlier),
      simulated,
    },
  },
  loop_tests: {
    name: 'loop_tests',
    meaning:
      'EVALOOP: log-rank tests between any two models of a study of up to 12, paired by task: the two are swapped within whole tasks. The p of a study are one family (Holm).',
    schemaVersion: 1,
    key: ['run', 'study', 'model', 'other_model'],
    columns: {
      ...studyModel,
      other_model: text('The model it is compared with.'),
      chi_square: float('Sum of the paired log-rank scores, standardised and squared: on one degree of freedom.', {
        nullWhen: 'the test is undefined; see reason',
      }),
      p: float('Share of the ways to swap the two models within whole tasks that set them as far apart.', {
        nullWhen: 'the test is undefined',
      }),
      p_adjusted: float('The same, adjusted over the pairs of the study (Holm).', { nullWhen: 'p is null' }),
      n: int('Cells of both, of the tasks that count under both.'),
      n_tasks: int('Tasks that count under both.', earlier),
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
      loop: int('The loop that broke; a missing summary breaks the loop that it was for.'),
      n_format: int('Cells without code, without a summary, or whose text is no Python.'),
      n_signature: int('Cells whose function is missing or takes other arguments.'),
      n_semantics: int('All others: wrong output, other exceptions, limits of time and memory.'),
      n_collapsed: int('Cells that broke after a loop or more with a similarity of at least collapseThreshold.'),
      n_drifted: int('The same below it.'),
      n_unscored: int('The same without a similarity.'),
      similarity: float('Mean similarity.', { nullWhen: 'none is scored' }),
      similarity_lo: float('Lower end of its interval.', { nullWhen: 'none is scored' }),
      similarity_hi: float('Upper end of it.', { nullWhen: 'none is scored' }),
      n_scored: int('Cells with a similarity.', earlier),
      level: float('The same as confidence, under its name of version 0.1.', earlier),
      confidence: float('Confidence level of the interval.', earlier),
      method: text('How the interval was made.', earlier),
      simulated,
    },
  },
  loop_lengths: {
    name: 'loop_lengths',
    meaning:
      "EVALOOP: length of code and summary in each sustained loop over the same cell's in loop 1, means over the cells that got that far.",
    schemaVersion: 1,
    key: [...studyModelNames, 'loop'],
    columns: {
      ...studyModel,
      loop: int('Loop, from 1.'),
      n_cells: int('Cells that sustained it.'),
      code_ratio: float(
        'Characters of code, as a ratio: the mean over cells, as published. One cell can be all of it, so that it has no interval; code_factor has.',
        { nullWhen: 'the run holds none' },
      ),
      summary_ratio: float('Characters of the summary, as a ratio: the same. It has no interval; summary_factor has.', {
        nullWhen: 'the loop has none: the last',
      }),
      code_factor: float('Geometric mean of the ratios of code, each task once.', { nullWhen: 'the run holds none' }),
      code_factor_lo: float('Lower end of its interval.', { nullWhen: 'fewer than two tasks, or all are equal' }),
      code_factor_hi: float('Upper end of it.', { nullWhen: 'fewer than two tasks, or all are equal' }),
      summary_factor: float('The same of the summaries.', { nullWhen: 'the loop has none: the last' }),
      summary_factor_lo: float('Lower end of its interval.', { nullWhen: 'fewer than two tasks, or all are equal' }),
      summary_factor_hi: float('Upper end of it.', { nullWhen: 'fewer than two tasks, or all are equal' }),
      n_tasks: int('Tasks that sustained it.', earlier),
      level: float('The same as confidence, under its name of version 0.1.', earlier),
      confidence: float('Confidence level of the intervals.', earlier),
      method: text('How the intervals were made.', earlier),
      simulated,
    },
  },
  loop_fixpoints: {
    name: 'loop_fixpoints',
    meaning: 'EVALOOP: cells whose code no longer changes to their end, over two sustained loops at least.',
    schemaVersion: 1,
    key: studyModelNames,
    columns: {
      ...studyModel,
      n_cells: int('Cells that sustained two loops or more.'),
      n_fixed: int('Of these, the ones at rest.'),
      fixed_share: float('n_fixed over n_cells.', { nullWhen: 'there are no cells' }),
      fixed_share_lo: float('Lower end of its interval.', { nullWhen: 'there are no cells' }),
      fixed_share_hi: float('Upper end of it.', { nullWhen: 'there are no cells' }),
      from_loop: float('Mean loop from which on their code stayed.', { nullWhen: 'none is at rest' }),
      from_loop_lo: float('Lower end of its interval.', { nullWhen: 'none is at rest' }),
      from_loop_hi: float('Upper end of it.', { nullWhen: 'none is at rest' }),
      level: float('The same as confidence, under its name of version 0.1.', earlier),
      confidence: float('Confidence level of the intervals.', earlier),
      method: text('How the intervals were made.', earlier),
      simulated,
    },
  },
} as const satisfies Record<string, Table>;
