/** numpy's `allclose` on encoded numbers and their nested sequences, as EvalPlus uses it. */
import type { Value } from '../../schemas/task.ts';
import { type Tagged, tagged } from './value.ts';

/** Relative tolerance of EvalPlus (and of numpy's `assert_allclose`). */
const rtol = 1e-7;

interface Entry {
  readonly re: number;
  readonly im: number;
}

/** Numbers in row order, and the lengths of the nested sequences that hold them. */
interface NumberArray {
  readonly shape: readonly number[];
  readonly entries: readonly Entry[];
}

/**
 * True when both are numbers, or sequences of one shape, and |output - expected| <= atol + 1e-7 |expected| holds everywhere. NaN is
 * close to nothing, an infinity to itself. Lists and tuples count alike. Stricter than numpy in one point: shapes are never broadcast.
 */
export function allClose(output: Value, expected: Value, atol: number): boolean {
  const left = numberArray(output, 0);
  const right = numberArray(expected, 0);
  if (left === null || right === null || left.shape.join() !== right.shape.join()) return false;
  return left.entries.every((entry, index) => isClose(entry, right.entries[index] as Entry, atol));
}

function isClose(output: Entry, expected: Entry, atol: number): boolean {
  if (output.re === expected.re && output.im === expected.im) return true;
  const size = Math.hypot(expected.re, expected.im);
  return Number.isFinite(size) && Math.hypot(output.re - expected.re, output.im - expected.im) <= atol + rtol * size;
}

/** More nesting than numpy's 64 dimensions is no array. */
function numberArray(value: Value, depth: number): NumberArray | null {
  const read = tagged(value);
  if (read.kind !== 'list' && read.kind !== 'tuple') {
    const entry = numberEntry(read);
    return entry === null ? null : { shape: [], entries: [entry] };
  }
  if (depth >= 64) return null;
  const rows = read.items.map((item) => numberArray(item, depth + 1));
  return rows.every((row) => row !== null) ? stacked(rows) : null;
}

function stacked(rows: readonly NumberArray[]): NumberArray | null {
  const shape = rows[0]?.shape ?? [];
  if (rows.some((row) => row.shape.join() !== shape.join())) return null;
  return { shape: [rows.length, ...shape], entries: rows.flatMap((row) => row.entries) };
}

/** numpy holds ints of 64 bits; with larger ones an array is not numeric. */
function numberEntry(value: Tagged): Entry | null {
  if (value.kind === 'bool') return { re: value.bool ? 1 : 0, im: 0 };
  if (value.kind === 'float') return { re: value.float, im: 0 };
  if (value.kind === 'complex') return { re: value.re, im: value.im };
  if (value.kind !== 'int') return null;
  const int = value.digits.length > 20 ? null : BigInt(value.digits);
  return int === null || int < -(2n ** 63n) || int >= 2n ** 64n ? null : { re: Number(int), im: 0 };
}
