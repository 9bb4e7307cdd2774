/** Verdicts of other tools on answers that were imported from them, and how far evenkeel's own agree. */
import { bool, float, int, text, type Table } from './column.ts';
import { cellKey, cellKeyNames, sampleKey } from './keys.ts';

const by = text('The tool that judged, with its scorer if it has several: evalplus, inspect/verify.');
const suite = text('The suite that it ran; "all suites" for a verdict on all tests of the task.');

export const recordedTables = {
  recorded_verdicts: {
    name: 'recorded_verdicts',
    meaning:
      'What another tool found when it judged an imported answer: one row per answer and suite. evenkeel judges the ' +
      'answers itself; these are for comparison.',
    schemaVersion: 1,
    key: [...cellKeyNames, 'loop', 'step', 'sample', 'suite', 'recorded_by'],
    columns: {
      ...cellKey,
      ...sampleKey,
      suite,
      recorded_by: by,
      passed: bool('True if the answer passed there.'),
      simulated: bool('True when a simulated model answered.'),
    },
  },
} as const satisfies Record<string, Table>;

const { run, study, model, benchmark, task_id, language, setting } = cellKey;

/** Not stored: a view. */
export const recordedAgreement = {
  name: 'recorded_agreement',
  meaning:
    "evenkeel's verdicts beside those of the tool that imported answers came from, one row per task and suite: a " +
    'view over `recorded_verdicts` and `verdicts`. In total: `sum(n_same) / sum(n)`.',
  schemaVersion: 1,
  key: ['run', 'study', 'model', 'benchmark', 'task_id', 'language', 'setting', 'suite', 'recorded_by'],
  columns: {
    ...{ run, study, model, benchmark, task_id, language, setting },
    suite,
    recorded_by: by,
    simulated: bool('True when a simulated model answered.'),
    n: int('Answers with a verdict of both.'),
    n_unjudged: int('Answers that evenkeel could not judge, or whose suite the run does not have: not in n.'),
    n_same: int('Answers with equal verdicts.'),
    n_both_pass: int('Answers that passed there and here.'),
    n_only_recorded: int('Answers that passed there and failed here.'),
    n_only_here: int('Answers that failed there and passed here.'),
    agreement: float('n_same / n.', { nullWhen: 'n is 0' }),
  },
} as const satisfies Table;
