/** What is measured of a program's text. Shared by the sandboxes that measure and by whatever counts, stores and compares. */

export type MessageCategory = 'convention' | 'refactor' | 'warning' | 'error' | 'fatal';

/** A message of Pylint, as `--output-format=json` has it. */
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
  /** Function, class or method that it is about; empty for the module. */
  readonly object: string;
  readonly text: string;
}

/**
 * Why a program has no measures. `syntax_error`: it does not parse. `too_deep`: it nests more deeply than the parser goes. `pylint_crash`: Pylint met an
 * exception of its own and says so in a fatal message. The others: what became of the process that measured it, alone: 20 s of CPU time, 512 MiB of
 * memory, 256 MiB of messages, or a signal.
 */
export const unmeasuredReasons = ['syntax_error', 'too_deep', 'pylint_crash', 'timeout', 'memory', 'output_limit', 'killed'] as const;
export type UnmeasuredReason = (typeof unmeasuredReasons)[number];

export interface Measures {
  /** Null when it was measured; otherwise nothing here may be counted. */
  readonly reason: UnmeasuredReason | null;
  /** In Pylint's order. Null when it did not come to an end; with `syntax_error` the one that says so. */
  readonly messages: readonly PylintMessage[] | null;
  /** `except` handlers, also `except*`; null with a reason. */
  readonly handlers: number | null;
  /** `raise` statements; null with a reason. */
  readonly raises: number | null;
  /** Lines that hold more than white space, comments and docstrings included; also of what does not parse. */
  readonly loc: number;
  /** What measured it: Pylint's version and the interpreter's, which decides what parses. */
  readonly service: QualityService;
}

export interface QualityService {
  /** e.g. "3.2.5". */
  readonly pylint: string;
  /** e.g. "3.11.2"; Pylint's `py-version` is its first two numbers. */
  readonly python: string;
}
