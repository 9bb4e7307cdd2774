/** Estimates how long programs take: as long as their tasks' references on this machine, if that is known. */
import { availableParallelism } from 'node:os';
import type { Task } from '../../schemas/task.ts';
import { type ReferenceTimes, slowReferenceMs } from '../judging/reference-times.ts';

/**
 * Programs per second and core, measured for the embedded tier (docs/decisions/sandbox/0003-embedded-sandbox.md) and
 * used for all tiers.
 */
const programsPerCoreSecond = 230;
/** Programs that run at the same time on this machine. */
export const programSlots = availableParallelism();
export const programsPerSecond = programsPerCoreSecond * programSlots;

/** Number of the task's suites whose reference was not run on this machine yet. */
export const unknownSuites = ({ taskId, suites }: Task, times: ReferenceTimes): number =>
  times.get(taskId)?.unknown ?? suites.length;

/** Seconds on this machine for one program on all suites of its task. A slow program occupies a core of its own. */
function programSeconds(task: Task, times: ReferenceTimes): number {
  const alone = (times.get(task.taskId)?.ms ?? 0) / 1000 / programSlots;
  return Math.max(task.suites.length / programsPerSecond, alone);
}

export function meanProgramSeconds(
  tasks: readonly Task[],
  times: ReferenceTimes,
  leftOut: ReadonlySet<string>,
): number {
  const judged = tasks.filter(({ taskId }) => !leftOut.has(taskId));
  return judged.length === 0 ? 0 : sum(judged.map((task) => programSeconds(task, times))) / judged.length;
}

/** Warnings about slow references and about references with unknown times. */
export function referenceNotes(tasks: readonly Task[], times: ReferenceTimes): string[] {
  const slow = [...times].filter(([, { ms }]) => ms >= slowReferenceMs).toSorted(([, a], [, b]) => b.ms - a.ms);
  const named = slow.slice(0, 3).map(([taskId, { ms }]) => `${taskId} ${(ms / 1000).toFixed(1)} s`);
  const suites = sum(tasks.map((task) => task.suites.length));
  const unknown = sum(tasks.map((task) => unknownSuites(task, times)));
  return [
    ...(slow.length === 0
      ? []
      : [
          `references of ${slow.length} of ${tasks.length} tasks take more than ` +
            `${slowReferenceMs / 1000} s (${named.join(', ')}), and so does each of their programs; ` +
            'set maxReferenceMs in a study to leave out such tasks',
        ]),
    ...(unknown === 0
      ? []
      : [
          `${unknown} of ${suites} references were not run on this machine yet: they and their programs are assumed ` +
            'to take milliseconds',
        ]),
  ];
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
