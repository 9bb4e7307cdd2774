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
}
