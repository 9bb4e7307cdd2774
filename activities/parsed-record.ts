/** A record of a file that a person brings: its text parsed and checked by its schema. */
import type { z } from 'zod';
import { InputError } from '../domain/errors.ts';
import { schemaFaults } from '../domain/spec/schema-faults.ts';

/**
 * @param what the record should be: `variant`
 * @param hint what to do with a record of another form
 * @throws InputError with file, line and field for the first rule that the record breaks
 */
export function parsedRecord<T>(text: string, schema: z.ZodType<T>, what: string, at: { file: string; line?: number }, hint?: string): T {
  const value = jsonOf(text, what, at);
  const checked = schema.safeParse(value);
  if (checked.success) return checked.data;
  const [fault] = schemaFaults(checked.error.issues, { value, schema });
  const field = fault?.path.map(String).join('.');
  throw new InputError(`is no ${what}: ${fault?.rule ?? checked.error.message}${hint === undefined ? '' : `; ${hint}`}`, {
    ...at,
    ...(field && { field }),
  });
}

function jsonOf(text: string, what: string, at: { file: string; line?: number }): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new InputError(`is no ${what}: is not JSON: ${(error as Error).message}`, at);
  }
}
