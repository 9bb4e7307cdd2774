/** One page of the report as HTML. */
import { type Html, html } from '../html.ts';
import { isEmpty, type Part } from '../part.ts';
import type { Page, PageName } from '../study-report.ts';
import { withAnchors } from './anchors.ts';
import { partsHtml } from './parts.ts';

/** Pages with fewer sections have no list of contents. */
const fewestEntries = 3;

/** @param below further content at the page's end */
export async function pageHtml(page: Page, below: Html = html``): Promise<Html> {
  const parts = withAnchors(page.name, page.parts);
  return framedPage(page, html`${heading(page)}${contents(page, parts)}${await partsHtml(parts)}${below}`);
}

/** @param first whether it is shown until another is chosen */
export const framedPage = ({ name }: PageName, content: Html, first = false): Html =>
  html`<section class="${first ? 'page shown' : 'page'}" id="page-${name}" data-page>${content}</section>
`;

const heading = ({ title, over }: PageName): Html =>
  html`<header>${over === undefined ? '' : html`<p class="over">${over}</p>`}<h1>${title}</h1></header>`;

function contents({ title }: PageName, parts: readonly Part[]): Html {
  const entries = parts.flatMap(entriesOf);
  if (entries.length < fewestEntries) return html``;
  return html`<nav class="contents" aria-label="On page ${title}">${entries.map(
    ({ id, name }) => html`<a href="#${id}">${name}</a>`,
  )}</nav>`;
}

/** The sections with a title; those without only group others. */
function entriesOf(part: Part): { id: string; name: string }[] {
  if (part.kind !== 'section' || isEmpty(part)) return [];
  const { id, title, name = title, parts } = part;
  return id === undefined || name === undefined ? parts.flatMap(entriesOf) : [{ id, name }];
}
