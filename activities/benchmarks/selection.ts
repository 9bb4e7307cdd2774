/** Selects the tasks that a run uses while their file is read, so that only possible choices stay in memory. */
import { nearest } from '../../domain/nearest.ts';
import { uniformOf } from '../../domain/random.ts';
import { InputError } from '../../domain/errors.ts';
import type { Task } from '../../schemas/task.ts';

/**
 * Selects all tasks when empty. `ids` are evenkeel's ids, the source's, or numbers of MBPP and HumanEval. `limit` and
 * `sample` mean the same; a larger number selects a superset.
 */
export interface TaskSelection {
  readonly limit?: number | undefined;
  readonly sample?: number | undefined;
  readonly ids?: readonly string[] | undefined;
}

export interface Selection {
  /** Tasks come in file order. */
  offer(task: Task): void;
  /** The selected tasks, in file order. Throws `InputError` for an id that no task has, with the nearest of `known`. */
  chosen(known: () => readonly string[]): Task[];
}

interface Candidate {
  readonly task: Task;
  readonly place: number;
  /** Smallest first. */
  readonly order: number;
}

/** @param field the spec's field that holds the ids, for errors */
export function createSelection({ limit, sample, ids }: TaskSelection, seed: number, field: string): Selection {
  const count = Math.min(limit ?? Number.POSITIVE_INFINITY, sample ?? Number.POSITIVE_INFINITY);
  const wanted = new Set(ids);
  const missing = new Set(ids);
  let candidates: Candidate[] = [];
  let offered = 0;
  const keepBest = (): void => {
    if (candidates.length > count) candidates = candidates.sort((a, b) => a.order - b.order).slice(0, count);
  };
  return {
    offer: (task) => {
      offered += 1;
      const names = namesOf(task);
      if (ids !== undefined && !names.some((name) => wanted.has(name))) return;
      for (const name of names) missing.delete(name);
      candidates.push({ task, place: offered, order: uniformOf('task order', seed, task.taskId) });
      if (candidates.length > 2 * count + 1000) keepBest();
    },
    chosen: (known) => {
      const [unknown] = missing;
      if (unknown !== undefined) throw unknownTask(unknown, known(), `${field}.${ids?.indexOf(unknown)}`);
      keepBest();
      return candidates.sort((a, b) => a.place - b.place).map(({ task }) => task);
    },
  };
}

/** evenkeel's id, the source's id, and for MBPP and HumanEval the number alone, as their papers write it. */
function namesOf({ taskId, sourceTaskId }: Task): string[] {
  const number = /^(?:MBPP|HumanEval)\/(\d+)$/.exec(taskId)?.[1];
  return [taskId, sourceTaskId, ...(number === undefined ? [] : [number])];
}

function unknownTask(id: string, known: readonly string[], field: string): InputError {
  const guess = nearest(id, known);
  return new InputError(`no task "${id}" in the file${guess === undefined ? '' : `; did you mean "${guess}"?`}`, {
    field,
  });
}
