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
${brokenSection(broken, severalRuns)}</section>`;
}

const failureRow = (row: FailureCounts, kinds: readonly (typeof failureKinds)[number][], severalRuns: boolean): Html =>
  html`<tr><td>${row.study}${severalRuns ? `, ${row.run}` : ''}</td><td class="name">${row.model}${row.simulated ? html`<span class="tag">simulated</span>` : html``}</td><td>${row.workflow}</td><td>${row.dimension}</td><td class="n">${countText(row.solutions)}</td>${kinds.map((kind) => html`<td class="n" data-v="${row.kinds[kind] ?? 0}">${countText(row.kinds[kind] ?? 0)}</td>`)}<td class="n" data-v="${row.broken}">${countText(row.broken)}</td></tr>
`;

/** Characters of programs that a page may hold; tasks beyond them are named without. */
const mostProgramText = 2_500_000;

/** All of them, folded by study, model, workflow and requirement; those that fail in most phrasings first. */
function brokenSection(broken: readonly BrokenTask[], severalRuns: boolean): Html {
  if (broken.length === 0) return html``;
  const groups = Map.groupBy(broken, ({ run, study, model, workflow, dimension }) =>
    JSON.stringify([run, study, model, workflow, dimension]),
  );
  let left = mostProgramText;
  const withPrograms = (task: BrokenTask): boolean => {
    left -= (task.plain?.length ?? 0) + (task.required?.length ?? task.reply?.length ?? 0);
    return left >= 0;
  };
  return html`<h3>Passes plainly, fails with the requirement</h3>
<p class="note">Every such task, with the programs of the first phrasing that it fails in. Each phrasing is a row of table nfr_scores, each program one of samples.</p>
${[...groups.values()].map(
  (
    tasks,
  ) => html`<details><summary>${groupTitle(tasks, severalRuns)}</summary>${tasks.map((task) => brokenTask(task, withPrograms(task)))}</details>
`,
)}`;
}

function groupTitle(tasks: readonly BrokenTask[], severalRuns: boolean): string {
  const { run, study, model, workflow, dimension } = tasks[0] as BrokenTask;
  return `${study}${severalRuns ? `, ${run}` : ''}: ${model}, ${workflow}, ${dimension}: ${countText(tasks.length)} ${tasks.length === 1 ? 'task' : 'tasks'}`;
}

function brokenTask(task: BrokenTask, withPrograms: boolean): Html {
  const { taskId, phrasings, failure, detail, phrasing } = task;
  const title = `${taskId}: ${failure.replaceAll('_', ' ')}${detail === null ? '' : ` (${detail})`}, in ${phrasings} ${phrasings === 1 ? 'phrasing' : 'phrasings'}`;
  if (!withPrograms) return html`<p class="note">${title}. Its programs did not fit into this file; see table samples.</p>`;
  return html`<details class="inner"><summary>${title}</summary>
<p class="note">${phrasing}</p><div class="pair"><div><h4>Function-Only, passes</h4><pre>${task.plain ?? ''}</pre></div><div><h4>With the requirement</h4><pre>${task.required ?? task.reply ?? 'No answer: there was no plain code to improve.'}</pre></div></div></details>
`;
}
