/** Measures of a program's source text, shared by the sandboxes that measure and the code that counts and compares. */

export type MessageCategory = 'convention' | 'refactor' | 'warning' | 'error' | 'fatal';

/** A message of Pylint, as in `--output-format=json`. */
export interface PylintMessage {
  /** e.g. "C0114". */
  readonly id: string;
  /** e.g. "missing-module-docstring". */
  readonly symbol: string;
  readonly category: MessageCategory;
  /** From 1. */
  readonly line: number;
  /** From 0. */
  readonly column: number;
  readonly endLine: number | null;
  readonly endColumn: number | null;
  /** The function, class or method concerned; empty for the module. */
  readonly object: string;
  readonly text: string;
}

/**
 * Why a program has no measures. `syntax_error`: it does not parse. `too_deep`: its nesting exceeds the parser's
 * limit. `pylint_crash`: Pylint raised an exception and reported it in a fatal message. The others say what ended the
 * process that measured this program alone: 20 s of CPU time, 512 MiB of memory, 256 MiB of messages, or a signal.
 */
export const unmeasuredReasons = [
  'syntax_error',
  'too_deep',
  'pylint_crash',
  'timeout',
  'memory',
  'output_limit',
  'killed',
] as const;
export type UnmeasuredReason = (typeof unmeasuredReasons)[number];

export interface Measures {
  /** Null if the program was measured; otherwise nothing here may be counted. */
  readonly reason: UnmeasuredReason | null;
  /** In Pylint's order. Null if Pylint did not finish; with `syntax_error` only the message about it. */
  readonly messages: readonly PylintMessage[] | null;
  /** `except` handlers, including `except*`; null with a reason. */
  readonly handlers: number | null;
  /** `raise` statements; null with a reason. */
  readonly raises: number | null;
  /** Lines that are not blank, including comments and docstrings; counted even if the program does not parse. */
  readonly loc: number;
  /** Versions of Pylint and of the interpreter, which decides what parses. */
  readonly service: QualityService;
}

export interface QualityService {
  /** e.g. "3.2.5". */
  readonly pylint: string;
  /** e.g. "3.11.2"; Pylint's `py-version` is its first two numbers. */
  readonly python: string;
}
