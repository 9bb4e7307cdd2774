/** EVALOOP's main table: ASL, pass@1 and the drop of each model of a study under one setting. */
import type { LeaderboardRow } from '../results/leaderboard.ts';
import { count, estimated, estimatedShare, share } from '../../../analysis/report/cells.ts';
import { withEvidence } from '../../../analysis/report/examples/evidence.ts';
import { decimals } from '../../../analysis/report/format.ts';
import { intervalBar } from '../../../analysis/report/charts/interval-bar.ts';
import type { DataRow, DataTable } from '../../../analysis/report/part.ts';
import type { ReportContext } from '../../../analysis/report/study-report.ts';

/** @param rows of one study under one setting */
export function boardTable(rows: readonly LeaderboardRow[], context: ReportContext): DataTable {
  const [first] = rows;
  // Without a judge no model has an ASL with similarities.
  const isJudged = rows.some(({ judge, asl: weighted }) => judge !== null || weighted !== null);
  return {
    words: 1,
    heads: [
      { text: 'Model', brief: true },
      ...(isJudged ? ['ASL'] : []),
      { text: '', drawn: true, ...(first !== undefined && { ends: ['0', String(first.maxLoops)] as const }) },
      ...['ASL, s = 1', 'pass@1', 'Ceiling'],
      { text: 'Drop', brief: true },
      ...['Cells n', 'Excluded'],
      { text: 'Unscored', aside: true },
    ],
    rows: rows.map((row) => boardRow(row, isJudged, context)),
    look: 'board',
  };
}

const asl = (estimate: LeaderboardRow['asl']) => estimated(estimate, decimals, (value) => decimals(value, 2));

function boardRow(row: LeaderboardRow, isJudged: boolean, context: ReportContext): DataRow {
  const { model, colorOf } = context;
  const { run, study, setting } = row;
  const bar = intervalBar(row.asl ?? row.aslUnweighted, row.maxLoops, colorOf(row.model));
  const cells: DataRow = [
    model(row.run, row.model, row.family === null ? undefined : [row.family]),
    ...(isJudged ? [asl(row.asl)] : []),
    { text: '', drawing: bar },
    asl(row.aslUnweighted),
    ...[estimatedShare(row.passAt1), share(row.ceiling), estimatedShare(row.absoluteDrop)],
    ...[count(row.n), count(row.nExcluded), count(row.nUnscored)],
  ];
  const source = { run, study, model: row.model, variant: 'original', setting };
  return withEvidence(cells, source, context);
}

/** Sentences that say why ASL is undefined although there was a judge. */
export const withoutAsl = (rows: readonly LeaderboardRow[]): string[] =>
  rows.flatMap(({ model, asl: known, judge, reason }) =>
    known === null && judge !== null && reason !== null ? [`${model} has no ASL: ${reason}.`] : [],
  );
