/** Which of a model's solutions pass, by condition and suite: what a card needs of them, in little memory. */
import {
  conditionCells,
  measuresOf,
  type Place,
  partOf,
  type Solution,
} from '../../../domain/metrics/nfr-solutions.ts';
import type { TasksBySuite } from '../../../analysis/answers/without-reference.ts';
import type { CellPart, TaskParts } from '../../../domain/metrics/phrasing-values.ts';

export interface PassCells {
  readonly setting: string;
  readonly dimension: string;
  readonly suite: string;
  /** The phrasings, or the repetitions of Function-Only. */
  readonly places: readonly string[];
  /** Each task's parts in pass@1, one for each place. */
  readonly tasks: ReadonlyMap<string, TaskParts>;
}

const [passed, failed]: readonly CellPart[] = [
  { numerator: 1, denominator: 1 },
  { numerator: 0, denominator: 1 },
];

export function passCells(solutions: readonly Solution[]): PassCells[] {
  const suites = measuresOf(solutions).flatMap(({ suite }) => suite ?? []);
  return conditionCells(solutions).flatMap(({ setting, dimension, places, tasks }) =>
    suites.map((suite) => ({
      ...{ setting, dimension, suite, places: places.map(placeName) },
      tasks: new Map([...tasks].map(([id, own]) => [id, own.map((solution) => partIn(solution, suite))])),
    })),
  );
}

/** Another run may have another phrasing of this number. */
const placeName = ({ variant, repetition, phrasing }: Place): string =>
  `${variant}${phrasing === null ? '' : ` ${phrasing}`}/${repetition}`;

function partIn(solution: Solution | undefined, suite: string): CellPart {
  const part = partOf(solution, { metric: 'pass_at_1', suite });
  return part === null ? null : ((part.numerator === 1 ? passed : failed) ?? null);
}

/** The same condition of several models, on the tasks and places that all of them have. */
export interface SharedPasses {
  readonly setting: string;
  readonly dimension: string;
  readonly suite: string;
  readonly taskIds: readonly string[];
  /** By place: what was asked. */
  readonly prompts: readonly string[];
  /** By model: the parts of each task. */
  readonly parts: readonly (readonly TaskParts[])[];
}

/** The conditions that all models have, without the changed tasks and those on which their suite can judge nobody. */
export function sharedPasses(
  models: readonly (readonly PassCells[])[],
  changed: ReadonlySet<string>,
  withoutReference: TasksBySuite,
): SharedPasses[] {
  return (models[0] ?? []).flatMap((first) => {
    const all = models.flatMap((own) => own.find((cells) => isSame(cells, first)) ?? []);
    if (all.length < models.length) return [];
    const left = changed.union(withoutReference.get(first.suite) ?? new Set());
    const taskIds = [...first.tasks.keys()].filter((id) => !left.has(id) && all.every(({ tasks }) => tasks.has(id)));
    const places = first.places.filter((place) => all.every((cells) => cells.places.includes(place)));
    const { setting, dimension, suite } = first;
    const parts = all.map((cells) => {
      const indices = places.map((place) => cells.places.indexOf(place));
      return taskIds.map((id) => indices.map((index) => cells.tasks.get(id)?.[index] ?? null));
    });
    const prompts = places.map((place) => place.slice(0, place.lastIndexOf('/')));
    return [{ setting, dimension, suite, taskIds, prompts, parts }];
  });
}

const isSame = (one: PassCells, other: PassCells): boolean =>
  one.setting === other.setting && one.dimension === other.dimension && one.suite === other.suite;
