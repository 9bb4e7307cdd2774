/** Buttons that save a table or figure as files. What they need lies packed in them, so the page loads nothing. */
import { deflateRawSync } from 'node:zlib';
import type { TopLevelSpec } from 'vega-lite';
import { type Html, html } from '../html.ts';
import type { DataTable } from '../part.ts';
import { onPaper } from '../style.ts';
import { captionText } from '../text/caption.ts';
import { tableCsv } from '../text/csv.ts';
import { tableLatex } from '../text/latex.ts';
import { tableWithCaption } from '../text/markdown.ts';

/** What stands above and around a part: the titles above it, and the explanations right before it. */
export interface Place {
  readonly titles: readonly string[];
  readonly notes: readonly string[];
}

/** What `page/takeaway.js` unpacks. */
type Packed =
  | { readonly name: string; readonly csv: string; readonly md: string; readonly tex: string }
  | { readonly name: string; readonly title: string; readonly caption: string; readonly spec?: object };

export function takeTable(table: DataTable, { titles, notes }: Place): Html {
  const { title, note = '', method = '' } = table;
  const path = title === undefined ? titles : [...titles, title];
  const caption = captionText(path, [...notes, note, method]);
  return button(path.at(-1) ?? 'table', {
    name: fileName(path),
    csv: tableCsv(caption, table),
    md: tableWithCaption(caption, table),
    tex: `% \\usepackage{booktabs}\n${tableLatex(caption, table)}\n`,
  });
}

/** A figure, or one of its panels. @param spec of a chart that Vega-Lite can draw */
export function takeFigure(spec: TopLevelSpec | undefined, { titles, notes }: Place): Html {
  const [title, caption] = [titles.at(-1) ?? 'figure', captionText(titles, notes)];
  return button(title, {
    ...{ name: fileName(titles), title, caption },
    ...(spec === undefined ? {} : { spec: standing(spec, title, caption) }),
  });
}

const schema = 'https://vega.github.io/schema/vega-lite/v6.json';

/** The specification without the page: it has a title, and colours in place of the page's variables. */
const standing = (spec: TopLevelSpec, title: string, description: string): object =>
  JSON.parse(
    JSON.stringify({ $schema: schema, title, description, ...spec, background: 'white' }).replaceAll(
      /var\((--[\w-]+)\)/g,
      (_, name: string) => onPaper(name),
    ),
  ) as object;

const button = (title: string, packed: Packed): Html =>
  html`<button type="button" class="take" aria-haspopup="menu"
data-take="${deflateRawSync(JSON.stringify(packed)).toString('base64')}">Save<span
class="spoken"> ${title}</span></button>`;

const longestName = 60;

/** `results-study-loops`: the last two titles in letters, digits and hyphens. */
const fileName = (titles: readonly string[]): string =>
  titles
    .slice(-2)
    .join(' ')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}.@]+/gu, '-')
    .slice(0, longestName)
    .replaceAll(/^[-.]+|[-.]+$/g, '') || 'evenkeel';
