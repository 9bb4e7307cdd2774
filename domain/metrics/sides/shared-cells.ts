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
import { solutionMetrics } from '../solution-metrics.ts';
import type { SideAnswers } from './extremes.ts';
import type { SideParts } from './side-values.ts';

/** One metric under one condition, on all sides. */
export interface SharedCells {
  readonly measure: Measure;
  readonly setting: string;
  readonly dimension: string;
  /** Number of sides. */
  readonly sides: number;
  /** Sides that were not judged by the measure's suite. */
  readonly withoutSuite: readonly number[];
  /** The phrasings that all sides have: those of the parts. */
  readonly places: readonly Place[];
  /** By place: what was asked. */
  readonly prompts: readonly string[];
  readonly taskIds: readonly string[];
  /** In the order of `taskIds`. */
  readonly tasks: readonly SideParts[];
  /** Where there is an answer, judged or not; none where the task's reference fails, so that no side's could be. */
  readonly answered: readonly SideAnswers[];
  /** By task and place: whether all sides have the same program, which could not be judged. */
  readonly alike: readonly (readonly boolean[])[];
  /** Tasks of which some sides have no solution at all. */
  readonly partialIds: readonly string[];
  /** In the order of `partialIds`; null on the sides that lack the task. */
  readonly partial: readonly SideParts[];
  readonly simulated: boolean;
}

/**
 * The cells that all sides have: same condition, task and place, in the order of the last side. A task that one side
 * was not judged on by the measure's suite is in none, unless that suite judged nothing of the side.
 * @param withoutReference by suite, ids of tasks on which it can judge nobody: its measures leave them out
 */
export function sharedCells(
  sides: readonly (readonly Solution[])[],
  withoutReference: ReadonlyMap<string, ReadonlySet<string>> = new Map(),
): SharedCells[] {
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
      partsAlike(
        all.map(({ tasks }, side) => places.map(({ indices }) => tasks.get(taskId)?.[indices[side] as number])),
        measure,
      );
    const answeredOf = (taskId: string, { suite }: Measure): SideAnswers => {
      const sides = all.map(({ tasks }, side) =>
        places.map(({ indices }) => tasks.get(taskId)?.[indices[side] as number]),
      );
      const isRun = (place: number): boolean =>
        sides.some((own) => own[place]?.outcomes.get(suite ?? '') !== 'not_run');
      return sides.map((own) => own.map((solution, place) => solution !== undefined && isRun(place)));
    };
    const alikeOf = (taskId: string, { suite }: Measure): boolean[] =>
      places.map(({ indices }) => {
        const [first, ...others] = all.map(({ tasks }, side) =>
          tasks.get(taskId)?.[indices[side] as number]?.executions?.get(suite ?? ''),
        );
        return first !== undefined && others.every((other) => other === first);
      });
    return measures.map((measure) =>
      judgedCells(
        {
          measure,
          setting: last.setting,
          dimension: last.dimension,
          sides: sides.length,
          withoutSuite: withoutSuite(sides, measure),
          places: places.map(({ place }) => place),
          prompts: places.map(({ indices }) => last.prompts[indices.at(-1) as number] as string),
          taskIds,
          tasks: taskIds.map((taskId) => partsOf(taskId, measure)),
          answered: taskIds.map((taskId) => answeredOf(taskId, measure)),
          alike: taskIds.map((taskId) => alikeOf(taskId, measure)),
          partialIds,
          partial: partialIds.map((taskId) => partsOf(taskId, measure)),
          simulated: all.some(({ simulated }) => simulated),
        },
        all,
        withoutReference.get(measure.suite ?? ''),
      ),
    );
  });
}

/** Times with and without a yardstick make no pair: what else the machine did shows in one of them only. */
function partsAlike(sides: readonly (readonly (Solution | undefined)[])[], measure: Measure): SideParts {
  const parts = sides.map((own) => own.map((solution) => partOf(solution, measure)));
  if (solutionMetrics[measure.metric].unit !== 'ms') return parts;
  const isAlike = (place: number): boolean => {
    const timed = sides.flatMap((own) => own[place]?.timing ?? []);
    return new Set(timed.map(({ byYardstick = false }) => byYardstick)).size < 2;
  };
  return parts.map((own) => own.map((part, place) => (isAlike(place) ? part : null)));
}

const lacksSuite = (solutions: readonly (Solution | undefined)[], suite: string): boolean =>
  solutions.some((solution) => (solution?.outcomes.size ?? 0) > 0) &&
  !solutions.some((solution) => solution?.outcomes.has(suite) === true);

const withoutSuite = (sides: readonly (readonly Solution[])[], { suite }: Measure): number[] =>
  suite === null ? [] : sides.flatMap((own, side) => (lacksSuite(own, suite) ? [side] : []));

/** Without tasks that the suite can judge nobody on, or did not judge on some side although it judged others there. */
function judgedCells(
  cells: SharedCells,
  sides: readonly ConditionCells[],
  unjudgeable: ReadonlySet<string> = new Set(),
): SharedCells {
  const { measure, taskIds, tasks, answered, alike, partialIds, partial } = cells;
  const { suite } = measure;
  if (suite === null) return cells;
  const isJudged = (taskId: string): boolean =>
    !unjudgeable.has(taskId) &&
    sides.every(
      (side, place) => cells.withoutSuite.includes(place) || !lacksSuite(side.tasks.get(taskId) ?? [], suite),
    );
  const kept = <T>(list: readonly T[], ids: readonly string[]): T[] =>
    list.filter((_, place) => isJudged(ids[place] as string));
  return {
    ...cells,
    ...{ taskIds: kept(taskIds, taskIds), tasks: kept(tasks, taskIds), answered: kept(answered, taskIds) },
    alike: kept(alike, taskIds),
    ...{ partialIds: kept(partialIds, partialIds), partial: kept(partial, partialIds) },
  };
}

/** Splits cells by phrasing, so that each is compared separately. */
export const byPlace = (cells: SharedCells): SharedCells[] =>
  cells.places.map((place, index) => ({
    ...cells,
    places: [place],
    prompts: [cells.prompts[index] as string],
    tasks: atPlace(cells.tasks, index),
    answered: cells.answered.map((sides) => sides.map((places) => [places[index] ?? false])),
    alike: cells.alike.map((places) => [places[index] ?? false]),
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
