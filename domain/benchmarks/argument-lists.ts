/** EvalPlus's inputs: a list of argument lists, as JSON. */
import type { Value } from '../../schemas/task.ts';
import { isList, ValueError, valueOfJson } from '../values/value.ts';
import { type RecordPlace, recordError } from './format.ts';

/** `restore` gives an argument list the types that JSON lost. `{}` stands for no cases (Mbpp/793). */
export function argumentLists(
  json: unknown,
  field: string,
  at: RecordPlace,
  restore: (args: readonly Value[]) => readonly Value[] = (args) => args,
): (readonly Value[])[] {
  if (json !== null && typeof json === 'object' && Object.keys(json).length === 0) return [];
  if (!Array.isArray(json))
    throw recordError(
      `expected a list of argument lists, got ${json === undefined ? 'nothing' : typeof json}`,
      at,
      field,
    );
  return json.map((item, index) => located(at, `${field}[${index}]`, () => restore(argumentsOf(item))));
}

function argumentsOf(json: unknown): readonly Value[] {
  const args = valueOfJson(json);
  if (!isList(args)) throw new ValueError('expected an argument list');
  return args;
}

/** Adds the place in the file to an error about a value. */
export function located<T>(at: RecordPlace, field: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof ValueError ? recordError(error.message, at, field) : error;
  }
}
