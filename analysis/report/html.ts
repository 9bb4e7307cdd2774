/** HTML in which everything is escaped unless it was made here: names, replies and reasons come from models and strangers. */

export interface Html {
  readonly markup: string;
}

type Part = Html | string | number | readonly Part[];

/** A template whose values are escaped; pieces made by `html` and lists of them go in as they are. */
export function html(texts: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return { markup: texts.map((text, index) => (index === 0 ? text : markupOf(parts[index - 1] ?? '') + text)).join('') };
}

/** Markup that is known to be safe: our own constants and the chart renderer's SVG. */
export const trusted = (markup: string): Html => ({ markup });

function markupOf(part: Part): string {
  if (typeof part === 'string') return escapeText(part);
  if (typeof part === 'number') return String(part);
  return 'markup' in part ? part.markup : part.map(markupOf).join('');
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Control and text-direction characters become a visible mark: they could reorder or hide what a reader sees. */
const invisible = /[^\P{Cc}\t\n\r]|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

export const visible = (text: string): string => text.replaceAll(invisible, '\ufffd');

/** For element content and quoted attributes. */
const escapeText = (text: string): string => visible(text).replaceAll(/[&<>"']/g, (character) => entities[character] ?? character);
