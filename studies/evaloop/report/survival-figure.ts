/** Share of each model's tasks that still pass after each loop: one small chart per model of a board. */
import { type SurvivalPoint, survivalCurve } from '../../../domain/metrics/survival.ts';
import type { LeaderboardRow } from '../results/leaderboard.ts';
import type { LoopSurvival } from '../results/survival/loop-survival.ts';
import { aslText, levelText } from '../../../analysis/report/format.ts';
import type { Figure } from '../../../analysis/report/part.ts';
import type { ReportContext } from '../../../analysis/report/study-report.ts';
import { survivalSvg } from './survival-chart.ts';

/** With more models the other models' curves would merge into a grey area and take megabytes. */
const mostContextCurves = 16;

/** @param survivals of all studies */
export function survivalFigure(
  rows: readonly LeaderboardRow[],
  survivals: readonly LoopSurvival[],
  { model, colorOf }: ReportContext,
): Figure {
  const curves = rows.map((row) => curveOf(row, survivals));
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

/**
 * Of cells that could not be judged to their end the loops up to there count, as in table `loop_survival`: the counts
 * of a board have only the others.
 */
function curveOf(
  { run, study, model, nSustained, survival, nExcluded }: LeaderboardRow,
  survivals: readonly LoopSurvival[],
) {
  const points = survivalCurve(nSustained, survival);
  const own = survivals.find((one) => one.run === run && one.study === study);
  const steps = own?.curves.find((one) => one.model === model)?.steps;
  if (nExcluded === 0 || steps === undefined) return points;
  // After the last loop that a judged cell reached nothing is known, but where none passed that one.
  const last = steps.at(-1)?.survival === 0 ? 0 : undefined;
  return points.flatMap((point) => {
    const share = steps[point.loop - 1]?.survival ?? last;
    return share === undefined ? [] : [{ ...point, share }];
  });
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
