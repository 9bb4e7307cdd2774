/** Exit statuses; scripts rely on them. */
import { isDiskFull, isFileTooLarge, tooLarge } from '../domain/errors.ts';
import { addressSpaceFault } from './faults/address-space.ts';
import { type NamedPath, pathFault } from './faults/path-faults.ts';
import { plain } from './output/terminal.ts';

export const exitStatus = {
  done: 0,
  unexpected: 1,
  badInput: 2,
  incomplete: 3,
  gateFailed: 4,
  gateInconclusive: 5,
  interrupted: 130,
} as const;
export type ExitStatus = (typeof exitStatus)[keyof typeof exitStatus];

/**
 * The message and exit status of an error. Only bugs show a stack trace.
 * @param named paths that the user gave: a fault there is the user's to fix, not a bug
 * @param noAddresses what is wrong if this process has too few addresses
 */
export function explain(
  error: unknown,
  named: readonly NamedPath[] = [],
  noAddresses: () => string | null = addressSpaceFault,
): Explained {
  const { text, status } = explained(error, named, noAddresses);
  return { text: text.split('\n').map(shown).join('\n'), status };
}

const longestLine = 1_000;

/** One line of a message, without control characters and cut if it quotes a huge value. */
function shown(line: string): string {
  const clean = plain(line);
  const more = clean.length - longestLine;
  return more <= 0 ? clean : `${clean.slice(0, longestLine)} … (${more} more characters)`;
}

interface Explained {
  /** Free of control characters, since messages quote files and endpoints. */
  readonly text: string;
  readonly status: ExitStatus;
}

function explained(error: unknown, named: readonly NamedPath[], noAddresses: () => string | null): Explained {
  const limited = lacksAddresses(error) ? noAddresses() : null;
  if (limited !== null) return { text: limited, status: exitStatus.badInput };
  if (error instanceof Error && personsFaults.has(error.name))
    return { text: error.message, status: exitStatus.badInput };
  const place = pathFault(error, named);
  if (place !== null) return { text: place.message, status: exitStatus.badInput };
  const found = saidIn(error);
  if (found !== null) return { text: found, status: exitStatus.badInput };
  const dataFile = error instanceof SyntaxError ? /^(\/.*\.json): (.*)/.exec(error.message) : null;
  if (dataFile !== null) return { text: `${dataFile[1]}  not valid JSON: ${dataFile[2]}`, status: exitStatus.badInput };
  if (isDiskFull(error)) return { text: `${diskFull} (${(error as Error).message})`, status: exitStatus.incomplete };
  if (isFileTooLarge(error))
    return { text: `${fileTooLarge} (${(error as Error).message})`, status: exitStatus.incomplete };
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { text: `unexpected failure (a bug, or a broken machine):\n${text}`, status: exitStatus.unexpected };
}

/** As V8, the loader of shared libraries and DuckDB say it, here or in a worker. */
const lacksAddresses = (error: unknown): boolean =>
  error instanceof Error && (addressLack.test(error.message) || lacksAddresses(error.cause));
/** Where its own limit is reached, DuckDB says how much is used, and it is not the addresses. */
const addressLack = /Cannot allocate Wasm memory|failed to map segment|Out of Memory Error(?!.* used\))/;

/** By name: an error of another process is no instance. */
const personsFaults = new Set(['InputError', 'MissingPartError']);
const saidAsIs = new Set<unknown>(['CorruptionError', 'ServerError']);

/** The message of such an error anywhere in the chain of causes. A worker's failure has the name as its `type`. */
function saidIn(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  const isSaid = saidAsIs.has(error.name) || ('type' in error && saidAsIs.has(error.type));
  return isSaid ? error.message : saidIn(error.cause);
}

const diskFull = 'the disk is full: all stored answers are safe; free some space and run the same command again';
const fileTooLarge = `a file would be ${tooLarge}; all stored answers are safe, run the same command again`;
