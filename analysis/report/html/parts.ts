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
import { type Place, takeFigure } from './take.ts';

const topLevel = 2;
const deepestLevel = 4;
/** A figure of more panels, one for each of many models, is folded. */
const mostOpenPanels = 12;

/**
 * Draws one part at a time, so that few charts are in memory at once.
 * @param level of the headings, 2 for `h2` @param titles above the parts, for captions of what is saved
 */
export async function partsHtml(
  parts: readonly Part[],
  level = topLevel,
  titles: readonly string[] = [],
): Promise<Html> {
  const drawn: Html[] = [];
  const shown = parts.filter((part) => !isEmpty(part));
  for (const [index, part] of shown.entries())
    drawn.push(await partHtml(part, level, { titles, notes: notesBefore(shown, index) }));
  return html`${drawn}`;
}

/** The explanations right before a part. */
function notesBefore(parts: readonly Part[], index: number): string[] {
  const before = parts.slice(0, index);
  return before.slice(before.findLastIndex(({ kind }) => kind !== 'note') + 1).map((one) => (one as Note).text);
}

async function partHtml(part: Part, level: number, place: Place): Promise<Html> {
  if (isTable(part)) return tableHtml(part, place, Math.min(level, deepestLevel));
  if (part.kind === 'section') return sectionHtml(part, level, place);
  if (part.kind === 'figure') return figureHtml(part, level, place);
  if (part.kind === 'grid') return gridHtml(part);
  return part.kind === 'note' ? noteHtml(part) : textsHtml(part);
}

const noteHtml = ({ text, small, lead }: Note): Html => {
  if (lead) return html`<p class="lead">${text}</p>`;
  return small ? html`<p class="note">${text}</p>` : html`<p>${text}</p>`;
};

async function sectionHtml({ id, title, folded, parts }: Section, level: number, { titles }: Place): Promise<Html> {
  const anchor = anchorOf(id);
  if (title === undefined)
    return html`<div${anchor}>${await partsHtml(parts, level, titles)}</div>
`;
  const inner = await partsHtml(parts, level + 1, [...titles, title]);
  if (folded)
    return html`<details${anchor}><summary>${title}</summary>${inner}</details>
`;
  return html`<section${anchor}>${heading(title, level)}${inner}</section>
`;
}

const anchorOf = (id: string | undefined): Html => (id === undefined ? html`` : html` id="${id}"`);

function heading(title: string, level: number, id?: string): Html {
  const name = `h${Math.min(level, deepestLevel)}`;
  return html`${trusted(`<${name}`)}${anchorOf(id)}>${title}${trusted(`</${name}>`)}`;
}

async function figureHtml(figure: Figure, level: number, around: Place): Promise<Html> {
  const { id, title, note, legend, panels, wide } = figure;
  const place = placeOf(figure, around);
  const drawn: Html[] = [];
  for (const panel of panels) drawn.push(await panelHtml(panel, wide === true, place));
  const entries = (legend ?? []).map(
    ({ color, text }) => html`<span class="legend"><span class="dot" style="background:${color}"></span>${text}</span>`,
  );
  const all = panels.length > 1 ? takeFigure(undefined, place) : '';
  const body = html`${note === undefined ? '' : html`<p class="note">${note}</p>`}${
    entries.length === 0 ? '' : html`<p class="note">${entries}</p>`
  }${all}${wide ? drawn : html`<div class="panels">${drawn}</div>`}`;
  if (title !== undefined && panels.length > mostOpenPanels)
    return html`<details class="taken"${anchorOf(id)}><summary>${title}</summary>${body}</details>
`;
  return html`<div class="taken">${title === undefined ? '' : heading(title, level, id)}${body}</div>
`;
}

/** The figure's own title, note and legend, under those around it. */
function placeOf({ title, note, legend = [] }: Figure, { titles, notes }: Place): Place {
  const colors = legend.map(({ color, text }) => `${color} is ${text}`).join(', ');
  return {
    titles: title === undefined ? titles : [...titles, title],
    notes: [...notes, note ?? '', colors === '' ? '' : `Colours: ${colors}.`],
  };
}

async function panelHtml({ caption, aside, chart }: Panel, wide: boolean, place: Place): Promise<Html> {
  const drawing = await chart();
  const named =
    caption === undefined ? [] : [[cellOf(caption).text, ...(aside === undefined ? [] : [aside])].join(', ')];
  const take = takeFigure(drawing.spec, { ...place, titles: [...place.titles, ...named] });
  const right = aside === undefined ? html`` : html`<span>${aside}</span>`;
  const top = caption === undefined ? html`` : html`<figcaption>${captionHtml(caption)}${right}</figcaption>`;
  return html`<figure class="${wide ? 'taken whole' : 'taken'}">${top}${take}${drawing}</figure>
`;
}

function captionHtml(caption: NonNullable<Panel['caption']>): Html {
  const { text, model } = cellOf(caption);
  return html`<span class="name">${model === undefined ? text : modelHtml(text, model)}</span>`;
}

const textsHtml = ({ texts }: Texts): Html => {
  const blocks = texts.map(
    ({ title, text }) =>
      html`<div>${title === undefined ? '' : html`<h4>${title}</h4>`}<pre tabindex="0">${text}</pre></div>`,
  );
  return blocks.length === 1 ? html`${blocks}` : html`<div class="pair">${blocks}</div>`;
};
