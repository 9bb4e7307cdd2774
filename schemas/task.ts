/** One benchmark problem in a form common to all benchmark formats. Plain JSON, so that a run can keep its own copy. */
import type { ProgramLanguage } from './program.ts';

/**
 * A Python value as JSON. Plain JSON stands for None, bool, str, int up to 2^53 and list; every other type is an object
 * with exactly one key: `{"i":"<digits>"}` a larger int, `{"f":"<repr>"}` float ("nan", "inf", "-0.0"
 * included), `{"t":[...]}` tuple, `{"s":[...]}` set, `{"fs":[...]}` frozenset, `{"d":[[key,value],...]}` dict,
 * `{"b":"<hex>"}` bytes, `{"c":["<re>","<im>"]}` complex, `{"x":"<type name>"}` a value of any other type, which cannot
 * be compared.
 */
export type Value =
  | null
  | boolean
  | number
  | string
  | readonly Value[]
  | { readonly i: string }
  | { readonly f: string }
  | { readonly t: readonly Value[] }
  | { readonly s: readonly Value[] }
  | { readonly fs: readonly Value[] }
  | { readonly d: readonly (readonly [Value, Value])[] }
  | { readonly b: string }
  | { readonly c: readonly [string, string] }
  | { readonly x: string };

/** How an output is compared with the expected value. */
export type Oracle =
  /** Python's `==` on exact built-in types. */
  | { readonly rule: 'equal' }
  /**
   * EvalPlus's rule: `==`, or closeness with rtol 1e-7 and `atol` (1e-6 if it is 0 and floats are expected); `special`
   * names MBPP+'s exception for a single task (see docs/benchmarks.md).
   */
  | {
      readonly rule: 'evalplus';
      readonly atol: number;
      readonly special: string | null;
      /** With `special: 'second_answer'`: the other accepted output of each case. */
      readonly secondAnswers?: readonly Value[];
      /**
       * With `special: 'polynomial_root'`: the coefficients of each case, lowest power first; an output passes if the
       * polynomial's value at it is within `atol` of 0.
       */
      readonly coefficients?: readonly Value[];
    }
  /** One check per case, from an assert statement each. */
  | { readonly rule: 'asserts'; readonly checks: readonly AssertCheck[] };

/**
 * The condition that an assert states on an output and the expected value: `equal` `output == expected`, `same` `output
 * is expected` (None, True, False), `truth` `bool(output) == expected`, `set` `set(output) == set(expected)`, `tuple`
 * `tuple(output) == tuple(expected)`, `below` `abs(output - expected) < below`, `relTol` and `absTol`
 * `math.isclose(output, expected, ...)`.
 */
export type AssertCheck =
  | 'equal'
  | 'same'
  | 'truth'
  | 'set'
  | 'tuple'
  | { readonly below: number }
  | { readonly relTol: number; readonly absTol: number };

/**
 * Tests that run as code next to the program: in Python in a separate namespace that sees the program's names, in other
 * languages in one file after the program. A program could read the expected values, so these verdicts can be forged
 * (lane `assert`).
 */
export interface TestScript {
  /** Run first. The tests see its definitions, unless the program defines the same name; the program never does. */
  readonly prelude: string;
  /** The name by which the tests call the entry point. */
  readonly alias: string;
  /**
   * By case: code to run instead of a call, or null for an ordinary call. The code fails if one of its asserts does.
   */
  readonly cases: readonly (string | null)[];
}

/**
 * Tests in the form of a C++ program around the function: built once, run once per case, where a case is
 * `[threads, repeat]` (both from 1). The verdict is read from standard output (ParEval's protocol, docs/benchmarks.md).
 * The tested program could print it too, so these verdicts can be forged (lane `assert`).
 */
export interface DriverTests {
  readonly parallelism: 'serial' | 'omp';
  /** File contents by path in the build folder. The tested program itself is `generated-code.hpp`. */
  readonly files: Readonly<Record<string, string>>;
  /** Files to compile and link. */
  readonly sources: readonly string[];
  /** In addition to the language standard and the optimisation level. */
  readonly flags: readonly string[];
  readonly buildLimitMs: number;
  /** Time limit of one run. */
  readonly runLimitMs: number;
  /** Whether nothing else may run at the same time, so that the times are meaningful. */
  readonly alone: boolean;
}

/** How a suite's programs are judged if the spec changes the default rule (`benchmarks.NAME.judging`). */
export interface JudgingRule {
  /** Least time limit of one case, milliseconds. */
  readonly caseLimitMs: number;
  /** A case's limit is this many times the reference's time for it, if that is more than `caseLimitMs`. */
  readonly referenceFactor: number;
  /** If a program imports a package that the sandbox lacks: exclude its task, or count the program as failed. */
  readonly missingPackage: 'excluded' | 'failed';
}

/**
 * A named list of cases. `expected: null` means that the reference's outputs are the expected values. A case that is
 * test code (`script`) has no arguments, and its expected value is True.
 */
export interface Suite {
  readonly name: string;
  /** One argument list per case. */
  readonly inputs: readonly (readonly Value[])[];
  /** One expected value per case, or null if they come from running the reference. */
  readonly expected: readonly Value[] | null;
  readonly oracle: Oracle;
  readonly script?: TestScript;
  readonly driver?: DriverTests;
  readonly judging?: JudgingRule;
  /** For a suite from another file: the reference that gives the expected values, instead of the task's own. */
  readonly reference?: { readonly source: string; readonly entryPoint: string };
}

export interface Task {
  /** Canonical id: `MBPP/2` for the source's `Mbpp/2`. */
  readonly taskId: string;
  readonly sourceTaskId: string;
  /** Language of the solution and of its tests. */
  readonly language: ProgramLanguage;
  /**
   * The problem in the benchmark's words. In MBPP+ and evenkeel's own format:
   * a docstring whose second-to-last line is an assert.
   */
  readonly prompt: string;
  readonly entryPoint: string;
  /** A self-contained program, expected to pass every suite; empty if the benchmark has no reference. */
  readonly reference: string;
  readonly suites: readonly Suite[];
  /**
   * SHA-256 of this record's canonical JSON without this field and the next. A spec's choice of suites changes it only
   * together with a judging rule.
   */
  readonly recordSha256: string;
  /** If the spec or a rescore sets a judging rule: the record's hash without it, by which runs are compared. */
  readonly plainSha256?: string;
}
