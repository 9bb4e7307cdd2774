/** Tasks without a judged answer of some model: which models that is, and what every two models have together. */
import type { Row } from '../../../schemas/tables.ts';
import { counted } from '../../counted.ts';
import { nameList } from '../../name-list.ts';
import { textOf } from '../row-order.ts';

export interface LeftOutTasks {
  /** Tasks with a judged answer of every model, and those without. */
  readonly shared: number;
  readonly leftOut: number;
  /** By model, in their order: tasks that it has no answer to, and tasks no answer to which could be judged. */
  readonly unanswered: readonly number[];
  readonly unjudged: readonly number[];
  /** The fewest and the most tasks with judged answers of both, over all pairs of models. */
  readonly ofPairs: { readonly fewest: number; readonly most: number };
}

/**
 * Null if no task is left out.
 * @param rows one per answer: model, task_id, passed (null: it could not be judged)
 */
export function leftOutTasks(rows: readonly Row[], models: readonly string[]): LeftOutTasks | null {
  const tasksOf = (some: readonly Row[]): Map<string, Set<string>> =>
    new Map(
      [...Map.groupBy(some, (row) => textOf(row, 'model'))].map(([model, own]) => [
        model,
        new Set(own.map((row) => textOf(row, 'task_id'))),
      ]),
    );
  const [answered, judged] = [tasksOf(rows), tasksOf(rows.filter((row) => row['passed'] !== null))];
  const all = [...new Set(rows.map((row) => textOf(row, 'task_id')))];
  const sets = models.map((model) => judged.get(model) ?? new Set<string>());
  const shared = all.filter((task) => sets.every((own) => own.has(task))).length;
  if (shared === all.length) return null;
  return {
    ...{ shared, leftOut: all.length - shared },
    unanswered: models.map((model) => all.length - (answered.get(model)?.size ?? 0)),
    unjudged: models.map((model) => (answered.get(model)?.size ?? 0) - (judged.get(model)?.size ?? 0)),
    ofPairs: ofPairs(sets),
  };
}

/** How many tasks two sets have together, over all pairs. */
function ofPairs(sets: readonly Set<string>[]): LeftOutTasks['ofPairs'] {
  let [fewest, most] = [Infinity, 0];
  for (const [first, own] of sets.entries())
    for (const other of sets.slice(first + 1)) {
      const { size } = own.intersection(other);
      [fewest, most] = [Math.min(fewest, size), Math.max(most, size)];
    }
  return { fewest, most };
}

export function leftOutText(found: LeftOutTasks, models: readonly string[]): string {
  const { shared, leftOut, unanswered, unjudged, ofPairs: together } = found;
  const namesOf = (counts: readonly number[]): string =>
    nameList(models.flatMap((model, place) => (counts[place] ? [`${model} ${counts[place]}`] : [])));
  const why = [
    ...(unanswered.some(Boolean) ? [`tasks without an answer: ${namesOf(unanswered)}`] : []),
    ...(unjudged.some(Boolean) ? [`tasks whose answers could not be judged: ${namesOf(unjudged)}`] : []),
  ].join('; ');
  const range = together.fewest === together.most ? together.most : `${together.fewest} to ${together.most}`;
  const pairs = models.length === 2 ? '' : `; every two of these models have ${range} together`;
  const who = models.length === 2 ? 'both models' : `all ${models.length} models`;
  return (
    `variances are of the ${counted(shared, 'task')} with a judged answer of ${who}; ` +
    `${leftOut} left out (${why})${pairs}`
  );
}
