/** Table of a run that judges another run's replies again: the verdicts that changed. */
import { bool, text, type Table } from './column.ts';
import { cellKey, cellKeyNames, sampleKey } from './keys.ts';

export const rescoredTables = {
  moved_verdicts: {
    name: 'moved_verdicts',
    meaning:
      'In a run made by `rescore`: every verdict that differs from the run that the replies come from. ' +
      'Empty in other runs.',
    schemaVersion: 1,
    key: [...cellKeyNames, 'loop', 'step', 'sample', 'suite'],
    columns: {
      ...cellKey,
      ...sampleKey,
      suite: text('Suite name.'),
      before: text('Outcome in the run that the replies come from.', { nullWhen: 'only this run got there' }),
      now: text('Outcome in this run.', { nullWhen: 'only the other run got there' }),
      moved: text(
        'now_pass, no_longer_pass, other_outcome (passes in neither), only_before or only_now (a loop or step ' +
          'that only one run reached).',
      ),
      simulated: bool('True when a simulated model answered.'),
    },
  },
} as const satisfies Record<string, Table>;
