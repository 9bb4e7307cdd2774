/** numpy's `allclose` on encoded numbers and their nested sequences, as EvalPlus uses it. */
import type { Value } from '../../schemas/task.ts';
import { isList, isPlainInt, tagged } from './value.ts';

/** Relative tolerance of EvalPlus (and of numpy's `assert_allclose`). */
const rtol = 1e-7;

/** More nesting than numpy's 64 dimensions is no array. */
const maxDimensions = 64;

interface Entry {
  readonly re: number;
  readonly im: number;
}

/**
 * True when both are numbers, or sequences of one shape, and |output - expected| <= atol + 1e-7 |expected| holds
 * everywhere. NaN is close to nothing, an infinity to itself. Lists and tuples count alike. Stricter than numpy in one
 * point: shapes are never broadcast.
 *
 * Both are walked together and the first difference is the end, so the work is bounded by the expected
 * value, whatever the output.
 */
export function allClose(output: Value, expected: Value, atol: number): boolean {
  const shape = firstLengths(expected);
  return shape.length <= maxDimensions && new Closeness(shape, atol).holds(output, expected, 0);
}

/**
 * The lengths of a value, of its first item, of that one's, and so on: the shape of any array that the value can be.
 */
function firstLengths(value: Value): number[] {
  const lengths: number[] = [];
  let items = sequenceItems(value);
  while (items !== null && lengths.length <= maxDimensions) {
    lengths.push(items.length);
    items = items[0] === undefined ? null : sequenceItems(items[0]);
  }
  return lengths;
}

class Closeness {
  readonly #shape: readonly number[];
  readonly #atol: number;

  constructor(shape: readonly number[], atol: number) {
    this.#shape = shape;
    this.#atol = atol;
  }

  /**
   * A sequence of another length than its level's, or a number on another level, makes a ragged array of either side.
   */
  holds(output: Value, expected: Value, level: number): boolean {
    if (level === this.#shape.length) return this.#close(output, expected);
    const [left, right] = [sequenceItems(output), sequenceItems(expected)];
    const length = this.#shape[level];
    if (left === null || right === null || left.length !== length || right.length !== length) return false;
    for (const [index, item] of right.entries()) if (!this.holds(left[index] as Value, item, level + 1)) return false;
    return true;
  }

  #close(output: Value, expected: Value): boolean {
    const [left, right] = [numberEntry(output), numberEntry(expected)];
    return left !== null && right !== null && isClose(left, right, this.#atol);
  }
}

function isClose(output: Entry, expected: Entry, atol: number): boolean {
  if (output.re === expected.re && output.im === expected.im) return true;
  const size = Math.hypot(expected.re, expected.im);
  return Number.isFinite(size) && Math.hypot(output.re - expected.re, output.im - expected.im) <= atol + rtol * size;
}

/** The items of a list or tuple, null of anything else. */
function sequenceItems(value: Value): readonly Value[] | null {
  if (value === null || typeof value !== 'object') return null;
  if (isList(value)) return value;
  const read = tagged(value);
  return read.kind === 'tuple' ? read.items : null;
}

/** numpy holds ints of 64 bits; with larger ones an array is not numeric. */
function numberEntry(output: Value): Entry | null {
  if (isPlainInt(output)) return { re: output, im: 0 };
  const value = tagged(output);
  if (value.kind === 'bool') return { re: value.bool ? 1 : 0, im: 0 };
  if (value.kind === 'float') return { re: value.float, im: 0 };
  if (value.kind === 'complex') return { re: value.re, im: value.im };
  if (value.kind !== 'int') return null;
  const int = value.digits.length > 20 ? null : BigInt(value.digits);
  return int === null || int < -(2n ** 63n) || int >= 2n ** 64n ? null : { re: Number(int), im: 0 };
}
