/** What fails with a requirement, and programs that passed without it (section 5.2 of the paper). */
import { type BrokenTask, type FailureCounts, failureKinds } from '../robunfr-failures.ts';
import { countText } from './format.ts';
import { type Html, html } from './html.ts';
import type { RobunfrReport } from './robunfr-data.ts';

const kindNames: Readonly<Record<(typeof failureKinds)[number], string>> = {
  raises: 'raises',
  wrong_output: 'wrong output',
  syntax_error: 'syntax error',
  timeout: 'timeout',
  no_code: 'prose, no code',
  nothing_to_improve: 'nothing to improve',
  other: 'other',
  excluded: 'excluded',
};

export function failuresSection({ failures, broken }: RobunfrReport, severalRuns: boolean): Html {
  const kinds = failureKinds.filter((kind) => failures.some((row) => (row.kinds[kind] ?? 0) > 0));
  if (kinds.length === 0) return html``;
  return html`<section><h2>What fails with a requirement</h2>
<p class="note">Solutions by kind of failure. Raises: an exception where a value is expected, such as validation that is stricter than the task. Broken: fails, though the plain code of the same repetition passes. Excluded: limits of ours.</p>
<div class="wide"><table><thead><tr><th>Study</th><th>Model</th><th>Workflow</th><th>Requirement</th><th class="n">Solutions</th>${kinds.map((kind) => html`<th class="n" data-sort="number">${kindNames[kind]}</th>`)}<th class="n" data-sort="number">Broken</th></tr></thead><tbody>
${failures.map((row) => failureRow(row, kinds, severalRuns))}</tbody></table></div>
${broken.length === 0 ? html`` : html`<h3>Passes plainly, fails with the requirement</h3><p class="note">Up to three for each model, workflow and requirement; all are in table nfr_scores.</p>${broken.map(brokenTask)}`}</section>`;
}

const failureRow = (row: FailureCounts, kinds: readonly (typeof failureKinds)[number][], severalRuns: boolean): Html =>
  html`<tr><td>${row.study}${severalRuns ? `, ${row.run}` : ''}</td><td class="name">${row.model}${row.simulated ? html`<span class="tag">simulated</span>` : html``}</td><td>${row.workflow}</td><td>${row.dimension}</td><td class="n">${countText(row.solutions)}</td>${kinds.map((kind) => html`<td class="n" data-v="${row.kinds[kind] ?? 0}">${countText(row.kinds[kind] ?? 0)}</td>`)}<td class="n" data-v="${row.broken}">${countText(row.broken)}</td></tr>
`;

function brokenTask(task: BrokenTask): Html {
  const { model, workflow, dimension, taskId, failure, detail, phrasing } = task;
  return html`<details><summary>${taskId}, ${model}, ${workflow}, ${dimension}: ${failure.replaceAll('_', ' ')}${detail === null ? '' : ` (${detail})`}</summary>
<p class="note">${phrasing}</p><div class="pair"><div><h4>Function-Only, passes</h4><pre>${task.plain ?? ''}</pre></div><div><h4>With the requirement</h4><pre>${task.required ?? task.reply ?? 'No answer: there was no plain code to improve.'}</pre></div></div></details>
`;
}
