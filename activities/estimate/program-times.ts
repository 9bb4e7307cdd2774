/** How long programs take: as long as the references of their tasks do on this machine, where that is known. */
import { availableParallelism } from 'node:os';
import type { Task } from '../../schemas/task.ts';
import { type ReferenceTimes, slowReferenceMs } from '../reference-times.ts';

/** A second and core: the embedded tier as measured in docs/decisions/0003, taken for the others too. */
const programsPerCoreSecond = 230;
export const programsPerSecond = programsPerCoreSecond * availableParallelism();

/** Suites of a task whose reference was not run on this machine yet. */
export const unknownSuites = ({ taskId, suites }: Task, times: ReferenceTimes): number => times.get(taskId)?.unknown ?? suites.length;

/** Seconds of this machine for one program on all suites of its task. A slow one is alone on its core. */
function programSeconds(task: Task, times: ReferenceTimes): number {
  const alone = (times.get(task.taskId)?.ms ?? 0) / 1000 / availableParallelism();
  return Math.max(task.suites.length / programsPerSecond, alone);
}

export function meanProgramSeconds(tasks: readonly Task[], times: ReferenceTimes, leftOut: ReadonlySet<string>): number {
  const judged = tasks.filter(({ taskId }) => !leftOut.has(taskId));
  return judged.length === 0 ? 0 : sum(judged.map((task) => programSeconds(task, times))) / judged.length;
}

/** What is slow, and of what it is not known. */
export function referenceNotes(tasks: readonly Task[], times: ReferenceTimes): string[] {
  const slow = [...times].filter(([, { ms }]) => ms >= slowReferenceMs).toSorted(([, a], [, b]) => b.ms - a.ms);
  const named = slow.slice(0, 3).map(([taskId, { ms }]) => `${taskId} ${(ms / 1000).toFixed(1)} s`);
  const suites = sum(tasks.map((task) => task.suites.length));
  const unknown = sum(tasks.map((task) => unknownSuites(task, times)));
  return [
    ...(slow.length === 0
      ? []
      : [
          `references of ${slow.length} of ${tasks.length} tasks take more than ${slowReferenceMs / 1000} s (${named.join(', ')}), and so does each program of theirs; maxReferenceMs in a study leaves such tasks out`,
        ]),
    ...(unknown === 0
      ? []
      : [
          `${unknown} of ${suites} references were not run on this machine yet: how long they and their programs take is not known, milliseconds are assumed`,
        ]),
  ];
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
