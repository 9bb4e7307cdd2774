/** Exit statuses: a promise to scripts. */
import { InputError, MissingPartError } from '../domain/errors.ts';
import { type NamedPath, pathFault } from './path-faults.ts';
import { plain } from './terminal.ts';

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
 * What a person is told about an error, and the status that goes with it: only bugs show a stack.
 * @param named the places that the person named: what lies there is no bug
 */
export function explain(error: unknown, named: readonly NamedPath[] = []): Explained {
  const { text, status } = explained(error, named);
  return { text: text.split('\n').map(shown).join('\n'), status };
}

const longestLine = 1_000;

/** One line of a message: without control characters, and without the rest of a huge value that it quotes. */
function shown(line: string): string {
  const clean = plain(line);
  const more = clean.length - longestLine;
  return more <= 0 ? clean : `${clean.slice(0, longestLine)} … (${more} more characters)`;
}

interface Explained {
  /** Nothing in it steers a terminal: messages quote files and endpoints. */
  readonly text: string;
  readonly status: ExitStatus;
}

function explained(error: unknown, named: readonly NamedPath[]): Explained {
  if (error instanceof InputError || error instanceof MissingPartError) return { text: error.message, status: exitStatus.badInput };
  const place = pathFault(error, named);
  if (place !== null) return { text: place.message, status: exitStatus.badInput };
  const damage = damageIn(error);
  if (damage !== null) return { text: damage, status: exitStatus.badInput };
  const dataFile = error instanceof SyntaxError ? /^(\/.*\.json): (.*)/.exec(error.message) : null;
  if (dataFile !== null) return { text: `${dataFile[1]}  is not JSON: ${dataFile[2]}`, status: exitStatus.badInput };
  if (isDiskFull(error)) return { text: `${diskFull} (${(error as Error).message})`, status: exitStatus.incomplete };
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { text: `unexpected failure (a bug, or a broken machine):\n${text}`, status: exitStatus.unexpected };
}

/** What is damaged, and what to do, wherever in the chain of causes: a worker's failure has the name as its type. */
function damageIn(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  const names = [error.name, 'type' in error ? error.type : null];
  return names.includes('CorruptionError') ? error.message : damageIn(error.cause);
}

const diskFull = 'the disk is full: nothing that was answered is lost; free some space and give the same command again';

/** In the words of the system or of SQLite, wherever in the chain of causes: a worker's failure comes without its code. */
function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return /\bENOSPC\b|database or disk is full/.test(error.message) || isDiskFull(error.cause);
}
