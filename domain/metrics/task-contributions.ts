/** Each task's contribution to a metric over phrasings, in two versions. Their means over tasks are the two AVGs. */
import type { TaskPair } from './phrasing-values.ts';
import {
  linearValues,
  logTimeValues,
  meanValues,
  sharedParts,
  type SideParts,
  type SideValues,
} from './sides/side-values.ts';

export interface TaskContribution {
  /** Index in the list of tasks. */
  readonly task: number;
  readonly old: number;
  readonly now: number;
}

/** Removes parts that only one version has. */
export function commonParts(pair: TaskPair): TaskPair {
  const [old = [], now = []] = sharedParts(sidesOf(pair));
  return { old, now };
}

const sidesOf = ({ old, now }: TaskPair): SideParts => [old, now];

const contributions = ({ tasks, values: [old, now] }: SideValues): TaskContribution[] =>
  tasks.map((task, place) => ({ task, old: old?.[place] as number, now: now?.[place] as number }));

/**
 * For a share: each task's mean over the parts that both versions have, from 0 to `scale`. The mean over tasks is the
 * AVG over phrasings if no part is missing, else nearly so. Tasks without a common part are omitted.
 */
export const taskMeans = (tasks: readonly TaskPair[], scale: number): TaskContribution[] =>
  contributions(meanValues(tasks.map(sidesOf), scale));

/** For a quotient of sums (messages / lines): see `linearValues`. Their mean is exactly the AVG. */
export const linearContributions = (tasks: readonly TaskPair[], scale: number): TaskContribution[] =>
  contributions(linearValues(tasks.map(sidesOf), scale));

/** Means over phrasings of the logarithms of a task's times in both versions; omits tasks without two times above 0. */
export const logTimes = (tasks: readonly TaskPair[]): TaskContribution[] =>
  contributions(logTimeValues(tasks.map(sidesOf)));
