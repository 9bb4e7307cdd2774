/** The place that each model would have among those that the paper ranks. */
import published from '../../../../data/published/evaloop-leaderboard.json' with { type: 'json' };
import type { Standing } from '../standings.ts';
import { number } from '../../../../analysis/report/cells.ts';
import { intervalBar } from '../../../../analysis/report/charts/interval-bar.ts';
import { decimals } from '../../../../analysis/report/format.ts';
import { type DataRow, type DataTable, note, type Section, section } from '../../../../analysis/report/part.ts';
import type { ReportContext } from '../../../../analysis/report/study-report.ts';
import { placeCell, placeText } from './place-cell.ts';

export function publishedPlaces(standings: readonly Standing[], context: ReportContext): Section {
  if (standings.length === 0) return section(undefined, []);
  return section('Places among the published models', [
    note(aboutText(standings)),
    placesTable(standings, context),
    section(undefined, [publishedTable], { pageOnly: true }),
  ]);
}

function aboutText(standings: readonly Standing[]): string {
  const reasons = new Set(
    standings.flatMap(({ study, reason }) => (reason === null ? [] : [`study ${study}: ${reason}`])),
  );
  const none = reasons.size === 0 ? '' : ` No place: ${[...reasons].join('; ')}.`;
  return (
    `${published.source}; judge ${published.judge}. With another judge or a selection of tasks, scores are not ` +
    `strictly comparable: the place assumes that they are.${none}`
  );
}

const placesTable = (standings: readonly Standing[], context: ReportContext): DataTable => ({
  n: 'n is that of the model’s ASL on its study’s board',
  words: 2,
  heads: ['Study', 'Model', 'ASL', 'Place', { text: '', drawn: true }, { text: 'Between', words: true }],
  rows: standings.flatMap((row) => (row.place === null ? [] : [placeRow(row, row.place, context)])),
});

function placeRow(
  { run, study, model: id, asl, judged, interval, among }: Standing,
  place: number,
  context: ReportContext,
): DataRow {
  const { model, colorOf } = context;
  return [
    study,
    model(run, id),
    { text: `${decimals(asl)}${judged ? '' : ', s = 1'}`, value: asl },
    { ...placeCell(place, interval), text: `${placeText(place)} of ${among + 1}` },
    { text: '', drawing: intervalBar({ value: place, interval }, among + 1, colorOf(id)) },
    neighbours(asl),
  ];
}

function neighbours(asl: number): string {
  const above = published.rows.findLast((row) => row.asl >= asl);
  const below = published.rows.find((row) => row.asl < asl);
  return [above, below]
    .flatMap((row) => (row === undefined ? [] : [`${row.model} (${decimals(row.asl)})`]))
    .join(' and ');
}

const publishedTable: DataTable = {
  title: 'The published models',
  n: 'As published, over the 378 tasks of MBPP+',
  words: 0,
  heads: ['Place', { text: 'Model', words: true }, 'ASL', 'Rise'],
  rows: published.rows.map(({ place, model, asl, rise }) => [placeCell(place), model, number(asl), number(rise, 0)]),
  folded: true,
};
