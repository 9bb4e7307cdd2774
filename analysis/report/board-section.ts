import type { Estimate } from '../estimate.ts';
import { boardName, type LeaderboardRow } from '../leaderboard.ts';
import { aslInterval, aslText, countText, levelText, missing, shareInterval, shareText } from './format.ts';
import { type Html, html } from './html.ts';
import { intervalBar } from './interval-bar.ts';
import type { ModelColors } from './model-colors.ts';
import { modelName } from './model-name.ts';
import { survivalPanels } from './survival-section.ts';

/** One board per study, under its default setting: its table and its survival curves. */
export async function boards(rows: readonly LeaderboardRow[], colorOf: ModelColors, severalRuns: boolean): Promise<Html> {
  const groups = [...Map.groupBy(rows.filter(isDefault), boardName).values()];
  if (groups.length === 0) return html`<h2>Results</h2><p>No cell is sealed yet.</p>`;
  const sections = groups.map(async (group) => html`${board(group, colorOf, severalRuns)}${await survivalPanels(group, colorOf)}`);
  return html`<div id="results">${await Promise.all(sections)}</div>`;
}

const isDefault = ({ setting }: LeaderboardRow): boolean => setting === 'default';

function board(rows: readonly LeaderboardRow[], colorOf: ModelColors, severalRuns: boolean): Html {
  const [first] = rows as readonly [LeaderboardRow];
  const where = [first.benchmark, first.language, ...(severalRuns ? [`run ${first.run}`] : [])];
  const judge = first.judge === null ? 'no judge, so ASL is given without similarities only' : `judge ${first.judge}`;
  return html`<section><h2>Study ${first.study}</h2>
<p class="note">EVALOOP on ${where.join(', ')}; up to ${first.maxLoops} loops; ${judge}; ${levelText(first.level)} intervals.</p>
<div class="wide"><table class="board"><thead><tr>
<th data-sort="text">Model</th><th class="n" data-sort="number">ASL</th><th></th><th class="n" data-sort="number">ASL, s = 1</th><th class="n" data-sort="number">pass@1</th><th class="n" data-sort="number">Ceiling</th><th class="n" data-sort="number">Drop</th><th class="n" data-sort="number">Tasks n</th><th class="n" data-sort="number">Excluded</th><th class="n" data-sort="number">Unscored</th>
</tr></thead><tbody>
${rows.map((row) => boardRow(row, colorOf))}
</tbody></table></div>${rows.map(withoutAsl)}</section>`;
}

/** Says why, where a judge was there and ASL is undefined all the same. */
const withoutAsl = ({ model, asl, judge, reason }: LeaderboardRow): Html =>
  asl === null && judge !== null && reason !== null ? html`<p class="note">${model} has no ASL: ${reason}.</p>` : html``;

function boardRow(row: LeaderboardRow, colorOf: ModelColors): Html {
  const color = colorOf(row.model);
  const shown = row.asl ?? row.aslUnweighted;
  return html`<tr><td class="name" data-v="${row.model}">${modelName(row.model, color, row.simulated)}${family(row)}</td>
${estimateCell(row.asl, aslText(row.asl), aslInterval(row.asl))}<td class="bars">${intervalBar(shown, row.maxLoops, color)}</td>
${estimateCell(row.aslUnweighted, aslText(row.aslUnweighted), aslInterval(row.aslUnweighted))}
${estimateCell(row.passAt1, shareText(row.passAt1?.value ?? null), shareInterval(row.passAt1))}
${numberCell(row.ceiling, shareText(row.ceiling))}${estimateCell(row.absoluteDrop, shareText(row.absoluteDrop?.value ?? null), shareInterval(row.absoluteDrop))}${numberCell(row.n, countText(row.n))}${numberCell(row.nExcluded, countText(row.nExcluded))}${numberCell(row.nUnscored, countText(row.nUnscored))}</tr>
`;
}

const family = (row: LeaderboardRow): Html => (row.family === null ? html`` : html`<small>${row.family}</small>`);

function estimateCell(estimate: Estimate | null, value: string, range: string): Html {
  const interval = range === missing ? html`` : html`<br><span class="range">${range}</span>`;
  return html`<td class="n" data-v="${estimate?.value ?? ''}">${value}${interval}</td>`;
}

const numberCell = (value: number | null, shown: string): Html => html`<td class="n" data-v="${value ?? ''}">${shown}</td>`;
