import type { Examples } from '../examples.ts';
import type { ExamplePack } from '../example-pack.ts';
import { countText } from '../format.ts';
import { type Html, html, trusted } from '../html.ts';

/** The list of examples, which the page's script fills from the JSON block, and the window that shows one. */
export function examplesSection({ examples, of }: Examples, pack: ExamplePack, seeds: readonly number[]): Html {
  if (pack.ids.size === 0) return html``;
  return html`<section id="examples"><h2>Examples</h2>
<p class="note">${chosenText(pack.ids.size, examples.length, of, seeds)}</p>
<noscript><p class="banner">The examples are in this file, but showing them needs JavaScript, which is switched off.</p>
</noscript>
<div class="filters" hidden><label>Search <input type="search" id="example-words"
placeholder="task or model" autocomplete="off"></label>
<label>Model <select id="example-model"></select></label>
<label>Result <select id="example-result"></select></label>
<span class="count" role="status" id="example-count"></span></div>
<div class="wide"><table id="example-list">
<thead><tr><th>Task</th><th>Model</th><th>Result</th><th class="n">Loops</th><th>Study</th></tr></thead>
<tbody></tbody></table></div>
<p><button type="button" id="example-more" hidden>Show more</button></p>
</section>
<dialog id="example" aria-labelledby="example-title">
<div class="tools"><button type="button" id="example-before">← Before</button>
<button type="button" id="example-next">Next →</button>
<button type="button" id="example-close">Close</button></div>
<div id="example-body"></div></dialog>
<script type="application/json" id="example-data">${trusted(pack.json)}</script>`;
}

function chosenText(packed: number, drawn: number, of: number, seeds: readonly number[]): string {
  if (packed === of)
    return (
      `All ${countText(of)} cells. A cell is one task given to one model; ` +
      'each example shows all of its prompts and replies.'
    );
  const full = packed < drawn ? ' The others did not fit into this file.' : '';
  return (
    `${countText(packed)} of ${countText(of)} cells. A cell is one task given to one model; each example shows all ` +
    'of its prompts and replies. Examples are drawn from every result of every model in turn, so that rare results ' +
    `are included; within a result, in the order of a hash seeded by ${[...new Set(seeds)].join(' and ')}.${full} ` +
    'All other numbers in this report are over all cells.'
  );
}
