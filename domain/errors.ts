/** Errors that a person caused or can fix. Everything else is a bug and keeps its stack. */

/** A file, flag or spec that breaks a rule. Exit status 2. */
export class InputError extends Error {
  override readonly name = 'InputError';
  /** The message without file, line, column and field. */
  readonly rule: string;
  readonly file: string | null;
  readonly line: number | null;
  readonly column: number | null;
  readonly field: string | null;

  constructor(rule: string, at: { file?: string; line?: number; column?: number; field?: string } = {}) {
    const place = [at.file, at.line, at.column].filter((part) => part !== undefined).join(':');
    super([place, at.field, rule].filter((part) => part !== undefined && part !== '').join('  '));
    this.rule = rule;
    this.file = at.file ?? null;
    this.line = at.line ?? null;
    this.column = at.column ?? null;
    this.field = at.field ?? null;
  }
}

/** Something the machine lacks (a Temporal server, a sandbox). The message names the ways to get it. Exit status 2. */
export class MissingPartError extends Error {
  override readonly name = 'MissingPartError';
}

/** A server that runs are kept on does not answer, or refuses, for as long as it was asked. Exit status 2. */
export class ServerError extends Error {
  override readonly name = 'ServerError';

  constructor(what: string, cause: unknown) {
    super(`${what}; check that it runs, can be reached and accepts these keys: \`evenkeel doctor\` says which part`, {
      cause,
    });
  }
}

/** What is left to do where nothing else has the bytes that were lost. */
const restore = 'restore the run folder from a copy, "evenkeel verify" lists what is damaged';

/**
 * The remedy, if a message of any process tells of damage that only a copy mends; null for other messages. A run that
 * is resumed in spite of it pays for answers until it meets the same damage.
 */
export const restoreRemedy = (message: string): string | null =>
  message.includes(restore) || /\bError: database disk image is malformed$/m.test(message) ? restore : null;

/** Stored bytes have changed. Trying again does not help. Exit status 2. */
export class CorruptionError extends Error {
  override readonly name = 'CorruptionError';

  constructor(what: string, rule: string, remedy = restore) {
    super(`${what}: ${rule}; ${remedy}`);
  }
}

/**
 * Recognised by the message of the system or of SQLite, anywhere in the chain of causes, because a worker's failure
 * arrives without its error code.
 */
export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return /\bENOSPC\b|database or disk is full/.test(error.message) || isDiskFull(error.cause);
}

/** A file that would be larger than the shell or the file system allows; found like a full disk. */
export function isFileTooLarge(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return /\bEFBIG\b/.test(error.message) || isFileTooLarge(error.cause);
}

/** What is wrong and what to do, after the words "would be". */
export const tooLarge = 'larger than a file may be here (EFBIG): `ulimit -f unlimited` lifts the limit of this shell';
