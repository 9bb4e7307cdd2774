/** The report's part on PromptSE: boards with floors, the paper's values beside them, and variants to look over. */
import type { Estimate } from '../estimate.ts';
import { excessPlaces, type PromptseBoardRow, promptseBoardName } from '../promptse-board.ts';
import { dataTable } from './data-table.ts';
import { countText, decimals, levelText, missing, shareInterval, shareText } from './format.ts';
import { type Html, html } from './html.ts';
import type { ModelColors } from './model-colors.ts';
import { modelName } from './model-name.ts';
import { questionsSection } from './promptse-questions-section.ts';
import type { PromptseReport, VariantSetSummary } from './promptse-data.ts';
import { publishedTables } from './promptse/published-tables.ts';
import { variantReviews } from './promptse-review.ts';

/** Nothing where no run has such a study. */
export async function promptseSection(
  { board, questions, sets, reviews }: PromptseReport,
  colorOf: ModelColors,
  severalRuns: boolean,
): Promise<Html> {
  if (board.length === 0) return html``;
  const groups = [...Map.groupBy(board, promptseBoardName).values()];
  return html`<div id="stability">${groups.map((group) => boardSection(group, colorOf, severalRuns))}
${await questionsSection(questions, board, colorOf)}<section><h3>Beside the paper</h3>${publishedTables(questions, board).map(dataTable)}</section>${setsSection(sets)}${variantReviews(reviews)}
<section><h3>How to read elasticity</h3>${promptseMethod.map((paragraph) => html`<p>${paragraph}</p>`)}</section></div>`;
}

export const promptseMethod = [
  'PromptSE asks each task in its own words and in variants worded by emotion, personality and distance, m samples each. SoftExec is the share of correct samples, weighted by the softmax of their log-probabilities; PromptSELight uses the plain pass rate. Elasticity is 1 minus the mean difference between the original’s score and its variants’ (Light: 1 minus the difference to their mean); E(d) is its mean over tasks, AUC-E = (E(0.1) + 4 E(0.2) + E(0.3)) / 9 as the paper prints it, at most 2/3, and the normalised form divides by 6.',
  'With a few samples per prompt two scores differ by chance even where wording changes nothing, so elasticity stays below 1 for every model whose answers are not always right or always wrong. The floor is what such a model would get: the original against independent draws of itself; the excess is what is left over it, 0 when wording matters no more than chance and negative when it does.',
  'Models are ranked both ways: by AUC-E, which favours models that answer every prompt alike, rightly or wrongly, and by excess, which takes chance out. Intervals are Gaffke’s bounds over tasks: they assume no more than scores between 0 and 1, so they hold 95 % for few tasks and near 0 and 1. A model that gives no log-probabilities has PromptSELight only; nothing is imputed.',
] as const;

const methodName = { full: 'PromptSE', light: 'PromptSELight' } as const;
const scoreName = { full: 'SoftExec', light: 'Pass rate' } as const;

function boardSection(rows: readonly PromptseBoardRow[], colorOf: ModelColors, severalRuns: boolean): Html {
  const [first] = rows as readonly [PromptseBoardRow];
  const where = severalRuns ? `${first.benchmark}, run ${first.run}` : first.benchmark;
  const places = excessPlaces(rows);
  return html`<section><h2>Study ${first.study}: ${methodName[first.method]}</h2>
<p class="note">Prompt stability on ${where}; ${levelText(first.level)} intervals, ${first.intervalMethod}. ${samplesText(rows)}Under each value its interval. Under the original’s score also those at 0.1, 0.2, 0.3; under each E(d) its noise floor, then the excess over it. n tasks count, the others are out.</p>
<div class="wide"><table class="board"><thead><tr>
<th data-sort="text">Model</th><th class="n" data-sort="number">pass@1</th><th class="n" data-sort="number">${scoreName[first.method]}</th><th class="n" data-sort="number">E(0.1)</th><th class="n" data-sort="number">E(0.2)</th><th class="n" data-sort="number">E(0.3)</th><th class="n" data-sort="number">AUC-E</th><th class="n" data-sort="number">normalised</th><th class="n" data-sort="number">Floor</th><th class="n" data-sort="number">Excess</th><th class="n" data-sort="number">Its rank</th><th class="n" data-sort="number">n</th><th class="n" data-sort="number">Out</th>
</tr></thead><tbody>
${rows.map((row, index) => boardRow(row, colorOf, String(places[index] ?? missing)))}
</tbody></table></div>${rows.map(({ model, reason }) => (reason === null ? html`` : html`<p class="note">${model} has no AUC-E: ${reason}.</p>`))}</section>`;
}

