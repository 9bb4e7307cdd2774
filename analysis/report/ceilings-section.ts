import type { Ceiling } from './ceilings.ts';
import { countText, shareText } from './format.ts';
import { type Html, html } from './html.ts';

/** More names than this are counted. */
const mostNames = 8;

/** What the benchmarks' own reference solutions come to, suite by suite. */
export function ceilingsSection(ceilings: readonly Ceiling[], severalRuns: boolean): Html {
  if (ceilings.length === 0) return html``;
  return html`<section id="ceilings"><h2>Reference ceilings</h2>
<p class="note">The benchmark's own solutions, run on the same tests under the same limits. A task that its own reference fails can be passed by luck only.</p>
<div class="wide"><table><thead><tr><th>Benchmark</th><th>Suite</th><th class="n">Tasks</th><th class="n">Cases</th><th class="n">References that pass</th><th class="n">Ceiling</th><th>References that fail</th></tr></thead><tbody>
${ceilings.map((row) => ceilingRow(row, severalRuns))}</tbody></table></div></section>`;
}

function ceilingRow({ run, benchmark, language, suite, tasks, cases, passed, failures }: Ceiling, severalRuns: boolean): Html {
  const more = failures.length > mostNames ? ` and ${countText(failures.length - mostNames)} more` : '';
  const named = failures.slice(0, mostNames).map((failure) => failure.replaceAll('_', ' '));
  return html`<tr><td>${benchmark}, ${language}${severalRuns ? ` (${run})` : ''}</td><td>${suite}</td><td class="n">${countText(tasks)}</td><td class="n">${countText(cases)}</td><td class="n">${countText(passed)}</td><td class="n">${shareText(tasks === 0 ? null : passed / tasks)}</td><td>${failures.length === 0 ? 'none' : `${named.join('; ')}${more}`}</td></tr>
`;
}
