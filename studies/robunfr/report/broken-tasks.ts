/** Every task that passes in Function-Only and fails with a requirement, with both programs side by side. */
import { countText } from '../../../analysis/report/format.ts';
import { note, type Section, section } from '../../../analysis/report/part.ts';
import type { BrokenTask } from '../results/failures.ts';
import { type Group, groupsBy } from './groups.ts';

/** Total characters of programs in the page; later tasks are listed without programs. */
const mostProgramText = 2_500_000;

const about =
  'Every task that passes in Function-Only and fails with a requirement, with both programs for the first phrasing ' +
  'in which it fails. Table nfr_scores has a row for each phrasing, table samples one for each program.';

/** Folded by study, model, workflow and requirement; tasks that fail in most phrasings first. */
export function brokenPart(broken: readonly BrokenTask[], severalRuns: boolean): Section {
  const shown = withinRoom(broken);
  const groups = groupsBy(broken, ({ run, study, model, workflow, dimension }) => [
    run,
    study,
    model,
    workflow,
    dimension,
  ]);
  const parts = groups.map((tasks) =>
    section(
      groupTitle(tasks, severalRuns),
      tasks.map((task) => taskPart(task, shown.has(task))),
      { folded: true },
    ),
  );
  return section(
    'Tasks that pass plainly and fail with the requirement',
    parts.length === 0 ? [] : [note(about), ...parts],
    {
      pageOnly: true,
    },
  );
}

/** The first tasks whose programs fit. */
function withinRoom(broken: readonly BrokenTask[]): ReadonlySet<BrokenTask> {
  let left = mostProgramText;
  return new Set(
    broken.filter(({ plain, required, reply }) => {
      left -= (plain?.length ?? 0) + (required?.length ?? reply?.length ?? 0);
      return left >= 0;
    }),
  );
}

function groupTitle(tasks: Group<BrokenTask>, severalRuns: boolean): string {
  const { run, study, model, workflow, dimension } = tasks[0];
  const where = severalRuns ? `${study}, ${run}` : study;
  const count = `${countText(tasks.length)} ${tasks.length === 1 ? 'task' : 'tasks'}`;
  return `${where}: ${model}, ${workflow}, ${dimension}: ${count}`;
}

function taskPart(task: BrokenTask, withPrograms: boolean) {
  const { taskId, phrasings, failure, detail, phrasing, plain, required, reply } = task;
  const how = `${failure.replaceAll('_', ' ')}${detail === null ? '' : ` (${detail})`}`;
  const title = `${taskId}: ${how}, in ${phrasings} ${phrasings === 1 ? 'phrasing' : 'phrasings'}`;
  if (!withPrograms) return note(`${title}. The programs did not fit into this file; see table samples.`);
  const texts = [
    { title: 'Function-Only, passes', text: plain ?? '' },
    { title: 'With the requirement', text: required ?? reply ?? 'No answer: there was no plain code to improve.' },
  ];
  return section(title, [note(phrasing), { kind: 'texts', texts }], { folded: true });
}
