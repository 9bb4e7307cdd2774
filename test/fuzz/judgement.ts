/**
 * What a reader may do with a malformed file: refuse it in words that name the place,
 * or take it where that is no mistake.
 */
import { basename } from 'node:path';
import { explain } from '../../cli/exit-status.ts';
import { CorruptionError, InputError } from '../../domain/errors.ts';
import type { Spoiled } from './json-mutations.ts';

const patienceMs = 5_000;
const longestMessage = 4_000;

/** What is wrong with how a reader met a file; null when nothing is. */
export async function faultOfReader(
  file: string,
  spoiled: Spoiled,
  read: () => Promise<unknown>,
): Promise<string | null> {
  const began = performance.now();
  const refusal = await read().then(
    () => null,
    (error: unknown) => error,
  );
  const tookMs = performance.now() - began;
  if (tookMs > patienceMs) return `took ${Math.round(tookMs)} ms`;
  if (refusal === null) return spoiled.mustRefuse ? 'was accepted' : null;
  return faultOfRefusal(refusal, file, spoiled);
}

function faultOfRefusal(error: unknown, file: string, { line, mustRefuse }: Spoiled): string | null {
  if (!(error instanceof InputError || error instanceof CorruptionError))
    return `ended with ${error instanceof Error ? `${error.name}: ${error.stack}` : String(error)}`;
  const { text: message } = explain(error);
  if (!message.includes(basename(file))) return `does not name the file: ${message}`;
  if (/\n\s+at /.test(message)) return `shows a stack: ${message}`;
  if (message.length > longestMessage) return `says too much: ${message.length} characters`;
  if (hasControlCharacters(message)) return `prints control characters: ${JSON.stringify(message)}`;
  if (!mustRefuse || line === null || error instanceof CorruptionError) return null;
  const named = error.line ?? lineIn(message, file);
  if (named === null && error.field === null) return `names no place: ${message}`;
  if (named !== null && named !== line) return `names line ${named} for a fault in line ${line}: ${message}`;
  return null;
}

const hasControlCharacters = (text: string): boolean => /[^\P{Cc}\n\t]/u.test(text);

/** Of several faults that are said at once, the first one's. */
function lineIn(message: string, file: string): number | null {
  const after = message.slice(message.indexOf(basename(file)) + basename(file).length);
  const line = /^:(\d+)/.exec(after)?.[1];
  return line === undefined ? null : Number(line);
}
