/** The paper's pass rates beside one's own: tables 2 and 4, its mistakes marked. */
import published from '../../data/published/robunfr.json' with { type: 'json' };
import { missing } from './format.ts';
import { type Html, html } from './html.ts';

const benchmarks = [...new Set(published.table2.map(({ benchmark }) => benchmark))];
type Published = (typeof published.table2)[number];

export function publishedNfr(): Html {
  const lines = [...Map.groupBy(published.table2, ({ dimension, model }) => JSON.stringify([dimension, model])).values()];
  return html`<section><h3>What the paper prints</h3>
<p class="note">${published.source}. Below: table 2, pass@1 ± STDEV in percent and its change against Function-Only. * a known slip of the paper. Versions in its table 4: ${versions}.</p>
<details><summary>Table 2</summary><div class="wide"><table><thead><tr><th>Requirement</th><th>Model</th>${benchmarks.map((benchmark) => html`<th class="n">${benchmark}</th><th class="n">change</th>`)}</tr></thead><tbody>
${lines.map((line) => {
  const [first] = line as [Published, ...Published[]];
  return html`<tr><td>${first.dimension}</td><td>${first.model}</td>${benchmarks.map((benchmark) => cells(line.find((row) => row.benchmark === benchmark)))}</tr>
`;
})}</tbody></table></div></details></section>`;
}

const versions = published.versions
  .map(({ model, old, new: now, same_model }) => `${model}, ${old} to ${now}${same_model ? '' : ' (two different models)'}`)
  .join('; ');

function cells(row: Published | undefined): Html {
  if (row === undefined) return html`<td class="n">${missing}</td><td class="n">${missing}</td>`;
  const change = row.delta_percent === null ? missing : `${row.delta_percent > 0 ? '+' : ''}${row.delta_percent.toFixed(2)} %`;
  return html`<td class="n">${row.pass_at_1.toFixed(2)} ± ${row.stdev.toFixed(2)}${isSlip(row) ? '*' : ''}</td><td class="n">${change}</td>`;
}

const isSlip = ({ dimension, model, benchmark }: Published): boolean =>
  published.known_slips.some(
    (slip) => slip.table === 2 && slip.dimension === dimension && slip.model === model && slip.benchmark === benchmark,
  );
