/** The tasks of MBPP+ for which EvalPlus 0.3.1 accepts results other than an equal one. Keys are MBPP numbers. */
import type { Value } from '../../schemas/task.ts';
import { tagged, ValueError } from '../values/value.ts';

/** Outputs are compared as sets: order and repetition do not count. */
const setEqual = [2, 7, 111, 140, 232, 249, 579, 769];
/** The reference returns a match object or None; only whether it is None counts. */
const notNone = [737, 787, 794];

/** How the comparison differs from equality, by its name in `domain/values/oracle.ts`. */
export const specialTasks: ReadonlyMap<number, string> = new Map([
  ...setEqual.map((number) => [number, 'set_equal'] as const),
  ...notNone.map((number) => [number, 'not_none'] as const),
  // 164 (are_equivalent) does not say which divisors count: any result is accepted.
  [164, 'any'],
  // 295 (sum_div): a sum of 0 is accepted as well as the reference's.
  [295, 'zero_accepted'],
]);

/** Tasks whose statement has a second interpretation, and the result under it. */
export const secondAnswerTasks: ReadonlyMap<number, (args: readonly Value[]) => Value> = new Map([
  [558, paddedDigitDistance],
  [581, pyramidSurfaceFromHeight],
]);

/** Mbpp/558: sum of digit differences after padding the shorter number with leading zeros. */
function paddedDigitDistance(args: readonly Value[]): Value {
  const [first, second] = twoOf(args).map(digitsOf) as [string, string];
  const length = Math.max(first.length, second.length);
  const [left, right] = [first.padStart(length, '0'), second.padStart(length, '0')];
  return [...left].reduce((sum, digit, index) => sum + Math.abs(Number(digit) - Number(right[index])), 0);
}

function twoOf(args: readonly Value[]): readonly Value[] {
  if (args.length !== 2) throw new ValueError(`this task takes two natural numbers, got ${args.length} arguments`);
  return args;
}

function digitsOf(value: Value): string {
  const read = tagged(value);
  if (read.kind === 'bool') return read.bool ? '1' : '0';
  if (read.kind !== 'int' || read.digits.startsWith('-')) throw new ValueError('this task takes two natural numbers');
  return read.digits;
}

/**
 * Mbpp/581: surface of a square pyramid, its second argument read as the height instead of the slant
 * height; rounded half to even.
 */
function pyramidSurfaceFromHeight(args: readonly Value[]): Value {
  const [base, height] = twoOf(args).map((value) => Number(digitsOf(value))) as [number, number];
  const slant = Math.sqrt((base / 2) ** 2 + height ** 2);
  return roundHalfEven(base ** 2 + (4 * (base * slant)) / 2);
}

function roundHalfEven(value: number): number {
  const floor = Math.floor(value);
  const isTie = value - floor === 0.5;
  return isTie ? floor + (floor % 2) : Math.round(value);
}
