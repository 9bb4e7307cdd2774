/**
 * The comparisons of domain/values written plainly and slowly: each side is decomposed fully before they are compared.
 */
import type { Agreement } from '../../../domain/values/equality.ts';
import { type Tagged, tagged } from '../../../domain/values/value.ts';
import type { Value } from '../../../schemas/task.ts';

/**
 * Equal texts for equal values; null if a type cannot be compared. The types that compare by identity here are
 * `generator` and `map`.
 */
function plainKey(value: Value, side: string): string | null {
  const read = tagged(value);
  const all = (items: readonly Value[]): string[] | null => {
    const keys = items.map((item) => plainKey(item, side));
    return keys.includes(null) ? null : (keys as string[]);
  };
  if (read.kind === 'list' || read.kind === 'tuple')
    return all(read.items) && `${read.kind}[${all(read.items)?.join(',')}]`;
  if (read.kind === 'set' || read.kind === 'frozenset')
    return all(read.items) && `set{${[...new Set(all(read.items))].sort().join(',')}}`;
  if (read.kind === 'dict')
    return all(read.entries.flat()) && `dict{${read.entries.map((entry) => `${all(entry)?.join(':')}`).sort()}}`;
  if (read.kind === 'other') return ['generator', 'map'].includes(read.typeName) ? `<${read.typeName} ${side}>` : null;
  return leafKey(read, side);
}

function leafKey(read: Tagged, side: string): string {
  const worth = (number: number): string =>
    Number.isInteger(number) ? String(BigInt(number)) : `${number}${Number.isNaN(number) ? side : ''}`;
  if (read.kind === 'bool') return read.bool ? '1' : '0';
  if (read.kind === 'int') return read.digits;
  if (read.kind === 'float') return worth(read.float);
  if (read.kind === 'complex') return read.im === 0 ? worth(read.re) : `${worth(read.re)}+${worth(read.im)}j`;
  return JSON.stringify(read);
}

export function plainAgreement(output: Value, expected: Value): Agreement {
  const [left, right] = [plainKey(output, 'output'), plainKey(expected, 'expected')];
  if (left === null || right === null) return 'unknown';
  return left === right ? 'equal' : 'unequal';
}

interface Numbers {
  readonly shape: readonly number[];
  readonly entries: readonly (readonly [re: number, im: number])[];
}

/** An array of numbers, or null: rows of one shape, nested 64 deep at most. */
function numbers(value: Value, depth = 0): Numbers | null {
  const read = tagged(value);
  if (read.kind !== 'list' && read.kind !== 'tuple') return scalar(read);
  const rows = depth >= 64 ? [null] : read.items.map((item) => numbers(item, depth + 1));
  const shape = rows[0]?.shape ?? [];
  if (rows.some((row) => row === null || row.shape.join() !== shape.join())) return null;
  return { shape: [rows.length, ...shape], entries: rows.flatMap((row) => row?.entries ?? []) };
}

function scalar(read: Tagged): Numbers | null {
  const of = (re: number, im: number): Numbers => ({ shape: [], entries: [[re, im]] });
  if (read.kind === 'bool') return of(Number(read.bool), 0);
  if (read.kind === 'float') return of(read.float, 0);
  if (read.kind === 'complex') return of(read.re, read.im);
  if (read.kind !== 'int') return null;
  const int = BigInt(read.digits);
  return int < -(2n ** 63n) || int >= 2n ** 64n ? null : of(Number(int), 0);
}

export function plainClose(output: Value, expected: Value, atol: number): boolean {
  const [left, right] = [numbers(output), numbers(expected)];
  if (left === null || right === null || left.shape.join() !== right.shape.join()) return false;
  return left.entries.every(([re, im], index) => {
    const [wantedRe, wantedIm] = right.entries[index] as readonly [number, number];
    if (re === wantedRe && im === wantedIm) return true;
    const size = Math.hypot(wantedRe, wantedIm);
    return Number.isFinite(size) && Math.hypot(re - wantedRe, im - wantedIm) <= atol + 1e-7 * size;
  });
}

/** The items of an iterable value; null for anything else. */
function itemsOf(value: Value): readonly Value[] | null | 'unknown' {
  const read = tagged(value);
  if (read.kind === 'other') return 'unknown';
  if (read.kind === 'str') return [...read.text];
  if (read.kind === 'dict') return read.entries.map(([key]) => key);
  if (read.kind === 'bytes') return [...Buffer.from(read.hex, 'hex')];
  return 'items' in read ? read.items : null;
}

export function plainTupleAgreement(output: Value, expected: Value): Agreement {
  const [left, right] = [itemsOf(output), itemsOf(expected)];
  if (left === 'unknown' || right === 'unknown') return 'unknown';
  return left === null || right === null ? 'unequal' : plainAgreement(left, right);
}

export function plainSetAgreement(output: Value, expected: Value): Agreement {
  const [left, right] = [itemsOf(output), itemsOf(expected)];
  if (left === 'unknown' || right === 'unknown') return 'unknown';
  const comparable = [...(left ?? []), ...(right ?? [])].every((item) => plainKey(item, '') !== null);
  if (!comparable) return 'unknown';
  if (left === null || right === null || ![...left, ...right].every(isHashable)) return 'unequal';
  return plainAgreement({ s: left }, { s: right });
}

function isHashable(value: Value): boolean {
  const read = tagged(value);
  return read.kind === 'tuple' ? read.items.every(isHashable) : !['list', 'set', 'dict'].includes(read.kind);
}
