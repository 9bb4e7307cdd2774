/** What an assert statement of a benchmark holds about one output. */
import type { AssertCheck, Value } from '../../schemas/task.ts';
import { type Agreement, agreement } from './equality.ts';
import { iterated, setAgreement } from './members.ts';
import { type Tagged, tagged } from './value.ts';

export function assertAgreement(check: AssertCheck, output: Value, expected: Value): Agreement {
  switch (check) {
    case 'equal':
      return agreement(output, expected);
    case 'same':
      return output === expected ? 'equal' : 'unequal';
    case 'truth':
      return truthAgreement(output, expected);
    case 'set':
      return setAgreement(output, expected);
    case 'tuple':
      return tupleAgreement(output, expected);
    default:
      return closeAgreement(check, tagged(output), tagged(expected));
  }
}

/** Of types that cannot be encoded, these are always true; another's truth is not known. */
const alwaysTrue: ReadonlySet<string> = new Set([
  'Match',
  'Pattern',
  'generator',
  'map',
  'filter',
  'zip',
  'function',
  'type',
]);

function truthAgreement(output: Value, expected: Value): Agreement {
  const truth = truthOf(tagged(output));
  if (truth === null) return 'unknown';
  return truth === expected ? 'equal' : 'unequal';
}

function truthOf(output: Tagged): boolean | null {
  switch (output.kind) {
    case 'none':
      return false;
    case 'bool':
      return output.bool;
    case 'int':
      return output.digits !== '0';
    case 'float':
      return output.float !== 0;
    case 'complex':
      return output.re !== 0 || output.im !== 0;
    case 'str':
      return output.text !== '';
    case 'bytes':
      return output.hex !== '';
    case 'dict':
      return output.entries.length > 0;
    case 'other':
      return alwaysTrue.has(output.typeName) ? true : null;
    default:
      return output.items.length > 0;
  }
}

function tupleAgreement(output: Value, expected: Value): Agreement {
  const [left, right] = [iterated(output), iterated(expected)];
  if (left === 'unknown' || right === 'unknown') return 'unknown';
  if (left === null || right === null) return 'unequal';
  const wanted = [...right];
  return agreement({ t: firstOf(left, wanted.length + 1) }, { t: wanted });
}

/** Characters and bytes can all be compared, so one more than is expected says as much as all of them. */
const firstOf = (items: Iterable<Value>, count: number): readonly Value[] =>
  Array.isArray(items) ? items : Iterator.from(items).take(count).toArray();

type Closeness = Exclude<AssertCheck, string>;

/**
 * Python raises for what is no number, or too large for a float, so it is unequal; a number of a type that is not
 * encoded (Fraction) is not known.
 */
function closeAgreement(check: Closeness, output: Tagged, expected: Tagged): Agreement {
  if (output.kind === 'other') return 'unknown';
  const holds = 'below' in check ? isBelow(check.below, output, expected) : isClose(check, output, expected);
  return holds ? 'equal' : 'unequal';
}

/** `abs(output - expected) < below`, exact between ints. */
function isBelow(below: number, output: Tagged, expected: Tagged): boolean {
  if (isBeyondFloats(output, expected)) return below === Number.POSITIVE_INFINITY;
  const [int, expectedInt] = [intOf(output), intOf(expected)];
  if (int !== null && expectedInt !== null) return (int < expectedInt ? expectedInt - int : int - expectedInt) < below;
  const [left, right] = [numberOf(output), numberOf(expected)];
  return left !== null && right !== null && Math.hypot(left.re - right.re, left.im - right.im) < below;
}

/** Ints that lie further apart than the largest float, as their lengths say: to read millions of digits takes long. */
function isBeyondFloats(output: Tagged, expected: Tagged): boolean {
  if (output.kind !== 'int' || (expected.kind !== 'int' && expected.kind !== 'bool')) return false;
  return output.digits.length > Math.max(310, expected.kind === 'int' ? expected.digits.length : 1) + 2;
}

/** `math.isclose(output, expected)`, which makes floats of ints and refuses every complex number. */
function isClose({ relTol, absTol }: { relTol: number; absTol: number }, output: Tagged, expected: Tagged): boolean {
  if (output.kind === 'complex' || expected.kind === 'complex') return false;
  const [left, right] = [numberOf(output)?.re, numberOf(expected)?.re];
  if (left === undefined || right === undefined) return false;
  const distance = Math.abs(left - right);
  const within = Math.max(relTol * Math.max(Math.abs(left), Math.abs(right)), absTol);
  return left === right || (Number.isFinite(distance) && distance <= within);
}

function intOf(value: Tagged): bigint | null {
  if (value.kind === 'bool') return value.bool ? 1n : 0n;
  return value.kind === 'int' ? BigInt(value.digits) : null;
}

function numberOf(value: Tagged): { readonly re: number; readonly im: number } | null {
  if (value.kind === 'bool') return { re: value.bool ? 1 : 0, im: 0 };
  if (value.kind === 'int') return floatOf(value.digits);
  if (value.kind === 'float') return { re: value.float, im: 0 };
  return value.kind === 'complex' ? value : null;
}

function floatOf(digits: string): { readonly re: number; readonly im: number } | null {
  const re = Number(digits);
  return Number.isFinite(re) ? { re, im: 0 } : null;
}
