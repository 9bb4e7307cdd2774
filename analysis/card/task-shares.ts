/** The shares of answers that pass, by suite, model and task: as numbers, since rows of them take 100 MB and more. */
import { numberOf, textOf } from '../../domain/metrics/row-order.ts';
import type { Row } from '../../schemas/tables.ts';

/** In %. Null where no answer was judged. */
type Share = number | null;

/** One model's, all lists in the order in which the tasks came. */
export interface TaskShares {
  readonly tasks: string[];
  readonly passed: Share[];
  /** With the answers that could not be judged failed, and passed. */
  readonly least: Share[];
  readonly most: Share[];
  /** Answers that could not be judged. */
  unjudged: number;
}

const none: TaskShares = { tasks: [], passed: [], least: [], most: [], unjudged: 0 };

export interface SharesOfAll {
  /** @param row of a suite, run, model and task: `passed`, `least`, `most` and `unjudged` */
  add(row: Row): void;
  suites(): string[];
  of(suite: string, run: string, model: string): TaskShares;
}

export function sharesOfAll(): SharesOfAll {
  const suites = new Map<string, Map<string, TaskShares>>();
  // Each row has a text of its own.
  const names = new Map<string, string>();
  return {
    add: (row) => {
      const suite = madeIn(suites, textOf(row, 'suite'), () => new Map<string, TaskShares>());
      const side = madeIn(suite, sideName(textOf(row, 'run'), textOf(row, 'model')), () => structuredClone(none));
      const task = textOf(row, 'task_id');
      side.tasks.push(madeIn(names, task, () => task));
      for (const column of ['passed', 'least', 'most'] as const) side[column].push(shareOf(row, column));
      side.unjudged += numberOf(row, 'unjudged');
    },
    suites: () => [...suites.keys()].toSorted(),
    of: (suite, run, model) => suites.get(suite)?.get(sideName(run, model)) ?? none,
  };
}

const sideName = (run: string, model: string): string => JSON.stringify([run, model]);

const shareOf = (row: Row, column: string): Share => (row[column] == null ? null : numberOf(row, column));

function madeIn<T>(found: Map<string, T>, name: string, make: () => T): T {
  const known = found.get(name);
  if (known !== undefined) return known;
  const made = make();
  found.set(name, made);
  return made;
}

/** By task, where there is a share. */
export function sharesByTask(tasks: readonly string[], shares: readonly Share[]): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const [place, share] of shares.entries()) if (share !== null) found.set(tasks[place] as string, share);
  return found;
}
