/** Each model's place by ASL and by pass@1, and how certain the order of any two models is. */
import { withEvidence } from '../../../../analysis/report/examples/evidence.ts';
import { tasksText } from './changes.ts';
import type { LoopRanks, RankedModel } from '../../results/ranks/loop-ranks.ts';
import { count, estimatedNumber, estimatedShare, share } from '../../../../analysis/report/cells.ts';
import { intervalBar } from '../../../../analysis/report/charts/interval-bar.ts';
import type { DataRow, DataTable } from '../../../../analysis/report/part.ts';
import type { ReportContext } from '../../../../analysis/report/study-report.ts';
import { placeCell } from './place-cell.ts';

const about =
  'A place’s 95 % interval runs from 1 plus the number of models significantly ahead on the same tasks to the ' +
  'number of all models minus those significantly behind (paired t-tests between all models, Bonferroni). “Ahead ' +
  'of next” is the share of resampled task sets in which the model is ahead of the next one.';

export function placesTable(ranks: LoopRanks, context: ReportContext): DataTable {
  const { run, study, models, unranked } = ranks;
  const all = [...models, ...unranked];
  const isOpen = all.some(({ unjudged }) => unjudged !== null && unjudged > 0);
  const rows = [
    ...models.map((row) => placeRow(run, row, all.length, context)),
    ...unranked.map((row) => [context.model(run, row.model), ...noPlace]),
  ];
  return {
    title: 'Places of the models',
    note: `${about}${unrankedText(unranked)}`,
    n: tasksText(ranks),
    words: 1,
    heads: isOpen ? [...heads, 'Not judged'] : heads,
    rows: all.map(({ model, unjudged }, at) =>
      withEvidence(
        [...(rows[at] ?? []), ...(isOpen ? [unjudged === null ? share(null) : count(unjudged)] : [])],
        { run, study, model, variant: 'original', setting: 'default' },
        context,
      ),
    ),
    look: 'board',
  };
}

const heads = [
  ...['Model', 'Place by ASL', { text: '', drawn: true }, 'Ahead of next', 'Place by pass@1', 'ASL, s = 1'],
  'pass@1',
];

/** After the model's name. */
const noPlace: DataRow = heads.slice(1).map((head) => (typeof head === 'string' ? share(null) : ''));

/** Why models have no place; empty if all have one. */
const unrankedText = (unranked: LoopRanks['unranked']): string =>
  unranked.length === 0
    ? ''
    : ` No place: ${unranked.map(({ model, reason }) => `${model} (${reason})`).join('; ')}. Such a model may have ` +
      'any place, so the intervals of the others leave room for it; its scores are on the board.';

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

export const pairsTable = (ranks: LoopRanks, { model }: ReportContext): DataTable => ({
  title: 'How certain the order of any two models is',
  note:
    'Ahead: share of resampled task sets in which the first model is ahead of the second by ASL. Reversed: pass@1 ' +
    'orders them the other way.',
  n: tasksText(ranks),
  words: 2,
  heads: ['Model', 'Other model', 'Ahead', { text: 'Reversed', words: true }],
  rows:
    ranks.models.length < 3 || ranks.models.length > mostPaired
      ? []
      : ranks.pairs.map((pair) => [
          model(ranks.run, pair.model),
          model(ranks.run, pair.other),
          share(pair.ahead),
          pair.reversed ? 'reversed' : '',
        ]),
  folded: true,
});
