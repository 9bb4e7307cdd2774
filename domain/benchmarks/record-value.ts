/** A value in a record of a benchmark file: an argument or an expected value. */
import type { Value } from '../../schemas/task.ts';
import { ExactNumber } from '../values/exact-json.ts';
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
  if (read.kind === 'set' || read.kind === 'frozenset')
    for (const item of read.items) checkHash(item, 'an item of a set');
  if (read.kind === 'dict') for (const [key] of read.entries) checkHash(key, 'a key of a dict');
}

/** A value that has no hash in Python could not be made in a sandbox. */
function checkHash(value: Value, place: string): void {
  const read = tagged(value);
  if (read.kind === 'list' || read.kind === 'set' || read.kind === 'dict')
    throw new ValueError(`${place} needs a hash, which a ${read.kind} lacks in Python; ${hashed[read.kind]}`);
  if (read.kind === 'tuple') for (const item of read.items) checkHash(item, place);
}

const hashed = {
  list: 'write a tuple, {"t": [...]}',
  set: 'write a frozenset, {"fs": [...]}',
  dict: 'write a tuple of pairs, {"t": [...]}',
} as const;
