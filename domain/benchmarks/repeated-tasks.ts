/** Tasks that ask the same as another task of their benchmark: estimates count each as evidence of its own. */
import type { Task } from '../../schemas/task.ts';
import { counted } from '../counted.ts';

export type AskedTask = Pick<Task, 'taskId' | 'language' | 'prompt' | 'entryPoint'>;

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
  const all = counted(new Set(tasks.map(({ taskId }) => taskId)).size, 'task');
  const [verb, subject] = repeated.size === 1 ? ['repeats', 'it tells'] : ['repeat', 'they tell'];
  return [
    `${repeated.size} of ${all} of benchmark ${benchmark} ${verb} another one's prompt: ${subject} nothing new, but ` +
      'count as independent, so intervals are too narrow and p values too small',
  ];
}
