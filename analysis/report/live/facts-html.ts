/** The facts of a run under way as HTML: progress, what is waited for, failures, models. */
import { countText, missing, shareText } from '../format.ts';
import { type Html, html, trusted } from '../html.ts';
import type { LiveFacts, LiveFailure, LiveModel, LivePage } from './facts.ts';

/** More models than these are folded; so are all, once the run has ended. */
const modelsShown = 8;

export const factsHtml = (facts: LiveFacts, page: LivePage): Html =>
  html`${headline(facts)}
${facts.waiting.map((text) => html`<p class="live-wait">${text}</p>`)}
${facts.troubles.map((text) => html`<p class="live-trouble">${text}</p>`)}
${modelsHtml(facts)}
${failuresHtml(facts.failures)}
${pageLine(page, facts.isUnderWay)}`;

function headline({ run, state, detail, done, cells, figures }: LiveFacts): Html {
  const share = cells === 0 ? 1 : done / cells;
  return html`<div class="live-head"><p class="live-run"><b>${run}</b> <span class="state">${state}</span>${
    detail === null ? '' : html` ${detail}`
  }</p>
${cells === 0 ? '' : bar(share, `${countText(done)} of ${countText(cells)} cells, ${shareText(share)}`)}
<dl class="live-figures">${figures.map(figure)}</dl></div>`;
}

const bar = (share: number, text: string): Html =>
  html`<progress max="1" value="${share.toFixed(4)}" aria-label="Cells done"></progress>
<p class="live-cells">${text}</p>`;

const figure = ({ name, text }: LiveFacts['figures'][number]): Html =>
  html`<div><dt>${name}</dt><dd>${text}</dd></div>`;

function modelsHtml({ models, isUnderWay }: LiveFacts): Html {
  if (models.length === 0) return html``;
  const [shown, others] = [models.slice(0, modelsShown), models.slice(modelsShown)];
  const rest =
    others.length === 0 ? '' : html`<details><summary>${others.length} more models</summary>${table(others)}</details>`;
  const open = trusted(isUnderWay ? ' open' : '');
  return html`<details class="live-models"${open}><summary>Models</summary>${table(shown)}${rest}</details>`;
}

const table = (models: readonly LiveModel[]): Html =>
  html`<div class="wide"><table class="live-table"><thead><tr><th>Model</th><th class="n">Cells</th>
<th class="n">Answers</th><th class="n" title="Over the last minute">Answers/s</th>
<th class="n" title="Median of the newest answers">Latency</th><th class="n">In flight</th><th>Oldest since</th></tr>
</thead><tbody>${models.map(row)}</tbody></table></div>`;

const row = (one: LiveModel): Html =>
  html`<tr><td class="name">${one.model}${one.isSlow ? html` <span class="tag">slow</span>` : ''}</td>
<td class="n">${one.cells === 0 ? missing : `${countText(one.done)} / ${countText(one.cells)}`}</td>
<td class="n">${one.cells === 0 ? missing : countText(one.answers)}</td>
<td class="n">${one.perSecond === null ? missing : one.perSecond.toFixed(one.perSecond < 10 ? 1 : 0)}</td>
<td class="n">${latencyText(one.latencyMs)}</td><td class="n">${one.inFlight}</td>
<td>${one.waitingSince ?? missing}</td></tr>
`;

function latencyText(ms: number | null): string {
  if (ms === null) return missing;
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`;
}

const failuresHtml = (failures: readonly LiveFailure[]): Html =>
  failures.length === 0
    ? html``
    : html`<details class="live-failures" open><summary>Latest failure of each model</summary>
<ul>${failures.map(
        ({ model, asked, reason, at }) => html`<li><b>${model}</b> (${asked}) at ${at}: ${reason}</li>`,
      )}</ul></details>`;

function pageLine({ revision, madeAt, fault }: LivePage, isUnderWay: boolean): Html {
  if (fault !== null) return html`<p class="live-trouble">No newer results: ${fault}</p>`;
  return revision === 0
    ? html`<p class="note">The results below are being read.</p>`
    : html`<p class="note">The results below are those stored by ${madeAt ?? ''}${
        isUnderWay ? '; they renew themselves' : ''
      }.</p>`;
}
