/** Share of each model's tasks that still pass after each loop: one small chart per model of a board. */
import { type SurvivalPoint, survivalCurve } from '../../../domain/metrics/survival.ts';
import type { LeaderboardRow } from '../results/leaderboard.ts';
import { aslText, levelText } from '../../../analysis/report/format.ts';
import type { Figure } from '../../../analysis/report/part.ts';
import type { ReportContext } from '../../../analysis/report/study-report.ts';
import { survivalSvg } from './survival-chart.ts';

/** With more models the other models' curves would merge into a grey area and take megabytes. */
const mostContextCurves = 16;

export function survivalFigure(rows: readonly LeaderboardRow[], { model, colorOf }: ReportContext): Figure {
  const curves = rows.map((row) => survivalCurve(row.nSustained, row.survival));
  const panels = rows.map((row, own) => ({
    caption: model(row.run, row.model),
    aside: row.asl === null ? `ASL, s = 1: ${aslText(row.aslUnweighted)}` : `ASL ${aslText(row.asl)}`,
    chart: () => {
      const chart = { points: curves[own] ?? [], color: colorOf(row.model), others: othersOf(curves, own) };
      return survivalSvg({ ...chart, maxLoops: row.maxLoops, ceiling: row.ceiling });
    },
  }));
  const empty = rows.filter((_, own) => curves[own]?.length === 0).map((row) => row.model);
  return {
    kind: 'figure',
    title: 'Survival: share of tasks that still pass after each loop',
    note: noteText(rows, empty),
    panels: panels.filter((_, own) => curves[own]?.length !== 0),
  };
}

function noteText(rows: readonly LeaderboardRow[], empty: readonly string[]): string {
  const level = levelText(rows[0]?.level ?? 0.95);
  const grey = rows.length > 1 && rows.length <= mostContextCurves ? ' Grey: the other models.' : '';
  const none = empty.length === 0 ? '' : ` Without counted tasks: ${empty.join(', ')}.`;
  return (
    `Band: ${level} interval of each share (Gaffke’s bounds over tasks). ` +
    `Dashed line: the share of tasks whose own reference passes.${grey}${none}`
  );
}

const othersOf = (curves: readonly SurvivalPoint[][], own: number): SurvivalPoint[][] =>
  curves.length > mostContextCurves ? [] : curves.filter((_, index) => index !== own);
