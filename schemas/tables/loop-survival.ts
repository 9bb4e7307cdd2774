/** Tables of how tasks are lost: survival, hazard, what broke, drift of lengths and fixpoints. */
import { float, int, text, type Table } from './column.ts';
import { studyModel, studyModelNames } from './keys.ts';

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
      hazard_lo: float("Lower end of Wilson's interval."),
      hazard_hi: float('Upper end of it.'),
      survival: float("Kaplan and Meier's estimate of lasting beyond it."),
      survival_lo: float("Lower end of Greenwood's interval on the log-log scale.", { nullWhen: 'survival is 0 or 1' }),
      survival_hi: float('Upper end of it.', { nullWhen: 'survival is 0 or 1' }),
      level: float('Confidence level of the intervals.'),
    },
  },
  loop_tests: {
    name: 'loop_tests',
    meaning: 'EVALOOP: log-rank tests between any two models of a study of up to 12; the p of a study are one family (Holm).',
    schemaVersion: 1,
    key: ['run', 'study', 'model', 'other_model'],
    columns: {
      ...studyModel,
      other_model: text('The model it is compared with.'),
      chi_square: float('On one degree of freedom.', { nullWhen: 'the test is undefined; see reason' }),
      p: float('Its p.', { nullWhen: 'the test is undefined' }),
      p_adjusted: float('The same, adjusted over the pairs of the study (Holm).', { nullWhen: 'p is null' }),
      n: int('Cells of both.'),
      reason: text('Why there is no test.', { nullWhen: 'there is one' }),
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
      code_ratio: float('Characters of code, as a ratio.', { nullWhen: 'the run holds none' }),
      summary_ratio: float('Characters of the summary, as a ratio.', { nullWhen: 'the loop has none: the last' }),
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
      from_loop: float('Mean loop from which on their code stayed.', { nullWhen: 'none is at rest' }),
    },
  },
} as const satisfies Record<string, Table>;
