/** What goes into a sandbox and what comes out, shared by the sandboxes and the pure code that judges. */

/**
 * Languages that a container can run. All but Python run as one file, the program followed by its test code. There, a
 * case is a string of code that exits with a status other than 0 if a value is wrong; its value is true or false.
 */
export const programLanguages = ['python', 'javascript', 'php', 'ruby', 'perl', 'cpp'] as const;
export type ProgramLanguage = (typeof programLanguages)[number];

export interface Program {
  /** Python when absent. */
  readonly language?: ProgramLanguage;
  /** Module source, run once; then `entryPoint` is called with each input. */
  readonly source: string;
  readonly entryPoint: string;
  /**
   * JSON texts, one per case: the encoded argument list (`Value[]` of schemas/task.ts), or with `tests` also a string,
   * test code to run.
   */
  readonly inputs: readonly string[];
  /** Context of test code, whose cases give true, or false if an assert fails. */
  readonly tests?: { readonly prelude: string; readonly alias: string };
  /** A C++ driver around the program: a case is the command line of a run, and its value a `DrivenAnswer`. */
  readonly driver?: DriverBuild;
  /** It runs before those that wait already: for what takes long, of which only some are asked for at a time. */
  readonly goesFirst?: boolean;
}

export interface DriverBuild {
  /** File contents by path. */
  readonly files: Readonly<Record<string, string>>;
  readonly sources: readonly string[];
  readonly flags: readonly string[];
  readonly buildLimitMs: number;
  readonly alone: boolean;
  /** Most threads of a run; each uses CPU time. */
  readonly mostThreads: number;
}

/**
 * How one run of a program with a driver ended: exit status (null if a signal ended it), the signal, whether its output
 * ended with the secret that only the end of the driver prints, and the end of its output.
 */
export type DrivenAnswer = readonly [status: number | null, signal: number | null, ended: boolean, output: string];

export interface Limits {
  /**
   * Time limit of each case, milliseconds: one number for all cases, or one per case. Loading the module counts as a
   * separate case with the first limit (at least 2,000 ms).
   */
  readonly caseTimeoutMs: number | readonly number[];
  /** Memory the program may add, bytes. */
  readonly memoryBytes: number;
  /** Encoded output of all cases together, bytes. */
  readonly outputBytes: number;
}

/** How the whole program ended. `completed`: every case has a result (a value, or the exception that ended the run). */
export type ProgramEnd =
  | 'completed'
  | 'syntax_error'
  | 'compile_error'
  | 'build_timeout'
  | 'early_exit'
  | 'cpu_timeout'
  | 'wall_timeout'
  | 'memory'
  | 'output_limit'
  | 'killed'
  | 'missing_dependency'
  /** The program needs what the tier cannot do for it, such as threads. */
  | 'not_supported';

export type CaseResult =
  /** JSON text of the encoded return value. */
  | { readonly value: string }
  /**
   * The exception's class name and first line; the first exception ends the run. Index -1 is the load of the module.
   */
  | { readonly exception: string };

export interface ProgramRun {
  readonly end: ProgramEnd;
  /**
   * `batch`: the program shared a process with other screened programs. Absent on tiers that always use one process or
   * interpreter state per program.
   */
  readonly lane?: 'isolated' | 'batch';
  /** Results in case order, up to the case that ended the run. */
  readonly results: readonly CaseResult[];
  /** True if loading the module raised (then `results` is that one exception). */
  readonly failedAtLoad: boolean;
  /** Wall time of each finished case in milliseconds, in case order, as far as this tier can measure. */
  readonly caseMs: readonly number[];
  readonly wallMs: number;
  /** Null if this tier cannot measure it. */
  readonly cpuMs: number | null;
  readonly memoryBytes: number | null;
  /** One line for a person: the exception's text, or the limit that was exceeded. */
  readonly detail: string | null;
}

/** One of the five timed runs of a program: all cases, in a separate process with a newly started interpreter. */
export interface TimedRepeat {
  /** CPU time of the calls, nanoseconds, without process start, module load and decoding. */
  readonly cpuNs: number;
  /** Wall time of the calls, nanoseconds. */
  readonly wallNs: number;
  /** How often the kernel gave its core to another process. */
  readonly switches: number;
  /** Nanoseconds that it waited for its core while ready to run; 0 if the kernel does not report it. */
  readonly waitedNs: number;
  /** Others used its core for more than 1/20 of the wall time, even after repeating. Use the CPU time instead. */
  readonly isNoisy: boolean;
}

/** A program's time, for all cases of one suite together. */
export interface ProgramTiming {
  /**
   * `completed`: five repeats, each of all cases or up to the one that raised; no repeats if loading the module raised.
   * There are none after any other end.
   */
  readonly end: ProgramEnd;
  /** What ended it before its last case: the exception, or the limit that was exceeded. */
  readonly detail: string | null;
  readonly repeats: readonly TimedRepeat[];
  /** Noisy repeats that were run again. */
  readonly redone: number;
  /** The core that its slot was bound to; null if slots cannot be bound to cores. */
  readonly core: number | null;
  /** The repeats of the task's yardstick in the same call; absent if it has none, or an older program timed it. */
  readonly yardstick?: readonly TimedRepeat[];
}
