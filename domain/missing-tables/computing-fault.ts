/** Tells a fault of a computation, which only a change of the program mends, from what a machine or a person mends. */
import { isDiskFull, isFileTooLarge } from '../errors.ts';

/** Of these the run's state, a person or a server is the cause. An InputError that quotes the query engine is none. */
const ofOthers = new Set(['CorruptionError', 'MissingPartError', 'ServerError', 'FencedError', 'AbortError']);

/** Files and memory, as DuckDB and V8 say it. */
const ofMachine = /^(?:SQL: )?(?:IO|HTTP|Out of Memory|Interrupt) Error|allocation failed|Cannot allocate/i;

/** Whether trying again could not help: the inputs are read, and what is computed from them throws. */
export function isComputingFault(error: unknown): error is Error {
  if (!(error instanceof Error) || isDiskFull(error) || isFileTooLarge(error)) return false;
  if (ofOthers.has(error.name) || 'syscall' in error || ofMachine.test(error.message)) return false;
  if (error.name === 'InputError' && !error.message.startsWith('SQL: ')) return false;
  return error.cause === undefined || isComputingFault(error.cause);
}

/** The first line of an error's message; it may quote a long value. */
export const firstLineOf = ({ name, message }: Error): string =>
  (message.split('\n', 1)[0] || name).slice(0, longestLine);
const longestLine = 500;
