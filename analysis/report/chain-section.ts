/** The report's part on translation chains: how far each model's chains hold, and what became of the translations into each language. */
import { numberOf, textOf } from '../../domain/metrics/row-order.ts';
import type { Row } from '../../schemas/tables.ts';
import type { ChainTables } from '../chain-tables.ts';
import { estimateOf } from '../estimate.ts';
import { countText, missing, shareInterval, shareText } from './format.ts';
import { type Html, html } from './html.ts';
import type { ModelColors } from './model-colors.ts';
import { modelName } from './model-name.ts';

/** Nothing where no run has such a study. */
export function chainSection({ chain_scores: scores, chain_failures: failures }: ChainTables, colorOf: ModelColors): Html {
  if (scores.length === 0) return html``;
  const studies = [...Map.groupBy(scores, (row) => JSON.stringify([row['run'], row['study']])).values()];
  return html`<div id="chains">${studies.map((rows) => studySection(rows, failures, colorOf))}</div>`;
}

function studySection(rows: readonly Row[], failures: readonly Row[], colorOf: ModelColors): Html {
  const first = rows[0] as Row;
  const own = failures.filter((row) => row['run'] === first['run'] && row['study'] === first['study']);
  const steps = Array.from({ length: numberOf(first, 'steps') }, (_, place) => place + 1);
  const targetOf = (step: number): string => String(own.find((row) => row['step'] === step)?.['target_language'] ?? `step ${step}`);
  return html`<section><h2>Study ${textOf(first, 'study')}: translation chain</h2>
<p class="note">${textOf(first, 'languages')}; ${scoringText[textOf(first, 'scoring')] ?? ''} Under each language: the share of the chains that count whose code passed there. Intervals: ${textOf(first, 'method')}.</p>
<div class="wide"><table class="board"><thead><tr><th data-sort="text">Model</th><th class="n" data-sort="number">ASL</th>${steps.map((step) => html`<th class="n" data-sort="number">${step}. ${targetOf(step)}</th>`)}<th class="n" data-sort="number">Drop</th><th class="n">Chains n</th><th class="n">No start</th><th class="n">Excluded</th></tr></thead><tbody>
${rows.toSorted(byScore).map((row) => scoreRow(row, colorOf))}</tbody></table></div>
<h3>What became of the translations</h3>${[...Map.groupBy(own, (row) => textOf(row, 'model'))].map(([model, ofModel]) => failureTable(model, ofModel))}</section>`;
}

const scoringText: Readonly<Record<string, string>> = {
  squares: 'a failure ends the chain, and i steps passed weigh i²: ASL = sum of n_i i² over M T.',
  counts: 'every step is fed the one before, right or wrong; ASL is the mean number of steps passed.',
};

const byScore = (a: Row, b: Row): number => Number(b['score'] ?? -1) - Number(a['score'] ?? -1);

function scoreRow(row: Row, colorOf: ModelColors): Html {
  const n = numberOf(row, 'n');
  const model = textOf(row, 'model');
  const passed = row['passed'] as readonly number[];
  const share = (count: number): Html => html`<td class="n" data-v="${count}">${shareText(n === 0 ? null : count / n)}</td>`;
  const drop = estimateOf(row, 'drop');
  const interval =
    row['score_lo'] === null ? html`` : html`<br><span class="range">${fixed(row['score_lo'])} – ${fixed(row['score_hi'])}</span>`;
  return html`<tr><td class="name" data-v="${model}">${modelName(model, colorOf(model), row['simulated'] === true)}</td><td class="n" data-v="${row['score'] === null ? '' : Number(row['score'])}">${fixed(row['score'])}${interval}</td>${passed.map(share)}<td class="n">${shareText(drop?.value ?? null)}<br><span class="range">${shareInterval(drop)}</span></td><td class="n">${countText(n)}</td><td class="n">${countText(numberOf(row, 'n_start_failed'))}</td><td class="n">${countText(numberOf(row, 'n_excluded'))}</td></tr>
`;
}

const fixed = (value: Row[string] | undefined): string => (typeof value === 'number' ? value.toFixed(3) : missing);

function failureTable(model: string, rows: readonly Row[]): Html {
  const failed = rows.filter((row) => row['outcome'] !== 'pass');
  if (failed.length === 0) return html`<p class="note">${model}: all translations passed.</p>`;
  return html`<h4>${model}</h4><div class="wide"><table><thead><tr><th>From</th><th>To</th><th>Reason</th><th class="n">n</th><th class="n">Of</th><th class="n">Share</th><th>Tasks</th></tr></thead><tbody>
${failed.map(
  (row) =>
    html`<tr><td>${textOf(row, 'source_language')}</td><td>${textOf(row, 'target_language')}</td><td>${textOf(row, 'outcome').replaceAll('_', ' ')}</td><td class="n">${countText(numberOf(row, 'n'))}</td><td class="n">${countText(numberOf(row, 'attempted'))}</td><td class="n">${shareText(numberOf(row, 'share'))}<br><span class="range">${shareInterval(estimateOf(row, 'share'))}</span></td><td>${textOf(row, 'tasks')}</td></tr>
`,
)}</tbody></table></div>`;
}
