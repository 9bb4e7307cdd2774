/** Tasks that ask the same as another task of their benchmark: estimates count each as evidence of its own. */
import type { Task } from '../../schemas/task.ts';
import { counted } from '../counted.ts';

export type AskedTask = Pick<Task, 'taskId' | 'language' | 'prompt' | 'entryPoint'>;

/** How many tasks of a benchmark repeat another one's prompt. */
export interface RepeatedTasks {
  readonly benchmark: string;
  /** All of them, and those that repeat another one. */
  readonly tasks: number;
  readonly repeated: number;
}

/** One note, or none. Tasks whose prompt is not known repeat nothing. @param tasks may hold a task several times */
export function repeatedTasksNotes(benchmark: string, tasks: readonly AskedTask[]): string[] {
  const first = new Map<string, string>();
  const repeated = new Set<string>();
  for (const { taskId, language, prompt, entryPoint } of tasks) {
    if (prompt === '') continue;
    const question = JSON.stringify([language, entryPoint, prompt]);
    const known = first.get(question) ?? taskId;
    first.set(question, known);
    if (known !== taskId) repeated.add(taskId);
  }
  if (repeated.size === 0) return [];
  const all = new Set(tasks.map(({ taskId }) => taskId)).size;
  return [repeatedTasksText({ benchmark, tasks: all, repeated: repeated.size })];
}

/** `4 of 6 tasks of benchmark dup repeat another one's prompt: ...`. */
export function repeatedTasksText({ benchmark, tasks, repeated }: RepeatedTasks): string {
  const [verb, subject] = repeated === 1 ? ['repeats', 'it tells'] : ['repeat', 'they tell'];
  return (
    `${repeated} of ${counted(tasks, 'task')} of benchmark ${benchmark} ${verb} another one's prompt: ${subject} ` +
    'nothing new, but count as independent, so intervals are too narrow and p values too small'
  );
}
