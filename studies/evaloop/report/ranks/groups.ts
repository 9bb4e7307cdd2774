/** Models by family, size and training (section 3.3). */
import type { LoopRanks } from '../../results/ranks/loop-ranks.ts';
import { count, estimated, estimatedNumber, estimatedShare } from '../../../../analysis/report/cells.ts';
import { decimals } from '../../../../analysis/report/format.ts';
import type { DataTable } from '../../../../analysis/report/part.ts';
import { commonTasks } from './changes.ts';
import { placeText } from './place-cell.ts';

export const groupsTable = (ranks: LoopRanks): DataTable => ({
  title: 'Groups of models',
  note:
    `Means over a group’s models on the ${commonTasks(ranks)}, with 95 % intervals over tasks ` +
    '(Gaffke’s bounds). Drop: share of tasks that passed first and broke later. Rise: places gained from pass@1 to ' +
    'ASL, with its 95 % range over resampled tasks.',
  words: 2,
  heads: ['Grouped by', 'Group', 'Models', 'ASL, s = 1', 'Drop', 'Rise'],
  rows: ranks.groups.map(({ by, group, models, asl, drop, rise }) => [
    by,
    group,
    count(models),
    estimatedNumber(asl),
    estimatedShare(drop),
    estimated(rise, (value) => decimals(value, 1), placeText),
  ]),
});
