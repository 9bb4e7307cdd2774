/** Each task's contribution to ASL, for comparisons task by task: i^2 s / M, whose mean over all cells is ASL. */
import type { OpenValues, ValueByTask } from '../../../analysis/gate/compared.ts';
import { mean } from '../../../domain/statistics/spread.ts';
import type { LoopCell } from '../../../domain/metrics/asl.ts';
import type { EndedLoops } from './default-loops.ts';

/** By task id: whether all sides have a cell of it that counts. */
export type SharedIds = ReadonlySet<string>;

/** Tasks of which every side has a cell that counts. */
export function sharedIds(sides: readonly (readonly EndedLoops[])[]): SharedIds {
  const [first = new Set<string>(), ...others] = sides.map((own) => new Set(own.filter(counts).map(taskOf)));
  return others.reduce<Set<string>>((shared, ids) => shared.intersection(ids), first);
}

const counts = ({ isExcluded }: EndedLoops): boolean => !isExcluded;
const taskOf = ({ taskId }: EndedLoops): string => taskId;

/**
 * Of the cells of one study and model. A cell whose break has no similarity takes the mean of the cells that sustained
 * the same number of loops, as in the formula of ASL; one that is cut short has the least that it can be. A task with
 * other cells, that a limit of evenkeel ended, has the nearest value that all its cells may have. Null if there is no
 * such mean: ASL is then undefined.
 * @param weighted whether similarities count; if not, every s is 1
 * @param shared tasks of a comparison: the means of their cells are of these tasks only, but where none of them has a
 *   similarity. Default: all
 */
export function loopValues(
  cells: readonly EndedLoops[],
  maxLoops: number,
  weighted: boolean,
  shared?: SharedIds,
): ValueByTask | null {
  const points = loopPoints(cells.filter(counts), maxLoops, weighted, shared);
  return points === null ? null : extremesOf(cells, points, maxLoops, weighted).values;
}

function loopPoints(
  cells: readonly EndedLoops[],
  maxLoops: number,
  weighted: boolean,
  shared?: SharedIds,
): TaskPoint[] | null {
  const among = shared === undefined ? cells : cells.filter(({ taskId }) => shared.has(taskId));
  const isAmong = (cell: EndedLoops): boolean => shared?.has(cell.taskId) !== false;
  const factorOf = (cell: EndedLoops): number | null =>
    (isAmong(cell) ? similarityFactor(cell, among, maxLoops) : null) ?? similarityFactor(cell, cells, maxLoops);
  const factors = cells.map((cell) => (weighted ? factorOf(cell) : 1));
  if (factors.includes(null)) return null;
  return cells.map(({ taskId, sustainedLoops }, index) => ({
    taskId,
    value: (sustainedLoops ** 2 * (factors[index] as number)) / maxLoops,
  }));
}

/**
 * The least and the most that each task's value may be: a cell that a limit of evenkeel ended, or that was not asked
 * further, may have broken just there, or have sustained all loops. Of the cells of one study and model, as above.
 */
export function loopExtremes(
  cells: readonly EndedLoops[],
  maxLoops: number,
  weighted: boolean,
  shared?: SharedIds,
): OpenValues {
  return extremesOf(cells, loopPoints(cells.filter(counts), maxLoops, weighted, shared) ?? [], maxLoops, weighted);
}

/** @param known of the cells that count, in their order */
function extremesOf(
  cells: readonly EndedLoops[],
  known: readonly TaskPoint[],
  maxLoops: number,
  weighted: boolean,
): OpenValues {
  const counted = cells.filter(counts);
  const open = cells
    .filter(({ isExcluded }) => isExcluded)
    .map(({ taskId, sustainedLoops: loops }) => ({
      taskId,
      least: (loops * Math.max(0, weighted ? loops - 1 : loops)) / maxLoops,
      most: maxLoops,
    }));
  const unasked = counted.filter(({ isCutShort }) => isCutShort).length;
  const mostOf = (value: number, place: number): number => (counted[place]?.isCutShort ? maxLoops : value);
  const all = [
    ...known.map(({ taskId, value }, place) => ({ taskId, least: value, most: mostOf(value, place) })),
    ...open,
  ];
  const [least, most] = [
    meanByTask(all.map(({ taskId, least }) => ({ taskId, value: least }))),
    meanByTask(all.map(({ taskId, most }) => ({ taskId, value: most }))),
  ];
  const isOpen = new Set(open.map(({ taskId }) => taskId));
  const possible = [...meanByTask(known)].map(([taskId, value]): [string, number] => {
    if (!isOpen.has(taskId)) return [taskId, value];
    return [taskId, Math.min(most.get(taskId) ?? value, Math.max(least.get(taskId) ?? value, value))];
  });
  return { values: new Map(possible), least, most, ...{ unjudged: open.length + unasked, unasked } };
}

interface TaskPoint {
  readonly taskId: string;
  readonly value: number;
}

function meanByTask(points: readonly TaskPoint[]): ValueByTask {
  const byTask = Map.groupBy(points, ({ taskId }) => taskId);
  return new Map([...byTask].map(([taskId, own]) => [taskId, mean(own.map(({ value }) => value)) as number]));
}

function similarityFactor(
  { sustainedLoops: loops, similarity, isCutShort = false }: LoopCell,
  cells: readonly LoopCell[],
  maxLoops: number,
): number | null {
  if (loops === 0 || loops === maxLoops) return 1;
  if (isCutShort) return (loops - 1) / loops;
  const alike =
    similarity === null
      ? cells.filter((cell) => cell.sustainedLoops === loops).flatMap((cell) => cell.similarity ?? [])
      : [similarity];
  const known = mean(alike);
  return known === null ? null : (loops - 1 + known) / loops;
}
