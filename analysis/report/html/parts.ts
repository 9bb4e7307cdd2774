/** The parts of a report as HTML. */
import { type Html, html, trusted } from '../html.ts';
import {
  cellOf,
  type Figure,
  isEmpty,
  isTable,
  type Note,
  type Panel,
  type Part,
  type Section,
  type Texts,
} from '../part.ts';
import { gridHtml } from './grid.ts';
import { modelHtml, tableHtml } from './table.ts';

const topLevel = 2;
const deepestLevel = 4;

/** Draws one part at a time, so that few charts are in memory at once. @param level of the headings, 2 for `h2` */
export async function partsHtml(parts: readonly Part[], level = topLevel): Promise<Html> {
  const drawn: Html[] = [];
  for (const part of parts) if (!isEmpty(part)) drawn.push(await partHtml(part, level));
  return html`${drawn}`;
}

async function partHtml(part: Part, level: number): Promise<Html> {
  if (isTable(part)) return tableHtml(part);
  if (part.kind === 'section') return sectionHtml(part, level);
  if (part.kind === 'figure') return figureHtml(part, level);
  if (part.kind === 'grid') return gridHtml(part);
  return part.kind === 'note' ? noteHtml(part) : textsHtml(part);
}

const noteHtml = ({ text, small }: Note): Html => (small ? html`<p class="note">${text}</p>` : html`<p>${text}</p>`);

async function sectionHtml({ id, title, folded, parts }: Section, level: number): Promise<Html> {
  const anchor = id === undefined ? html`` : html` id="${id}"`;
  if (title === undefined)
    return html`<div${anchor}>${await partsHtml(parts, level)}</div>
`;
  const inner = await partsHtml(parts, level + 1);
  if (folded)
    return html`<details${anchor}><summary>${title}</summary>${inner}</details>
`;
  return html`<section${anchor}>${heading(title, level)}${inner}</section>
`;
}

function heading(title: string, level: number, id?: string): Html {
  const name = `h${Math.min(level, deepestLevel)}`;
  const anchor = id === undefined ? html`` : html` id="${id}"`;
  return html`${trusted(`<${name}`)}${anchor}>${title}${trusted(`</${name}>`)}`;
}

async function figureHtml({ id, title, note, legend, panels, wide }: Figure, level: number): Promise<Html> {
  const drawn: Html[] = [];
  for (const panel of panels) drawn.push(await panelHtml(panel, wide === true));
  const entries = (legend ?? []).map(
    ({ color, text }) => html`<span class="legend"><span class="dot" style="background:${color}"></span>${text}</span>`,
  );
  return html`${title === undefined ? '' : heading(title, level, id)}${
    note === undefined ? '' : html`<p class="note">${note}</p>`
  }${entries.length === 0 ? '' : html`<p class="note">${entries}</p>`}${
    wide ? drawn : html`<div class="panels">${drawn}</div>`
  }`;
}

async function panelHtml({ caption, aside, chart }: Panel, wide: boolean): Promise<Html> {
  const drawing = await chart();
  if (wide) return drawing;
  const right = aside === undefined ? html`` : html`<span>${aside}</span>`;
  const top = caption === undefined ? html`` : html`<figcaption>${captionHtml(caption)}${right}</figcaption>`;
  return html`<figure>${top}${drawing}</figure>
`;
}

function captionHtml(caption: NonNullable<Panel['caption']>): Html {
  const { text, model } = cellOf(caption);
  return html`<span class="name">${model === undefined ? text : modelHtml(text, model)}</span>`;
}

const textsHtml = ({ texts }: Texts): Html => {
  const blocks = texts.map(
    ({ title, text }) => html`<div>${title === undefined ? '' : html`<h4>${title}</h4>`}<pre>${text}</pre></div>`,
  );
  return blocks.length === 1 ? html`${blocks}` : html`<div class="pair">${blocks}</div>`;
};
