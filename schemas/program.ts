/** What goes into a sandbox and what comes out of it. Shared by the sandboxes and the pure code that judges. */

/**
 * Languages that a container can run. All but Python are run as one file, the program with its test code behind it: each case is a string, code that ends the
 * program with another status than 0 when a value is wrong, and gives true or false.
 */
export type ProgramLanguage = 'python' | 'javascript' | 'php' | 'ruby' | 'perl' | 'cpp';

export interface Program {
  /** Python when absent. */
  readonly language?: ProgramLanguage;
  /** Module source, run once; then `entryPoint` is called with each input. */
  readonly source: string;
  readonly entryPoint: string;
  /** JSON texts, one per case: the encoded argument list (`Value[]` of schemas/task.ts), or with `tests` also a string, test code to run. */
  readonly inputs: readonly string[];
  /** What test code needs around it; its cases give true, or false when an assert in it fails. */
  readonly tests?: { readonly prelude: string; readonly alias: string };
  /** A driver around it, in C++: a case is what a run is given on its command line, and its value a `DrivenAnswer`. */
  readonly driver?: DriverBuild;
}

export interface DriverBuild {
  /** Texts by path. */
  readonly files: Readonly<Record<string, string>>;
  readonly sources: readonly string[];
  readonly flags: readonly string[];
  readonly buildLimitMs: number;
  readonly alone: boolean;
  /** Most threads of a run: each uses processor time. */
  readonly mostThreads: number;
}

/**
 * How one run of a driven program ended: exit status (null where a signal ended it), the signal, whether its last words were the secret that only the
 * driver's end says, and the end of what it said.
 */
export type DrivenAnswer = readonly [status: number | null, signal: number | null, ended: boolean, output: string];

export interface Limits {
  /** Time allowed per case, milliseconds; one number for all cases, or one per case. Module load counts as a case of its own with the first limit (at least 2,000 ms). */
  readonly caseTimeoutMs: number | readonly number[];
  /** Memory the program may add, bytes. */
  readonly memoryBytes: number;
  /** Encoded output of all cases together, bytes. */
  readonly outputBytes: number;
}

/** How the program as a whole ended. `completed`: every case has a result (a value, or the exception that ended the run). */
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
  | 'missing_dependency';

export type CaseResult =
  /** JSON text of the encoded return value. */
  | { readonly value: string }
  /** The exception's class name and first line; the run stops at the first one. Index -1 is the module's own load. */
  | { readonly exception: string };

export interface ProgramRun {
  readonly end: ProgramEnd;
  /** `batch`: it shared a process with other screened programs; a tier that says nothing has one process or state per program. */
  readonly lane?: 'isolated' | 'batch';
  /** Results in case order, up to the case that ended the run. */
  readonly results: readonly CaseResult[];
  /** True when the exception came from loading the module (then `results` is that one exception). */
  readonly failedAtLoad: boolean;
  /** Wall milliseconds of each finished case (what this tier can measure), in case order. */
  readonly caseMs: readonly number[];
  readonly wallMs: number;
  /** Null on a tier that cannot measure it. */
  readonly cpuMs: number | null;
  readonly memoryBytes: number | null;
  /** One line for a person: the exception's text, the limit that was met. */
  readonly detail: string | null;
}

/** One of the five runs of a program for its time: all cases in a process of its own, in a freshly started interpreter. */
export interface TimedRepeat {
  /** CPU time of the calls, nanoseconds; the module's load, decoding and the process's start are not in it. */
  readonly cpuNs: number;
  /** Wall time of the calls, nanoseconds. */
  readonly wallNs: number;
  /** Times that others took its core from it. */
  readonly switches: number;
  /** Nanoseconds that it was ready to run and others had its core; 0 where the kernel does not tell. */
  readonly waitedNs: number;
  /** Others had its core for more than a twentieth of the wall time, also when it was redone. Its CPU time is the one to use. */
  readonly isNoisy: boolean;
}

/** A program's time, for all cases of one suite together. */
export interface ProgramTiming {
  /** `completed`: five repeats, of every case or up to the one that raised; none when the module's load raised. After any other end there are none. */
  readonly end: ProgramEnd;
  /** What ended it before its last case: what was raised, the limit that was met. */
  readonly detail: string | null;
  readonly repeats: readonly TimedRepeat[];
  /** Noisy repeats that were run again. */
  readonly redone: number;
  /** The core that its slot was bound to; null where slots cannot be bound. */
  readonly core: number | null;
}
