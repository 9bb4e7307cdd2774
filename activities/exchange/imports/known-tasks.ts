/** Checks the tasks that a file names against those of a benchmark. */
import { counted } from '../../../domain/counted.ts';
import { InputError } from '../../../domain/errors.ts';
import type { Task } from '../../../schemas/task.ts';
import type { ImportPlace } from './import-format.ts';

/** Tasks by their ids: evenkeel's and the source's. */
export type KnownTasks = ReadonlyMap<string, Task>;

/** Most unknown tasks that a message lists. */
const mostListed = 20;

/**
 * Null without a benchmark. Throws `InputError` that lists each task that the benchmark lacks, once, with its place.
 */
export function knownTasks(
  tasks: readonly Task[] | null,
  named: readonly { readonly taskId: string; readonly at: ImportPlace }[],
): KnownTasks | null {
  if (tasks === null) return null;
  const known = new Map(tasks.flatMap((task) => [task.taskId, task.sourceTaskId].map((id) => [id, task] as const)));
  const unknown = [...Map.groupBy(named, ({ taskId }) => taskId).values()].flatMap(([first]) =>
    first !== undefined && !known.has(first.taskId) ? [first] : [],
  );
  if (unknown.length === 0) return known;
  const listed = unknown.slice(0, mostListed).map(({ taskId, at }) => `\n  ${placeText(at)}  ${taskId}`);
  const more = unknown.length > mostListed ? `\n  and ${unknown.length - mostListed} more` : '';
  throw new InputError(
    `${counted(unknown.length, 'task')} of the file ${unknown.length === 1 ? 'is' : 'are'} not in the benchmark, ` +
      `which has ${counted(tasks.length, 'task')} such as ${tasks[0]?.sourceTaskId}: ` +
      `name the benchmark that the samples answer, or remove them${listed.join('')}${more}`,
    { field: '--benchmark' },
  );
}

const placeText = ({ file, line, field }: ImportPlace): string =>
  [line === undefined ? file : `${file}:${line}`, ...(field === undefined ? [] : [field])].join('  ');
