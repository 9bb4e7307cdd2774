/** What fails with a requirement, and programs that passed without it (section 5.2 of the paper). */
import type { BrokenTask } from '../robunfr-failures.ts';
import { dataTable } from './data-table.ts';
import { countText } from './format.ts';
import { type Html, html } from './html.ts';
import { failureTable } from './robunfr/failure-table.ts';
import type { RobunfrReport } from './robunfr-data.ts';

export function failuresSection({ failures, broken }: RobunfrReport, severalRuns: boolean): Html {
  const table = failureTable(failures, severalRuns);
  if (table.rows.length === 0) return html``;
  return html`<section><h2>What fails with a requirement</h2>
${dataTable(table)}
${brokenSection(broken, severalRuns)}</section>`;
}

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