function boardRow(row: PromptseBoardRow, colorOf: ModelColors, excessRank: string): Html {
  const facts = [row.family ?? '', row.sizeB === null ? '' : `${row.sizeB} B`].filter((fact) => fact !== '').join(', ');
  const scores = row.scores.map((score) => (score === null ? missing : score.value.toFixed(2))).join(', ');
  return html`<tr><td class="name" data-v="${row.model}">${modelName(row.model, colorOf(row.model), row.simulated)}<small>${facts}</small></td>
<td class="n" data-v="${row.passAt1?.value ?? ''}">${shareText(row.passAt1?.value ?? null)}${row.passAt1?.interval == null ? '' : under(shareInterval(row.passAt1))}</td><td class="n" data-v="${row.scoreOriginal?.value ?? ''}">${number(row.scoreOriginal?.value ?? null)}${range(row.scoreOriginal)}<br><span class="range">${scores}</span></td>
${row.elasticity.map((estimate, index) => elasticityCell(estimate, row.floor[index] ?? null, row.excess[index] ?? null))}
${cell(row.aucE)}${cell(row.aucENormalized)}${cell(row.aucEFloor)}${cell(row.aucEExcess)}<td class="n" data-v="${excessRank}">${excessRank}</td>
<td class="n" data-v="${row.n}">${countText(row.n)}</td><td class="n" data-v="${row.nExcluded}">${countText(row.nExcluded)}</td></tr>
`;
}

const cell = (estimate: Estimate | null): Html =>
  html`<td class="n" data-v="${estimate?.value ?? ''}">${estimate === null ? missing : decimals(estimate.value)}${range(estimate)}</td>`;

const elasticityCell = (estimate: Estimate | null, floor: Estimate | null, excess: Estimate | null): Html =>
  html`<td class="n" data-v="${estimate?.value ?? ''}">${estimate === null ? missing : decimals(estimate.value)}${range(estimate)}${floor === null ? under('no floor') : html`${under(`floor ${floor.value.toFixed(3)}`)}${range(floor)}${under(`excess ${signed(excess?.value ?? null)}`)}${range(excess)}`}</td>`;

const under = (text: string): Html => html`<br><span class="range">${text}</span>`;

const signed = (value: number | null): string =>
  value === null ? missing : `${decimals(value).startsWith('-') ? '' : '+'}${decimals(value)}`;

/** Light can be over fewer samples than were asked. */
const samplesText = (rows: readonly PromptseBoardRow[]): string => {
  const samples = Math.max(0, ...rows.map((row) => row.samples ?? 0));
  return samples === 0 ? '' : `Scores over ${samples} ${samples === 1 ? 'sample' : 'samples'} of each prompt. `;
};

function range(estimate: Estimate | null): Html {
  if (estimate?.interval == null) return html``;
  return html`<br><span class="range">${decimals(estimate.interval.lo)} – ${decimals(estimate.interval.hi)}</span>`;
}

const number = (value: number | null): string => (value === null ? missing : decimals(value));

function setsSection(sets: readonly VariantSetSummary[]): Html {
  return html`<section><h3>Variants</h3>
<p class="note">Distance is measured: words to change from the original’s natural-language passages, over the words of the longer one.</p>
<div class="wide"><table><thead><tr><th>Study</th><th>Rewriter</th><th>Templates</th><th class="n">Distance</th><th class="n">Accepted</th><th class="n">Missing</th><th class="n">Draws each</th><th class="n">Measured mean</th><th class="n">least</th><th class="n">greatest</th><th>Mostly missing for</th></tr></thead><tbody>
${sets.map(
  (set) =>
    html`<tr><td>${set.study}</td><td>${set.rewriter}</td><td>${set.templateVersion}</td><td class="n">${set.distance}</td><td class="n">${countText(set.accepted)}</td><td class="n">${countText(set.missing)}</td><td class="n">${set.attempts.toFixed(2)}</td>${[0, 1, 2].map((index) => html`<td class="n">${number(set.measured?.[index] ?? null)}</td>`)}<td>${set.reason ?? ''}</td></tr>
`,
)}</tbody></table></div></section>`;
}
