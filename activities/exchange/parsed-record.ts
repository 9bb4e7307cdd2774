/** Parses a record of a user's file and checks it against its schema. */
import type { z } from 'zod';
import { InputError } from '../../domain/errors.ts';
import { schemaFaults } from '../../domain/spec/schema-faults.ts';

/**
 * @param what kind of record, for messages: `variant`
 * @param hint for messages: what to do with another kind of record
 * @throws InputError with file, line and field for the first rule that the record breaks
 */
export function parsedRecord<T>(
  text: string,
  schema: z.ZodType<T>,
  what: string,
  at: { file: string; line?: number },
  hint?: string,
): T {
  const value = jsonOf(text, what, at);
  const checked = schema.safeParse(value);
  if (checked.success) return checked.data;
  const [fault] = schemaFaults(checked.error.issues, { value, schema });
  const field = fault?.path.map(String).join('.');
  throw new InputError(
    `invalid ${what}: ${fault?.rule ?? checked.error.message}${hint === undefined ? '' : `; ${hint}`}`,
    {
      ...at,
      ...(field && { field }),
    },
  );
}

function jsonOf(text: string, what: string, at: { file: string; line?: number }): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const { message } = error as Error;
    const line = at.line ?? lineOfFault(text, message);
    throw new InputError(`invalid ${what}: not valid JSON: ${message}`, { ...at, line });
  }
}

/** A document that is cut off is at fault where it ends. */
function lineOfFault(text: string, message: string): number {
  const position = /at position (\d+)/.exec(message)?.[1];
  return (position === undefined ? text.trimEnd() : text.slice(0, Number(position))).split('\n').length;
}
