/** Each model's place by ASL and by pass@1, and how certain the order of any two models is. */
import { withEvidence } from '../../../../analysis/report/examples/evidence.ts';
import { tasksText } from './changes.ts';
import type { LoopRanks, RankedModel } from '../../results/ranks/loop-ranks.ts';
import { estimatedNumber, estimatedShare, share } from '../../../../analysis/report/cells.ts';
import { intervalBar } from '../../../../analysis/report/charts/interval-bar.ts';
import type { DataRow, DataTable } from '../../../../analysis/report/part.ts';
import type { ReportContext } from '../../../../analysis/report/study-report.ts';
import { placeCell } from './place-cell.ts';

const about =
  'A place’s 95 % interval runs from 1 plus the number of models significantly ahead on the same tasks to the ' +
  'number of all models minus those significantly behind (paired t-tests between all models, Bonferroni). “Ahead ' +
  'of next” is the share of resampled task sets in which the model is ahead of the next one.';

export const placesTable = ({ run, study, models, tasks }: LoopRanks, context: ReportContext): DataTable => ({
  title: 'Places of the models',
  note: about,
  n: tasksText(tasks),
  words: 1,
  heads: [
    'Model',
    'Place by ASL',
    { text: '', drawn: true },
    'Ahead of next',
    'Place by pass@1',
    'ASL, s = 1',
    'pass@1',
  ],
  rows: models.map((row) =>
    withEvidence(
      placeRow(run, row, models.length, context),
      { run, study, model: row.model, variant: 'original', setting: 'default' },
      context,
    ),
  ),
  look: 'board',
});

function placeRow(run: string, row: RankedModel, models: number, { model, colorOf }: ReportContext): DataRow {
  const place = { value: row.aslPlace, interval: row.aslPlaceInterval };
  return [
    model(run, row.model),
    placeCell(row.aslPlace, row.aslPlaceInterval),
    { text: '', drawing: intervalBar(place, models, colorOf(row.model)) },
    share(row.aheadOfNext),
    placeCell(row.passPlace, row.passPlaceInterval),
    estimatedNumber({ value: row.aslUnweighted, interval: row.aslInterval }),
    estimatedShare({ value: row.passAt1, interval: row.passAt1Interval }),
  ];
}

/** With more models there are too many pairs to show; the run's table `loop_pairs` has them. */
const mostPaired = 12;

export const pairsTable = ({ run, models, pairs, tasks }: LoopRanks, { model }: ReportContext): DataTable => ({
  title: 'How certain the order of any two models is',
  note:
    'Ahead: share of resampled task sets in which the first model is ahead of the second by ASL. Reversed: pass@1 ' +
    'orders them the other way.',
  n: tasksText(tasks),
  words: 2,
  heads: ['Model', 'Other model', 'Ahead', { text: 'Reversed', words: true }],
  rows:
    models.length < 3 || models.length > mostPaired
      ? []
      : pairs.map((pair) => [
          model(run, pair.model),
          model(run, pair.other),
          share(pair.ahead),
          pair.reversed ? 'reversed' : '',
        ]),
  folded: true,
});
