/** Prompt sets to look over: counts and words by level, what was flagged or is missing, and some tasks in full. */
import { countText, missing } from './format.ts';
import { type Html, html } from './html.ts';
import type { SpecificityStudyReport } from './specificity-data.ts';

export function setsSection({ sets, flagged, reviews }: SpecificityStudyReport): Html {
  return html`<h3>Prompts</h3>
<p class="note">Words are counted in the description; word limits are enforced. Equal texts of a task are asked once and stay separate draws.</p>
<div class="wide"><table><thead><tr><th>Augmentation</th><th class="n">Level</th><th class="n">Accepted</th><th class="n">Flagged</th><th class="n">Missing</th><th class="n">Different texts</th><th class="n">Words, mean</th><th class="n">least</th><th class="n">most</th></tr></thead><tbody>
${sets.map(
  (set) =>
    html`<tr><td>${set.augmentation}</td><td class="n">${set.level ?? missing}</td>${[set.accepted, set.flagged, set.missing, set.distinct].map((count) => html`<td class="n">${countText(count)}</td>`)}<td class="n">${set.words?.[0].toFixed(1) ?? missing}</td><td class="n">${set.words?.[1] ?? missing}</td><td class="n">${set.words?.[2] ?? missing}</td></tr>
`,
)}</tbody></table></div>
${flaggedList(flagged)}${reviews.map(
  ({ taskId, prompts }) => html`<details><summary>${taskId}: ${prompts.length} prompts</summary>
${prompts.map(
  ({
    variant,
    words,
    prompt,
    reason,
  }) => html`<h4>${variant}${words === null ? '' : `, ${words} words`}</h4>${reason === null ? html`` : html`<p class="note">${reason}</p>`}<pre>${prompt ?? 'missing'}</pre>
`,
)}</details>
`,
)}<p class="note">All prompts are in table variants, and “export RUN --format variants” writes them to a file that variantSet takes back.</p>`;
}

function flaggedList(flagged: SpecificityStudyReport['flagged']): Html {
  if (flagged.length === 0) return html`<p class="note">No prompt is flagged or missing.</p>`;
  return html`<details><summary>${flagged.length} prompts to look at: flagged or missing</summary><div class="wide"><table><thead><tr><th>Task</th><th>Prompt</th><th>Status</th><th>Reason</th></tr></thead><tbody>
${flagged.map(
  ({ taskId, variant, status, reason }) => html`<tr><td>${taskId}</td><td>${variant}</td><td>${status}</td><td>${reason}</td></tr>
`,
)}</tbody></table></div></details>`;
}
