/** Which sides a metric is on, and how often these are read. */
import { expect, test } from 'vitest';
import {
  comparedTasks,
  type GateSource,
  openTasks,
  plainSubject,
  sharedTasks,
  type Side,
  type Sides,
} from '../../../analysis/gate/compared.ts';
import type { RunDatabase } from '../../../analysis/database.ts';
import { apartText, onKnownSides } from '../../../studies/across/known-sides.ts';

/** By side's model, then by condition: its tasks. */
type Values = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;

const database = {} as RunDatabase;
const sideOf = (model: string): Side => ({ model }) as Side;
const sidesOf = ([first = '', ...others]: readonly string[]): Sides => ({
  sides: [sideOf(first), ...others.map(sideOf)],
  changed: new Set(),
});

/** @param unjudged of one model, a task that could not be judged */
function sourceOf(values: Values, conditions: readonly string[], unjudged?: readonly [string, string]) {
  const read: string[] = [];
  const source: GateSource = (_, { sides, changed }) => {
    read.push(sides.map(({ model }) => model).join());
    const found = conditions.map((condition) => {
      const own = sides.map(({ model }) => new Map((values[model]?.[condition] ?? []).map((task) => [task, 1])));
      const open = openTasks(
        sides.map(({ model }, side) => {
          const added = unjudged?.[0] === model ? [unjudged[1]] : [];
          const ends = [0, 1].map(
            (end) => new Map([...(own[side] ?? []), ...added.map((task) => [task, end] as const)]),
          );
          return {
            ...{ values: own[side] ?? new Map(), least: ends[0] ?? new Map(), most: ends[1] ?? new Map() },
            unjudged: added.length,
          };
        }),
        changed,
      );
      const tasks = { ...sharedTasks(own, changed), ...(open && { open: open.open }) };
      return comparedTasks(plainSubject('auc_e_excess', 'b', condition), tasks, { kind: 'bounded', lo: 0, hi: 1 });
    });
    return Promise.resolve(found);
  };
  return { source, read };
}

const all = ['A/1', 'A/2', 'A/3'];
const known = async (source: GateSource, models: readonly string[]) =>
  (await onKnownSides(database, source, sidesOf(models), () => true)).map(({ found, places, without }) => ({
    tasks: found.tasks?.taskIds,
    places,
    without,
  }));

test('the sides with values are read again, once for all metrics that they have', async () => {
  const values = {
    ...{ a: { x: all, y: all, z: all, w: all }, b: { x: all.slice(1), y: all, z: all, w: all } },
    ...{ c: { w: all, z: all }, d: { z: all.slice(2) } },
  };
  const { source, read } = sourceOf(values, ['x', 'y', 'z', 'w']);
  expect(await known(source, ['c', 'a', 'd', 'b'])).toEqual([
    { tasks: ['A/2', 'A/3'], places: [1, 3], without: [0, 2] },
    { tasks: all, places: [1, 3], without: [0, 2] },
    { tasks: ['A/3'], places: [0, 1, 2, 3], without: [] },
    { tasks: all, places: [0, 1, 3], without: [2] },
  ]);
  expect(read).toEqual(['c,a,d,b', 'a,b', 'c,a,b']);
});

test('nothing is read again where fewer than two sides have values, or for an unwanted metric', async () => {
  const { source, read } = sourceOf({ a: { x: all }, b: {}, c: {} }, ['x', 'y']);
  const everything = { places: [0, 1, 2], without: [], tasks: [] };
  expect(await known(source, ['a', 'b', 'c'])).toEqual([everything, everything]);
  const { source: other, read: reads } = sourceOf({ a: { x: all }, b: { x: all }, c: {} }, ['x']);
  expect(await onKnownSides(database, other, sidesOf(['a', 'b', 'c']), () => false)).toEqual([]);
  expect([read, reads]).toEqual([['a,b,c'], ['a,b,c']]);
});

test('an answer that could not be judged hides no side that has values', async () => {
  const { source } = sourceOf({ a: { x: all }, b: { x: all } }, ['x'], ['b', 'A/4']);
  expect(await known(source, ['a', 'b', 'c'])).toEqual([{ tasks: all, places: [0, 1], without: [2] }]);
});

test('sides that all have values of other tasks: it is said, with the side that has the fewest', async () => {
  const textOf = async (c: readonly string[]) => {
    const { source } = sourceOf({ a: { x: all }, b: { x: all }, c: { x: c } }, ['x']);
    const [one] = await onKnownSides(database, source, sidesOf(['a', 'b', 'c']), () => true);
    return one === undefined ? 'none' : apartText(one.found, ['a', 'b', 'c']);
  };
  expect(await textOf(['A/8', 'A/9'])).toBe('the 3 models share no task; c has the fewest, 2 of up to 3');
  expect(await textOf(['A/7', 'A/8', 'A/9'])).toBe('the 3 models share no task');
  expect(await textOf(['A/3'])).toBeNull();
});
