/** The report as one HTML file that loads nothing from elsewhere. A pure function of its data. */
import { contextOf, exampleLinks } from '../context.ts';
import { type ExamplePack, packExamples } from '../example-pack.ts';
import type { DrawnEntries, Examples } from '../examples.ts';
import { missing, timeText } from '../format.ts';
import { type Html, html, trusted } from '../html.ts';
import { coverageText } from '../notes/coverage-text.ts';
import { contentSecurityPolicy, pageScript } from '../page-script.ts';
import type { Report, ReportRun } from '../report.ts';
import { isFilled, reportPages } from '../report-pages.ts';
import type { Page, PageName } from '../study-report.ts';
import { styleSheet } from '../style.ts';
import { withAnchors } from './anchors.ts';
import { examplesPage, examplesSection } from './examples.ts';
import { framedPage, pageHtml } from './page-html.ts';
import { noticesHtml } from './notices.ts';
import { partsHtml } from './parts.ts';

/** The page, with as many examples as fit. */
export async function renderReport(report: Report, drawn: Examples): Promise<string> {
  const { title, navigation, main } = await reportBody(report, drawn, await packExamples(drawn.examples));
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${contentSecurityPolicy}">
<meta name="referrer" content="no-referrer">
<title>${title} · evenkeel</title><style>${trusted(styleSheet)}</style></head><body>
${navigation}
<main>
${main}</main><script>${trusted(pageScript)}</script></body></html>
`.markup;
}

/** What the report's file and a served page have in common. */
export interface ReportBody {
  readonly title: string;
  readonly navigation: Html;
  readonly main: Html;
}

/** @param pack what the page itself holds of the examples */
export async function reportBody(report: Report, drawn: DrawnEntries, pack: ExamplePack): Promise<ReportBody> {
  const { overview, studies, after } = reportPages(report, contextOf(report, exampleLinks(drawn.examples, pack.ids)));
  const seeds = report.runs.map(({ seed }) => seed);
  const title = report.runs.map(({ run }) => run).join(', ');
  const examples = pack.ids.size === 0 ? [] : [examplesPage];
  const method = html`<div id="provenance">${report.runs.map(provenance)}</div>`;
  return {
    title,
    navigation: navigationHtml(title, [overview, ...studies, ...examples, ...after]),
    main: html`${await overviewHtml(report, overview, studies.length === 0)}
${await pagesHtml(studies)}
${examplesSection(drawn, pack, seeds)}
${await pagesHtml(after, { method })}
`,
  };
}

/** Draws one page at a time, so that few charts are in memory at once. @param below what ends a page, by its name */
async function pagesHtml(pages: readonly Page[], below: Readonly<Record<string, Html>> = {}): Promise<Html> {
  const drawn: Html[] = [];
  for (const page of pages) drawn.push(await pageHtml(page, below[page.name]));
  return html`${drawn}`;
}

const navigationHtml = (title: string, pages: readonly PageName[]): Html =>
  html`<nav class="pages" aria-label="Pages"><div><b>${title}</b>${pages.map(
    (page) => html`<a href="#page-${page.name}">${page.title}</a>`,
  )}</div></nav>`;

async function overviewHtml(report: Report, overview: Page, isFirst: boolean): Promise<Html> {
  const parts = withAnchors(overview.name, overview.parts);
  const isBare = isFirst && !isFilled(overview);
  return framedPage(
    overview,
    html`<header><p class="over">evenkeel report</p>${report.runs.map(runHeader)}</header>
${noticesHtml(report)}
${isBare ? html`<h2>Results</h2><p>No page is finished yet.</p>` : await partsHtml(parts)}`,
    true,
  );
}

function runHeader(run: ReportRun): Html {
  const time =
    run.finishedAt === null ? `last stored ${timeText(run.updatedAt)}` : `finished ${timeText(run.finishedAt)}`;
  return html`<h1>${run.run} <span class="state">${run.state}</span></h1>
<p class="meta">Started ${timeText(run.createdAt)}, ${time}; ${coverageText(run)}.</p>`;
}

function provenance(run: ReportRun): Html {
  const entries = run.provenance.map(
    ({ name, value }) => html`<dt>${name}</dt><dd>${value === '' ? missing : value}</dd>`,
  );
  return html`<section><h2>Provenance of ${run.run}</h2><dl>${entries}</dl>
<details><summary>Spec</summary><pre tabindex="0">${run.specText}</pre></details></section>`;
}
