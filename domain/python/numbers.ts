/** Python's numbers and their encoding. */
import type { Value } from '../../schemas/task.ts';
import { floatText, tagged } from '../values/value.ts';
import { PythonSyntaxError } from './syntax-error.ts';

/** The value of a number's literal. Throws `PythonSyntaxError` for leading zeros. */
export function numberValue(literal: string): Value {
  const text = literal.replaceAll('_', '').toLowerCase();
  if (/^0[xob]/.test(text)) return intValue(BigInt(text));
  if (text.endsWith('j')) return { c: ['0.0', floatText(Number(text.slice(0, -1)))] };
  if (/[.e]/.test(text)) return { f: floatText(Number(text)) };
  if (/^0+[1-9]/.test(text)) throw new PythonSyntaxError(`a number with leading zeros: ${literal}`);
  return intValue(BigInt(text));
}

export const intValue = (int: bigint): Value =>
  Number.isSafeInteger(Number(int)) && BigInt(Number(int)) === int ? Number(int) : { i: int.toString() };

/** The value as a bigint if it is an int; null for every other type, including bool. */
export function integerOf(value: Value): bigint | null {
  const read = tagged(value);
  return read.kind === 'int' ? BigInt(read.digits) : null;
}
