/** Reads files of other tools that are one JSON document, with a bound on their size. */
import { readFile, stat } from 'node:fs/promises';
import type { z } from 'zod';
import { InputError } from '../../../domain/errors.ts';
import { utf8Text } from '../../../domain/spec/utf8-text.ts';
import { unreadable } from '../../../domain/unreadable.ts';
import { parsedRecord } from '../parsed-record.ts';

/** Longest JSON document, bytes: a text of Node has at most about 512 Mi characters. */
const longestBytes = 500 * 1024 * 1024;

/**
 * @param what kind of file, for messages: `EvalPlus results`
 * @throws InputError with file and field for a file that cannot be read, is too long or breaks a rule
 */
export async function jsonFile<T>(file: string, schema: z.ZodType<T>, what: string): Promise<T> {
  return parsedRecord(readableJson(utf8Text(await boundedBytes(file, longestBytes), file)), schema, what, { file });
}

/** Tools in Python write NaN and Infinity, which are no JSON: null takes their place. */
export const readableJson = (text: string): string =>
  /\b(?:NaN|Infinity)\b/.test(text)
    ? text.replaceAll(/"(?:[^"\\]|\\.)*"|-?\b(?:NaN|Infinity)\b/g, (found) => (found.startsWith('"') ? found : 'null'))
    : text;

/** Throws `InputError` for a file that cannot be read or has more bytes than allowed. */
export async function boundedBytes(file: string, allowed: number): Promise<Buffer> {
  try {
    const { size } = await stat(file);
    if (size > allowed)
      throw new InputError(`has ${size} bytes; at most ${allowed} can be read at once: split the file`, { file });
    return await readFile(file);
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw new InputError(unreadable(error), { file });
  }
}
