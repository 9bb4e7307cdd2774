/** Arithmetic on constants, where it gives the same digits on every platform. */
import type { Value } from '../../schemas/task.ts';
import { floatText, tagged } from '../values/value.ts';
import type { BinaryOperator } from './expression.ts';
import { integerOf, intValue } from './numbers.ts';

/** Larger exponents are left to Python. */
const maxExponent = 1000n;

/** Undefined if the result is left to Python: other types, division by zero, powers of floats. */
export function arithmetic(operator: BinaryOperator, left: Value, right: Value): Value | undefined {
  if (typeof left === 'string' && typeof right === 'string') return operator === '+' ? left + right : undefined;
  const [a, b] = [integerOf(left), integerOf(right)];
  if (a !== null && b !== null) return ofInts(operator, a, b);
  const [x, y] = [complexOf(left), complexOf(right)];
  if (x === null || y === null) return undefined;
  return x.isReal && y.isReal ? ofFloats(operator, x.re, y.re) : ofComplex(operator, x, y);
}

export function negated(value: Value): Value | undefined {
  const int = integerOf(value);
  if (int !== null) return intValue(-int);
  const number = complexOf(value);
  if (number === null) return undefined;
  return number.isReal ? { f: floatText(-number.re) } : { c: [floatText(-number.re), floatText(-number.im)] };
}

function ofInts(operator: BinaryOperator, a: bigint, b: bigint): Value | undefined {
  switch (operator) {
    case '+':
      return intValue(a + b);
    case '-':
      return intValue(a - b);
    case '*':
      return intValue(a * b);
    case '**':
      return b >= 0n && b <= maxExponent ? intValue(a ** b) : undefined;
    case '/':
      return b !== 0n && isExact(a) && isExact(b) ? { f: floatText(Number(a) / Number(b)) } : undefined;
    case '//':
      return b === 0n ? undefined : intValue((a - floorModulo(a, b)) / b);
    case '%':
      return b === 0n ? undefined : intValue(floorModulo(a, b));
  }
}

const isExact = (int: bigint): boolean => Number.isSafeInteger(Number(int));
/** The remainder with the divisor's sign. */
const floorModulo = (a: bigint, b: bigint): bigint => ((a % b) + b) % b;

function ofFloats(operator: BinaryOperator, a: number, b: number): Value | undefined {
  if (operator === '+') return { f: floatText(a + b) };
  if (operator === '-') return { f: floatText(a - b) };
  if (operator === '*') return { f: floatText(a * b) };
  return operator === '/' && b !== 0 ? { f: floatText(a / b) } : undefined;
}

interface ComplexNumber {
  readonly re: number;
  readonly im: number;
  readonly isReal: boolean;
}

function ofComplex(operator: BinaryOperator, a: ComplexNumber, b: ComplexNumber): Value | undefined {
  const sign = operator === '+' ? 1 : operator === '-' ? -1 : 0;
  return sign === 0 ? undefined : { c: [floatText(a.re + sign * b.re), floatText(a.im + sign * b.im)] };
}

function complexOf(value: Value): ComplexNumber | null {
  const read = tagged(value);
  if (read.kind === 'int') return { re: Number(read.digits), im: 0, isReal: true };
  if (read.kind === 'float') return { re: read.float, im: 0, isReal: true };
  return read.kind === 'complex' ? { re: read.re, im: read.im, isReal: false } : null;
}
