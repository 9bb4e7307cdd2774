/** The pages of `watch`: the report of a run under facts that change, and the list of runs. */
import { countText, missing, timeText } from '../format.ts';
import { type Html, html } from '../html.ts';
import type { ReportBody } from '../html/page.ts';
import type { ListedRun } from './facts.ts';

/** What the server's pages may load: its own script, style and data. */
export const livePolicy = [
  "default-src 'none'",
  "style-src 'self' 'unsafe-inline'",
  "script-src 'self'",
  "connect-src 'self'",
  'img-src blob:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const livePageHtml = (title: string, kind: string, body: Html): string =>
  html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${title} · evenkeel</title><link rel="stylesheet" href="/style.css"></head><body data-live="${kind}">
${body}
<script src="/script.js"></script></body></html>
`.markup;

const lost = html`<p class="banner" id="live-lost" hidden><b>No longer live.</b> The server of this page does not
answer: it was stopped, or its machine sleeps. What is shown stays as it was; the page goes on when it is back.</p>`;

const toRuns = html`<p class="live-runs"><a href="/">All runs</a></p>
`;

export interface LiveRunPage {
  readonly run: string;
  /** From `factsHtml`. */
  readonly facts: Html;
  /** From `liveContent`; empty before the first page is made. */
  readonly content: Html;
  readonly revision: number;
  /** The server shows other runs too. */
  readonly hasOthers: boolean;
}

export const liveRunPage = ({ run, facts, content, revision, hasOthers }: LiveRunPage): string =>
  livePageHtml(
    run,
    'run',
    html`${hasOthers ? toRuns : ''}<section id="live" aria-label="Progress">${facts}</section>${lost}
<div id="live-report" data-revision="${revision}">${content}</div>`,
  );

/** What is exchanged when there is a newer page. */
export const liveContent = ({ navigation, main }: ReportBody): Html => html`${navigation}<main>${main}</main>`;

export const runsPage = (runsDir: string, runs: readonly ListedRun[]): string =>
  livePageHtml(
    'Runs',
    'runs',
    html`<main><header><p class="over">evenkeel watch</p><h1>Runs</h1><p class="meta">${runsDir}</p></header>${lost}
<div id="live">${runsHtml(runs)}</div></main>`,
  );

export function runsHtml(runs: readonly ListedRun[]): Html {
  if (runs.length === 0) return html`<p>There are no runs yet.</p>`;
  return html`<div class="wide"><table><thead><tr><th>Run</th><th>State</th><th class="n">Cells</th>
<th>Created</th></tr></thead><tbody>${runs.map(runRow)}</tbody></table></div>`;
}

function runRow({ run, state, done, cells, createdAt, isShown, fault }: ListedRun): Html {
  const name = isShown ? html`<a href="/run/${encodeURIComponent(run)}/">${run}</a>` : html`${run}`;
  const counts = done === null || cells === null ? missing : `${countText(done)} / ${countText(cells)}`;
  return html`<tr><td class="name">${name}${fault === null ? '' : html`<small>${fault}</small>`}</td>
<td><span class="state">${state}</span></td><td class="n">${counts}</td><td>${timeText(createdAt)}</td></tr>
`;
}
