/**
 * Tasks that a study excludes because their reference takes longer than `maxReferenceMs`; decided once per task, when
 * the run is created or the task is added.
 */
import { counted } from '../../domain/counted.ts';
import type { Manifest } from '../../schemas/manifest.ts';
import type { PlanRevision } from '../../schemas/plan.ts';
import type { Spec, SpecStudy } from '../../schemas/spec.ts';
import type { Task } from '../../schemas/task.ts';
import type { ReferenceTimes } from '../judging/reference-times.ts';

export type LeftOut = NonNullable<Manifest['leftOut']>;
type LeftOutTask = LeftOut[string][number];

/** Looks up or measures the times of the tasks' references. */
export type TimesOf = (tasks: readonly Task[]) => Promise<ReferenceTimes>;

/** Decisions of an existing run. */
export interface Decided {
  readonly leftOut: LeftOut;
  readonly revisions: readonly PlanRevision[];
}

export const undecided: Decided = { leftOut: {}, revisions: [] };

/** Excluded tasks by study. Excluded and planned tasks keep their status; the references of new tasks are measured. */
export async function leftOutOf(
  { studies }: Pick<Spec, 'studies'>,
  tasks: ReadonlyMap<string, readonly Task[]>,
  { leftOut, revisions }: Decided,
  timesOf: TimesOf,
): Promise<LeftOut> {
  const entries = studies.flatMap((study) =>
    study.maxReferenceMs === undefined ? [] : [{ study, most: study.maxReferenceMs }],
  );
  const decided = entries.map(async ({ study, most }): Promise<[string, LeftOutTask[]]> => {
    const known = leftOut[study.name] ?? [];
    const settled = new Set([...known.map(({ taskId }) => taskId), ...plannedTasks(study, revisions)]);
    const fresh = (tasks.get(study.benchmark) ?? []).filter(({ taskId }) => !settled.has(taskId));
    const times: ReferenceTimes = fresh.length === 0 ? new Map() : await timesOf(fresh);
    const slow = fresh.flatMap(({ taskId }): LeftOutTask[] => {
      const ms = times.get(taskId)?.ms ?? 0;
      return ms > most ? [{ taskId, referenceMs: Math.round(ms) }] : [];
    });
    return [study.name, [...known, ...slow]];
  });
  return Object.fromEntries((await Promise.all(decided)).filter(([, left]) => left.length > 0));
}

const plannedTasks = ({ name }: SpecStudy, revisions: readonly PlanRevision[]): string[] =>
  revisions.flatMap(({ pages }) =>
    pages.flatMap(({ study, cells }) => (study === name ? cells.map(({ taskId }) => taskId) : [])),
  );

/**
 * For messages: "study loops leaves out 2 tasks, whose reference takes longer than 10000 ms: MBPP/123 56,012 ms, ...".
 */
export const leftOutLines = ({ studies }: Pick<Spec, 'studies'>, leftOut: LeftOut): string[] =>
  studies.flatMap(({ name, maxReferenceMs = 0 }) => {
    const tasks = leftOut[name] ?? [];
    if (tasks.length === 0) return [];
    const slowest = tasks.toSorted((a, b) => b.referenceMs - a.referenceMs).slice(0, 3);
    const named = slowest
      .map(({ taskId, referenceMs }) => `${taskId} ${referenceMs.toLocaleString('en-US')} ms`)
      .join(', ');
    const count = counted(tasks.length, 'task');
    return [
      `study ${name} leaves out ${count}, whose reference takes longer than ${maxReferenceMs} ms: ` +
        `${named}${tasks.length > 3 ? ', ...' : ''}`,
    ];
  });
