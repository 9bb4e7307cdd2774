/** Pairs the cells of several sides (models, versions, runs): the same conditions, tasks and phrasings. */
import {
  type ConditionCells,
  conditionCells,
  type Measure,
  measuresOf,
  partOf,
  type Place,
  type Solution,
} from '../nfr-solutions.ts';
import type { SideAnswers } from './extremes.ts';
import type { SideParts } from './side-values.ts';

/** One metric under one condition, on all sides. */
export interface SharedCells {
  readonly measure: Measure;
  readonly setting: string;
  readonly dimension: string;
  /** Number of sides. */
  readonly sides: number;
  /** The phrasings that all sides have: those of the parts. */
  readonly places: readonly Place[];
  /** By place: what was asked. */
  readonly prompts: readonly string[];
  readonly taskIds: readonly string[];
  /** In the order of `taskIds`. */
  readonly tasks: readonly SideParts[];
  /** Where there is an answer, judged or not. */
  readonly answered: readonly SideAnswers[];
  /** Tasks of which some sides have no solution at all. */
  readonly partialIds: readonly string[];
  /** In the order of `partialIds`; null on the sides that lack the task. */
  readonly partial: readonly SideParts[];
  readonly simulated: boolean;
}

/** The cells that all sides have: same condition, task and place, in the order of the last side. */
export function sharedCells(sides: readonly (readonly Solution[])[]): SharedCells[] {
  const conditions = sides.map(
    (solutions) => new Map(conditionCells(solutions).map((cells) => [nameOf(cells), cells])),
  );
  const measures = measuresOf(sides.flat());
  return [...(conditions.at(-1)?.values() ?? [])].flatMap((last) => {
    const all = conditions.flatMap((cells) => cells.get(nameOf(last)) ?? []);
    if (all.length < sides.length) return [];
    const isShared = (taskId: string): boolean => all.every(({ tasks }) => tasks.has(taskId));
    const taskIds = [...last.tasks.keys()].filter(isShared);
    const partialIds = [...new Set(all.flatMap(({ tasks }) => [...tasks.keys()]))].filter((id) => !isShared(id));
    const places = sharedPlaces(all, last);
    const partsOf = (taskId: string, measure: Measure): SideParts =>
      all.map(({ tasks }, side) =>
        places.map(({ indices }) => partOf(tasks.get(taskId)?.[indices[side] as number], measure)),
      );
    const answered = taskIds.map((taskId) =>
      all.map(({ tasks }, side) =>
        places.map(({ indices }) => tasks.get(taskId)?.[indices[side] as number] !== undefined),
      ),
    );
    return measures.map((measure) => ({
      measure,
      setting: last.setting,
      dimension: last.dimension,
      sides: sides.length,
      places: places.map(({ place }) => place),
      prompts: places.map(({ indices }) => last.prompts[indices.at(-1) as number] as string),
      taskIds,
      tasks: taskIds.map((taskId) => partsOf(taskId, measure)),
      answered,
      partialIds,
      partial: partialIds.map((taskId) => partsOf(taskId, measure)),
      simulated: all.some(({ simulated }) => simulated),
    }));
  });
}

/** Splits cells by phrasing, so that each is compared separately. */
export const byPlace = (cells: SharedCells): SharedCells[] =>
  cells.places.map((place, index) => ({
    ...cells,
    places: [place],
    prompts: [cells.prompts[index] as string],
    tasks: atPlace(cells.tasks, index),
    answered: cells.answered.map((sides) => sides.map((places) => [places[index] ?? false])),
    partial: atPlace(cells.partial, index),
  }));

const atPlace = (tasks: readonly SideParts[], index: number): SideParts[] =>
  tasks.map((sides) => sides.map((parts) => [parts[index] ?? null]));

const nameOf = ({ setting, dimension }: ConditionCells): string => JSON.stringify([setting, dimension]);

/** The places of the last side that all sides have, with their index on each side. */
function sharedPlaces(
  sides: readonly ConditionCells[],
  last: ConditionCells,
): { readonly place: Place; readonly indices: readonly number[] }[] {
  const name = ({ variant, repetition, phrasing }: Place): string => JSON.stringify([variant, repetition, phrasing]);
  const indexOf = sides.map(({ places }) => new Map(places.map((place, index) => [name(place), index])));
  return last.places.flatMap((place) => {
    const indices = indexOf.flatMap((index) => index.get(name(place)) ?? []);
    return indices.length < sides.length ? [] : [{ place, indices }];
  });
}
