/** A value in a record of a benchmark file: an argument or an expected value. */
import type { Value } from '../../schemas/task.ts';
import { ExactNumber } from '../values/exact-json.ts';
import { equalityKey } from '../values/equality.ts';
import { isHashable } from '../values/members.ts';
import { tagged, ValueError } from '../values/value.ts';
import { type RecordPlace, recordError } from './format.ts';

/** The value, if all of it follows the encoding in schemas/task.ts and can be compared. Throws `InputError` if not. */
export function checkedValue(json: unknown, at: RecordPlace, field: string): Value {
  try {
    checkValue(json);
    return json as Value;
  } catch (error) {
    if (error instanceof ValueError) throw recordError(error.message, at, field);
    throw error;
  }
}

function checkValue(json: unknown): void {
  if (json instanceof ExactNumber) {
    const key = /^-?\d+$/.test(json.source) ? 'i' : 'f';
    throw new ValueError(`plain numbers are ints below 2^53, write {"${key}":"${json.source}"} for ${json.source}`);
  }
  const read = tagged(json as Value);
  if (read.kind === 'other')
    throw new ValueError(`a value of type ${read.typeName} cannot be given as an argument or compared`);
  if ('items' in read) read.items.forEach(checkValue);
  if ('entries' in read) read.entries.flat().forEach(checkValue);
  if (read.kind === 'set' || read.kind === 'frozenset') read.items.forEach(checkHash('an item of a set'));
  if (read.kind === 'dict') checkKeys(read.entries.map(([key]) => key));
}

function checkKeys(keys: readonly Value[]): void {
  keys.forEach(checkHash('a key of a dict'));
  const known = new Set<string | null>();
  for (const key of keys) {
    const text = equalityKey(key);
    if (text !== null && known.has(text))
      throw new ValueError(
        `a dict has the key ${JSON.stringify(key).slice(0, 40)} twice, or one that is equal in Python`,
      );
    known.add(text);
  }
}

/** A value that has no hash in Python could not be made in a sandbox. */
const checkHash =
  (place: string) =>
  (value: Value): void => {
    if (isHashable(value)) return;
    throw new ValueError(
      `${place} needs a hash, which lists, sets and dicts lack in Python, also inside of a tuple: write a tuple, ` +
        `{"t": [...]}, or a frozenset, {"fs": [...]}; got ${JSON.stringify(value).slice(0, 40)}`,
    );
  };
