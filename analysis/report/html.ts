/**
 * HTML templates that escape every value unless it was made by `html` or `trusted`: names, replies and reasons come
 * from models and other untrusted sources.
 */

export interface Html {
  readonly markup: string;
}

type Part = Html | string | number | readonly Part[];

/** A template whose values are escaped; values of type `Html` and lists of them are inserted unchanged. */
export function html(texts: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return {
    markup: texts.map((text, index) => (index === 0 ? text : markupOf(parts[index - 1] ?? '') + text)).join(''),
  };
}

/** Markup that is known to be safe: constants of this program, and markup that it escaped. */
export const trusted = (markup: string): Html => ({ markup });

/** The chart renderer's markup: it escapes names, and leaves in them what could reorder or hide text. */
export const rendered = (markup: string): Html => trusted(visible(markup));

function markupOf(part: Part): string {
  if (typeof part === 'string') return escapeText(part);
  if (typeof part === 'number') return String(part);
  return 'markup' in part ? part.markup : part.map(markupOf).join('');
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Control and text-direction characters could reorder or hide text, so they become a visible mark. */
const invisible = /[^\P{Cc}\t\n\r]|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

const visible = (text: string): string => text.replaceAll(invisible, '\ufffd');

/** JSON whose texts hide nothing. It may hold `<`. */
export const visibleJson = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) => (typeof inner === 'string' ? visible(inner) : inner));

/** For element content and quoted attributes. */
const escapeText = (text: string): string =>
  visible(text).replaceAll(/[&<>"']/g, (character) => entities[character] ?? character);
