/** Whether an output is a root: HumanEval's find_zero, where any root will do. */
import type { Value } from '../../schemas/task.ts';
import type { Agreement } from './equality.ts';
import { isList, tagged } from './value.ts';

/** `abs(sum(c * x ** i)) <= atol` for the coefficients `c`, lowest power first. What is no real number is no root. */
export function rootAgreement(coefficients: Value, output: Value, atol: number): Agreement {
  const x = realOf(output);
  const factors = isList(coefficients) ? coefficients.map(realOf) : [null];
  if (tagged(output).kind === 'other') return 'unknown';
  if (x === null || factors.includes(null)) return 'unequal';
  const value = (factors as number[]).reduce((sum, factor, power) => sum + factor * x ** power, 0);
  return Math.abs(value) <= atol ? 'equal' : 'unequal';
}

function realOf(value: Value): number | null {
  const read = tagged(value);
  if (read.kind === 'bool') return read.bool ? 1 : 0;
  if (read.kind === 'int') return Number(read.digits);
  return read.kind === 'float' ? read.float : null;
}
