import type { Ending } from './endings.ts';
import { countText } from './format.ts';
import { type Html, html } from './html.ts';

/** Whether this model of this run is simulated. */
type IsSimulated = (of: { readonly run: string; readonly model: string }) => boolean;

/** How tasks ended, by reason and loop: over all models of a study, and each model folded away. */
export function endingsSection(all: readonly Ending[], severalRuns: boolean, isSimulated: IsSimulated): Html {
  if (all.length === 0) return html``;
  const studies = [...Map.groupBy(all, ({ run, study }) => JSON.stringify([run, study])).values()];
  return html`<section id="failures"><h2>Failures by reason and loop</h2><p class="note">Tasks by the reason that ended them and the loop they did not survive; the deeper the colour, the more tasks. Tasks that survived are not here.</p>${studies.map((endings) => studyEndings(endings, severalRuns, isSimulated))}</section>`;
}

function studyEndings(endings: readonly Ending[], severalRuns: boolean, isSimulated: IsSimulated): Html {
  const models = [...Map.groupBy(endings, ({ model }) => model)];
  const [{ run, study }] = endings as readonly [Ending];
  const name = [study, ...(severalRuns ? [`run ${run}`] : []), ...(models.length > 1 ? ['all models'] : [])];
  const single = models.map(([model, own]) => {
    const tag = own.some(isSimulated) ? html`<span class="tag">simulated</span>` : html``;
    return html`<details><summary>${model}${tag}</summary>${endingsTable(own)}</details>`;
  });
  return html`<h3>${name.join(', ')}</h3>${endingsTable(endings)}${models.length > 1 ? single : ''}`;
}

function endingsTable(endings: readonly Ending[]): Html {
  const loops = Array.from({ length: Math.max(...endings.map(({ loop }) => loop)) }, (_, index) => index + 1);
  const reasons = [...Map.groupBy(endings, ({ reason, excluded }) => (excluded ? `${reason} (excluded)` : reason))].toSorted(
    ([, a], [, b]) => cellsOf(b) - cellsOf(a),
  );
  const count = (own: readonly Ending[], loop: number): number => cellsOf(own.filter((ending) => ending.loop === loop));
  const most = Math.max(...reasons.flatMap(([, own]) => loops.map((loop) => count(own, loop))));
  return html`<div class="wide"><table><thead><tr><th>Reason</th>${loops.map((loop) => html`<th class="n">loop ${loop}</th>`)}<th class="n">All</th></tr></thead><tbody>
${reasons.map(
  ([
    reason,
    own,
  ]) => html`<tr><td>${reason.replaceAll('_', ' ')}</td>${loops.map((loop) => heatCell(count(own, loop), most))}<td class="n">${countText(cellsOf(own))}</td></tr>
`,
)}<tr class="total"><td>All</td>${loops.map((loop) => html`<td class="n">${countText(count(endings, loop))}</td>`)}<td class="n">${countText(cellsOf(endings))}</td></tr>
</tbody></table></div>`;
}

const cellsOf = (endings: readonly Ending[]): number => endings.reduce((sum, { cells }) => sum + cells, 0);

function heatCell(cells: number, most: number): Html {
  if (cells === 0) return html`<td class="heat zero">0</td>`;
  return html`<td class="heat" style="background:rgba(var(--heat),${(0.08 + (0.42 * cells) / most).toFixed(2)})">${countText(cells)}</td>`;
}
