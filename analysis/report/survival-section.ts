import { type SurvivalPoint, survivalCurve } from '../../domain/metrics/survival.ts';
import type { LeaderboardRow } from '../leaderboard.ts';
import { survivalSvg } from './charts.ts';
import { aslText, levelText } from './format.ts';
import { type Html, html } from './html.ts';
import type { ModelColors } from './model-colors.ts';
import { modelName } from './model-name.ts';

/** With more models the faint curves of the others would be a grey area, and megabytes. */
const mostContextCurves = 16;

/** One small chart per model of a board. */
export async function survivalPanels(rows: readonly LeaderboardRow[], colorOf: ModelColors): Promise<Html> {
  const curves = rows.map((row) => survivalCurve(row.nSustained, row.survival));
  const panels = await Promise.all(rows.map((row, index) => panel(row, curves[index] ?? [], othersOf(curves, index), colorOf)));
  const grey = rows.length > 1 && rows.length <= mostContextCurves ? ' Grey: the other models.' : '';
  return html`<section><h3>Survival: share of tasks that still pass after each loop</h3>
<p class="note">Band: ${levelText(rows[0]?.level ?? 0.95)} interval of each share (Gaffke’s bounds over tasks). Dashes: the share of tasks whose own reference passes.${grey}</p><div class="panels">${panels}</div></section>`;
}

const othersOf = (curves: readonly SurvivalPoint[][], own: number): SurvivalPoint[][] =>
  curves.length > mostContextCurves ? [] : curves.filter((_, index) => index !== own);

async function panel(
  row: LeaderboardRow,
  points: readonly SurvivalPoint[],
  others: readonly SurvivalPoint[][],
  colorOf: ModelColors,
): Promise<Html> {
  const color = colorOf(row.model);
  const chart =
    points.length === 0
      ? html`<p class="note">No cell counts.</p>`
      : await survivalSvg({ points, color, others, maxLoops: row.maxLoops, ceiling: row.ceiling });
  const asl = row.asl === null ? `ASL, s = 1: ${aslText(row.aslUnweighted)}` : `ASL ${aslText(row.asl)}`;
  return html`<figure><figcaption><span class="name">${modelName(row.model, color, row.simulated)}</span><span>${asl}</span></figcaption>${chart}</figure>
`;
}
