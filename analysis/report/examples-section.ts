import type { Examples } from './examples.ts';
import type { ExamplePack } from './example-pack.ts';
import { countText } from './format.ts';
import { type Html, html, trusted } from './html.ts';

/** The list of examples, filled by the page's script from the block of data, and the window that shows one. */
export function examplesSection({ examples, of }: Examples, pack: ExamplePack, seeds: readonly number[]): Html {
  if (pack.ids.size === 0) return html``;
  return html`<section id="examples"><h2>Examples</h2>
<p class="note">${chosenText(pack.ids.size, examples.length, of, seeds)}</p>
<noscript><p class="banner">The examples are in this file and are shown by its script, which is switched off here.</p></noscript>
<div class="filters" hidden><label>Search <input type="search" id="example-words" placeholder="task or model" autocomplete="off"></label>
<label>Model <select id="example-model"></select></label> <label>Result <select id="example-result"></select></label><span class="count" role="status" id="example-count"></span></div>
<div class="wide"><table id="example-list"><thead><tr><th>Task</th><th>Model</th><th>Result</th><th class="n">Loops</th><th>Study</th></tr></thead><tbody></tbody></table></div>
<p><button type="button" id="example-more" hidden>Show more</button></p>
</section>
<dialog id="example" aria-labelledby="example-title"><div class="tools"><button type="button" id="example-before">← Before</button><button type="button" id="example-next">Next →</button><button type="button" id="example-close">Close</button></div><div id="example-body"></div></dialog>
<script type="application/json" id="example-data">${trusted(pack.json)}</script>`;
}

function chosenText(packed: number, drawn: number, of: number, seeds: readonly number[]): string {
  if (packed === of)
    return `All ${countText(of)} cells: one cell is one task under one model, with everything that was asked and answered.`;
  const full = packed < drawn ? ' More did not fit into this file.' : '';
  return `${countText(packed)} of ${countText(of)} cells; one cell is one task under one model, with everything that was asked and answered. The results of each model take turns, so that rare ones are seen; within a result cells come in the order of a hash seeded by ${[...new Set(seeds)].join(' and ')}.${full} The numbers above are over all cells.`;
}
