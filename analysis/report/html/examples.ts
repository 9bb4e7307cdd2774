import type { DrawnEntries } from '../examples.ts';
import type { ExamplePack } from '../example-pack.ts';
import { countText } from '../format.ts';
import { type Html, html, trusted } from '../html.ts';
import { framedPage } from './page-html.ts';

export const examplesPage = { name: 'examples', title: 'Examples' } as const;

/** The list of examples, which the page's script fills from the JSON block, and the window that shows one. */
export function examplesSection(drawn: DrawnEntries, pack: ExamplePack, seeds: readonly number[]): Html {
  if (pack.ids.size === 0) return html``;
  const list = html`<div id="examples"><header><h1>${examplesPage.title}</h1></header>
${chosenText(pack.ids.size, drawn, seeds)}
<noscript><p class="banner">The examples are in this file, but showing them needs JavaScript, which is switched off.</p>
</noscript>
<div class="filters" hidden><label>Search <input type="search" id="example-words"
placeholder="task, model or variant" autocomplete="off"></label>
${selects.map(([name, label]) => html`<label>${label} <select id="example-${name}"></select></label>`)}
<span id="example-others"></span>
<span class="count" role="status" id="example-count"></span></div>
<div class="wide"><table id="example-list">
<thead><tr><th>Task</th><th>Model</th><th>Result</th><th class="n">Loops</th><th>Study</th><th>Flips</th></tr></thead>
<tbody></tbody></table></div>
<p><button type="button" id="example-more" hidden>Show more</button></p>
</div>`;
  return html`${framedPage(examplesPage, list)}<dialog id="example" aria-labelledby="example-title">
<div class="tools"><button type="button" id="example-before">← Before</button>
<button type="button" id="example-next">Next →</button>
<button type="button" id="example-close">Close</button></div>
<div id="example-body"></div></dialog>
<script type="application/json" id="example-data">${trusted(pack.json)}</script>`;
}

/** By the ends of their ids. */
const selects = [
  ['study', 'Study'],
  ['model', 'Model'],
  ['variant', 'Variant'],
  ['outcome', 'Result'],
  ['flip', 'Flips'],
] as const;

const flipMeaning =
  'A flip is a task that passes for one model, variant, setting or repetition and fails for another, that passes in ' +
  'the first loop and fails in a later one, or whose answers to one prompt do not agree; of several answers half ' +
  'must pass.';

function chosenText(packed: number, { examples, of, flips }: DrawnEntries, seeds: readonly number[]): Html {
  const cells = packed === of ? `All ${countText(of)}` : `${countText(packed)} of ${countText(of)}`;
  const full = packed < examples.length ? ' The others did not fit into this file.' : '';
  const others = packed === of ? '' : ' All other numbers in this report are over all cells.';
  return html`<p class="note">${cells} cells, flips first: each that fails, then one that passes.${full}${others}</p>
<details><summary>How they are chosen and ordered</summary><p class="note">${countText(flips)} of all cells are part of
a flip. ${flipMeaning} Flips, and then the other cells, are drawn from every result of every model in turn, so that rare
results are included; within a result, in the order of a hash seeded by ${[...new Set(seeds)].join(' and ')}. A cell is
one task given to one model; each example shows all of its prompts and replies.</p></details>`;
}
