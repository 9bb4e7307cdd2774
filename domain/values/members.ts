/** What Python's iteration over an output gives, and its comparison as a set. */
import type { Value } from '../../schemas/task.ts';
import { type Agreement, equalityKey } from './equality.ts';
import { tagged } from './value.ts';

/** Null for what can't be iterated; `unknown` for a value of a type that is not encoded. */
export function iterated(value: Value): readonly Value[] | null | 'unknown' {
  const read = tagged(value);
  if (read.kind === 'other') return 'unknown';
  if (read.kind === 'str') return [...read.text];
  if (read.kind === 'dict') return read.entries.map(([key]) => key);
  if (read.kind === 'bytes') return [...Buffer.from(read.hex, 'hex')];
  return 'items' in read ? read.items : null;
}

/** `set(output) == set(expected)`; what can't be made a set agrees with nothing. */
export function setAgreement(output: Value, expected: Value): Agreement {
  const left = members(output, 'output');
  const right = members(expected, 'expected');
  if (left === 'unknown' || right === 'unknown') return 'unknown';
  if (left === null || right === null) return 'unequal';
  return left.size === right.size && [...left].every((member) => right.has(member)) ? 'equal' : 'unequal';
}

function members(value: Value, side: string): ReadonlySet<string> | null | 'unknown' {
  const items = iterated(value);
  if (items === null || items === 'unknown') return items;
  const keys = items.map((item) => equalityKey(item, side));
  if (keys.some((key) => key === null)) return 'unknown';
  return items.every(isHashable) ? new Set(keys as string[]) : null;
}

function isHashable(value: Value): boolean {
  const read = tagged(value);
  if (read.kind === 'tuple') return read.items.every(isHashable);
  return read.kind !== 'list' && read.kind !== 'set' && read.kind !== 'dict';
}
