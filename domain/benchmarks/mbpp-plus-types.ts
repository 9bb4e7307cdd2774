/**
 * Restores the types of MBPP+'s arguments: its JSON has no tuples, sets or complex numbers.
 * The table of tasks is a fact of the data set (EvalPlus 0.3.1); a test compares the result with the types
 * in the data set's self-contained form.
 */
import type { Value } from '../../schemas/task.ts';
import { floatText, isList, parseFloatText, tagged, ValueError } from '../values/value.ts';

type Restore = (args: readonly Value[]) => readonly Value[];

/** The items of Python's `tuple(value)`. */
function iterated(value: Value): readonly Value[] {
  const read = tagged(value);
  if (read.kind === 'str') return [...read.text];
  if (read.kind === 'dict') return read.entries.map(([key]) => key);
  if ('items' in read) return read.items;
  throw new ValueError(`expected a sequence as this task's argument, got ${read.kind}`);
}

const toTuple = (value: Value): Value => ({ t: iterated(value) });
const toListOfTuples = (value: Value): readonly Value[] => iterated(value).map(toTuple);
const toDeepTuple = (value: Value): Value => (isList(value) ? { t: value.map(toDeepTuple) } : value);
/** EvalPlus writes an empty set as `{}`, which Python reads as a dict. */
const toSet = (value: Value): Value => (isList(value) && value.length > 0 ? { s: distinct(value) } : { d: [] });
const distinct = (items: readonly Value[]): readonly Value[] => [
  ...new Map(items.map((item) => [JSON.stringify(item), item])).values(),
];
const toTupleOfValues = (value: Value): Value => {
  const read = tagged(value);
  if (read.kind !== 'dict') throw new ValueError(`expected a dict as this task's argument, got ${read.kind}`);
  return { d: read.entries.map(([key, item]) => [key, toTuple(item)] as const) };
};

/** Applies one function to each argument; arguments beyond the list are not changed. */
const each =
  (...changes: readonly ((value: Value) => Value)[]): Restore =>
  (args) =>
    args.map((arg, index) => changes[index]?.(arg) ?? arg);
const same = (value: Value): Value => value;
const all =
  (change: (value: Value) => Value): Restore =>
  (args) =>
    args.map(change);

const restorations: readonly { readonly tasks: readonly number[]; readonly restore: Restore }[] = [
  {
    tasks: [2, 116, 132, 143, 222, 261, 273, 394, 399, 421, 424, 429, 470, 560, 579, 596, 616, 630, 726, 740, 744, 809],
    restore: all(toTuple),
  },
  { tasks: [63, 64, 70, 94, 120, 237, 272, 299, 400, 409, 417, 438, 473, 614, 780], restore: all(toListOfTuples) },
  { tasks: [75, 413, 444, 753], restore: each(toListOfTuples) },
  { tasks: [106, 750], restore: each(same, toTuple) },
  { tasks: [250, 307, 405, 446, 617, 720, 763, 808], restore: each(toTuple) },
  { tasks: [259, 401, 445], restore: all((value) => ({ t: toListOfTuples(value) })) },
  {
    tasks: [278],
    restore: all((value) => ({ t: iterated(value).map((item) => (isList(item) ? toTuple(item) : item)) })),
  },
  { tasks: [580, 615, 791], restore: all(toDeepTuple) },
  { tasks: [115], restore: each((value) => iterated(value).map(toSet)) },
  { tasks: [722], restore: each(toTupleOfValues) },
  { tasks: [124], restore: each(toFloat, toComplex) },
  { tasks: [252], restore: each(toComplex) },
];
const restoreByTask: ReadonlyMap<number, Restore> = new Map(
  restorations.flatMap(({ tasks, restore }) => tasks.map((task) => [task, restore] as const)),
);

/** An argument list of MBPP task `number` with its intended types. Throws `ValueError` on a list of another form. */
export function restoreArguments(number: number, args: readonly Value[]): readonly Value[] {
  return restoreByTask.get(number)?.(args) ?? args;
}

/** Python's `float(value)` of a text or a number. */
function toFloat(value: Value): Value {
  return { f: floatText(realOf(value)) };
}

/** Python's `complex(value)` of a number or a text: `(-3+4j)`, `5j`, `1e-100j`, `2.5`. */
function toComplex(value: Value): Value {
  if (typeof value !== 'string') return { c: [floatText(realOf(value)), '0.0'] };
  const text = value.replace(/^\((.*)\)$/, '$1');
  const parts = /^(?<re>[+-]?[\d.]+(?:e[+-]?\d+)?(?![\d.ej]))?(?:(?<im>[+-]?[\d.]+(?:e[+-]?\d+)?)j)?$/.exec(
    text,
  )?.groups;
  if (parts === undefined || text === '')
    throw new ValueError(`expected a complex number as a text like (1+2j), got ${JSON.stringify(value)}`);
  return { c: [floatText(parseFloatText(parts['re'] ?? '0')), floatText(parseFloatText(parts['im'] ?? '0'))] };
}

function realOf(value: Value): number {
  const read = tagged(value);
  if (read.kind === 'str') return parseFloatText(read.text);
  if (read.kind === 'float') return read.float;
  if (read.kind === 'int') return Number(read.digits);
  throw new ValueError(`expected a number, or a number as text, got ${read.kind}`);
}
