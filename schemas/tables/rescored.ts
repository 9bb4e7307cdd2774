/** Table of a run that judges another run's replies again: what moved. */
import { bool, text, type Table } from './column.ts';
import { cellKey, cellKeyNames, sampleKey } from './keys.ts';

export const rescoredTables = {
  moved_verdicts: {
    name: 'moved_verdicts',
    meaning:
      'Of a run that `rescore` made: every verdict that is another one than in the run that the replies come from. Empty in other runs.',
    schemaVersion: 1,
    key: [...cellKeyNames, 'loop', 'step', 'sample', 'suite'],
    columns: {
      ...cellKey,
      ...sampleKey,
      suite: text('Suite name.'),
      before: text('Outcome in the run that the replies come from.', { nullWhen: 'only this run came to it' }),
      now: text('Outcome in this run.', { nullWhen: 'only the other run came to it' }),
      moved: text(
        'now_pass, no_longer_pass, other_outcome (a pass in neither), only_before or only_now (a loop or step that one run alone came to).',
      ),
      simulated: bool('True when a simulated model answered.'),
    },
  },
} as const satisfies Record<string, Table>;
