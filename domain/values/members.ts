/** What Python's iteration over an output gives, and its comparison as a set. */
import type { Value } from '../../schemas/task.ts';
import { type Agreement, equalityKey, isComparable, outputKeyUpTo } from './equality.ts';
import { tagged } from './value.ts';

/**
 * Null for what can't be iterated; `unknown` for a value of a type that is not encoded. Nothing is taken out of a text
 * before it is asked for.
 */
export function iterated(value: Value): Iterable<Value> | null | 'unknown' {
  const read = tagged(value);
  if (read.kind === 'other') return 'unknown';
  if (read.kind === 'str') return new CodePoints(read.text);
  if (read.kind === 'dict') return read.entries.map(([key]) => key);
  if (read.kind === 'bytes') return Buffer.from(read.hex, 'hex');
  return 'items' in read ? read.items : null;
}

/** A text apart from the mark `unknown`. */
class CodePoints implements Iterable<string> {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  [Symbol.iterator](): Iterator<string> {
    return this.#text[Symbol.iterator]();
  }
}

/**
 * `set(output) == set(expected)`; what can't be made a set agrees with nothing. Of the output's items none is kept but
 * those that are expected, once each: an output may repeat them as often as it likes.
 */
export function setAgreement(output: Value, expected: Value): Agreement {
  const items = iterated(output);
  const wanted = members(expected);
  if (items === 'unknown' || wanted === 'unknown') return 'unknown';
  if (items === null) return 'unequal';
  if (wanted !== null && hasExactly(items, wanted)) return 'equal';
  for (const item of items) if (!isComparable(item)) return 'unknown';
  return 'unequal';
}

function members(value: Value): ReadonlySet<string> | null | 'unknown' {
  const iterable = iterated(value);
  if (iterable === null) return null;
  if (iterable === 'unknown') return 'unknown';
  const items: readonly Value[] = [...iterable];
  const keys = items.map((item) => equalityKey(item, 'expected'));
  if (keys.some((key) => key === null)) return 'unknown';
  return items.every(isHashable) ? new Set(keys as string[]) : null;
}

function hasExactly(items: Iterable<Value>, wanted: ReadonlySet<string>): boolean {
  let longest = 0;
  for (const key of wanted) longest = Math.max(longest, key.length);
  const found = new Set<string>();
  for (const item of items) {
    const key = outputKeyUpTo(longest, item);
    if (key === null || !wanted.has(key) || !isHashable(item)) return false;
    found.add(key);
  }
  return found.size === wanted.size;
}

/** Whether Python can make it an item of a set or a key of a dict. */
export function isHashable(value: Value): boolean {
  const read = tagged(value);
  if (read.kind === 'tuple') return read.items.every(isHashable);
  return read.kind !== 'list' && read.kind !== 'set' && read.kind !== 'dict';
}
