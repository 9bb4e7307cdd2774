/** The report's part on attacks (RQ1): pass@1 and the loop's outcome, before and under each attack. */
import published from '../../data/published/evaloop-attacks.json' with { type: 'json' };
import { numberOf, textOf } from '../../domain/metrics/row-order.ts';
import type { Row } from '../../schemas/tables.ts';
import { missing, shareText } from './format.ts';
import { type Html, html } from './html.ts';
import type { ModelColors } from './model-colors.ts';
import { modelName } from './model-name.ts';

/** @param rows of table `attacks`; nothing where there are none */
export function attacksSection(rows: readonly Row[], colorOf: ModelColors, severalRuns: boolean): Html {
  const studies = [...Map.groupBy(rows, (row) => JSON.stringify([row['run'], row['study']])).values()];
  if (studies.length === 0) return html``;
  return html`<section id="attacks"><h2>Attacks on the first prompt</h2>
<p class="note">The same tasks as they are and under each attack; every attacked task goes on through its loops. p is McNemar’s exact test on paired tasks (with repetitions or several draws: a sign-flip permutation test over tasks), adjusted over the models and attacks of a study (Holm). A task whose prompt an attack does not change is not asked.</p>
${studies.map((study) => studyTable(study, colorOf, severalRuns))}${publishedTable()}</section>`;
}

function studyTable(rows: readonly Row[], colorOf: ModelColors, severalRuns: boolean): Html {
  const first = rows[0] as Row;
  const where = severalRuns ? `${textOf(first, 'study')}, run ${textOf(first, 'run')}` : textOf(first, 'study');
  return html`<h3>Study ${where}</h3><div class="wide"><table><thead><tr><th data-sort="text">Model</th><th data-sort="text">Attack</th><th data-sort="text">Family</th><th class="n" data-sort="number">pass@1 before</th><th class="n" data-sort="number">under attack</th><th class="n" data-sort="number">Difference</th><th class="n" data-sort="number">Broken</th><th class="n" data-sort="number">Mended</th><th class="n" data-sort="number">p, adjusted</th><th class="n" data-sort="number">ASL, s = 1, before</th><th class="n" data-sort="number">under attack</th><th class="n" data-sort="number">Difference</th><th class="n" data-sort="number">Tasks n</th><th class="n" data-sort="number">Unchanged</th><th class="n" data-sort="number">Excluded</th></tr></thead><tbody>
${rows.map((row) => attackRow(row, colorOf))}</tbody></table></div>`;
}

const attackRow = (row: Row, colorOf: ModelColors): Html =>
  html`<tr><td class="name" data-v="${textOf(row, 'model')}">${modelName(textOf(row, 'model'), colorOf(textOf(row, 'model')), row['simulated'] === true)}</td><td>${textOf(row, 'attack')}</td><td>${textOf(row, 'family')}</td>
${estimate(row, 'pass_at_1_original', shareText)}${estimate(row, 'pass_at_1', shareText)}${estimate(row, 'pass_difference', points)}${cell(row, 'broken', String)}${cell(row, 'mended', String)}${cell(row, 'p_adjusted', (p) => p.toPrecision(2))}${estimate(row, 'asl_unweighted_original', three)}${estimate(row, 'asl_unweighted', three)}${estimate(row, 'asl_difference', three)}${cell(row, 'n', String)}${cell(row, 'n_unchanged', String)}${cell(row, 'n_excluded', String)}</tr>
`;

const three = (value: number): string => value.toFixed(3);
const points = (value: number): string => (100 * value).toFixed(1);

function cell(row: Row, column: string, text: (value: number) => string): Html {
  if (row[column] === null) return html`<td class="n" data-v="">${missing}</td>`;
  const value = numberOf(row, column);
  return html`<td class="n" data-v="${value}">${text(value)}</td>`;
}

function estimate(row: Row, column: string, text: (value: number) => string): Html {
  if (row[column] == null || row[`${column}_lo`] == null) return cell(row, column, text);
  const [value, lo, hi] = [column, `${column}_lo`, `${column}_hi`].map((name) => numberOf(row, name)) as [number, number, number];
  return html`<td class="n" data-v="${value}">${text(value)}<br><span class="range">${text(lo)} – ${text(hi)}</span></td>`;
}

const publishedTable = (): Html =>
  html`<details><summary>What the paper prints (${published.benchmark})</summary><p class="note">${published.source}.</p><div class="wide"><table><thead><tr><th>Model</th>${published.settings.map((setting) => html`<th class="n">${setting}</th>`)}</tr></thead><tbody>
${published.rows.map(({ model, pass_at_1: shares }) => html`<tr><td>${model}</td>${shares.map((share) => html`<td class="n">${shareText(share)}</td>`)}</tr>`)}</tbody></table></div></details>`;
