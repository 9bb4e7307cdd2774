/** One benchmark problem, normalised from whichever file it came from. Plain JSON, so that a run can keep its own copy. */
import type { ProgramLanguage } from './program.ts';

/**
 * A Python value as JSON text's data. Plain JSON stands for None, bool, str, int up to 2^53 and list; every other type is an
 * object with exactly one key:
 * `{"i":"<digits>"}` a larger int, `{"f":"<repr>"}` float ("nan", "inf", "-0.0" included), `{"t":[...]}` tuple,
 * `{"s":[...]}` set, `{"fs":[...]}` frozenset, `{"d":[[key,value],...]}` dict, `{"b":"<hex>"}` bytes,
 * `{"c":["<re>","<im>"]}` complex, `{"x":"<type name>"}` a value of any other type, which cannot be compared.
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

/** How an output is compared with what is expected. */
export type Oracle =
  /** Python's `==` on exact built-in types. */
  | { readonly rule: 'equal' }
  /**
   * EvalPlus's rule: `==`, or closeness with rtol 1e-7 and `atol` (1e-6 when 0 and floats are expected); `special` names a task-wise
   * exception of MBPP+ (see docs/benchmarks.md).
   */
  | {
      readonly rule: 'evalplus';
      readonly atol: number;
      readonly special: string | null;
      /** With `special: 'second_answer'`: the other accepted output of each case. */
      readonly secondAnswers?: readonly Value[];
      /** With `special: 'polynomial_root'`: the coefficients of each case, lowest power first; an output passes when the value there is within `atol` of 0. */
      readonly coefficients?: readonly Value[];
    }
  /** One check per case, from an assert statement each. */
  | { readonly rule: 'asserts'; readonly checks: readonly AssertCheck[] };

/**
 * What an assert holds about an output and the expected value:
 * `equal` `output == expected`, `same` `output is expected` (None, True, False), `truth` `bool(output) == expected`,
 * `set` `set(output) == set(expected)`, `tuple` `tuple(output) == tuple(expected)`, `below` `abs(output - expected) < below`,
 * `relTol` and `absTol` `math.isclose(output, expected, ...)`.
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
 * Tests that run as code beside the program: in Python in a namespace of their own that sees the program's names, in another language behind the
 * program in one file. The program could see what they expect, so their verdicts can be forged (lane `assert`).
 */
export interface TestScript {
  /** Run first; what it defines is seen by the tests, unless the program defines the same name, and never by the program. */
  readonly prelude: string;
  /** The name by which the tests call the entry point. */
  readonly alias: string;
  /** Code in place of a call, by case; null where the case is a call like any other. It fails when an assert of it does. */
  readonly cases: readonly (string | null)[];
}

/**
 * Tests that are a C++ program around the function: built once, run once per case, a case being `[threads, repeat]` (both from 1). What a run says on standard output
 * decides (ParEval's protocol, docs/benchmarks.md). The program could say it itself, so these verdicts can be forged (lane `assert`).
 */
export interface DriverTests {
  readonly parallelism: 'serial' | 'omp';
  /** Texts by path, in the folder in which it is built. The program itself is `generated-code.hpp`. */
  readonly files: Readonly<Record<string, string>>;
  /** Files that are compiled and linked. */
  readonly sources: readonly string[];
  /** Beside the standard and the level of optimisation. */
  readonly flags: readonly string[];
  readonly buildLimitMs: number;
  /** Of one run. */
  readonly runLimitMs: number;
  /** Whether nothing else runs meanwhile, so that the times mean something. */
  readonly alone: boolean;
}

/** How a suite's programs are judged, where the spec asks for another rule than the usual one (`benchmarks.NAME.judging`). */
export interface JudgingRule {
  /** Least time limit of one case, milliseconds. */
  readonly caseLimitMs: number;
  /** A case's limit is this many times what the reference takes for it, where that is more. */
  readonly referenceFactor: number;
  /** What a program that imports a package that the sandbox lacks comes to: its task is left out, or the program failed. */
  readonly missingPackage: 'excluded' | 'failed';
}

/**
 * A named list of cases; `expected: null` means that the reference's own outputs are the expectation. A case that is test code (`script`)
 * has no arguments, and True is expected.
 */
export interface Suite {
  readonly name: string;
  /** One argument list per case. */
  readonly inputs: readonly (readonly Value[])[];
  /** One expected value per case, or null when running the reference establishes them. */
  readonly expected: readonly Value[] | null;
  readonly oracle: Oracle;
  readonly script?: TestScript;
  readonly driver?: DriverTests;
  readonly judging?: JudgingRule;
  /** Whose outputs are the expectation when not the task's own reference's: of a suite that comes from another file. */
  readonly reference?: { readonly source: string; readonly entryPoint: string };
}

export interface Task {
  /** Canonical id: `MBPP/2` for the source's `Mbpp/2`. */
  readonly taskId: string;
  readonly sourceTaskId: string;
  /** Of the solution and of its tests. */
  readonly language: ProgramLanguage;
  /** The problem as the benchmark words it. For MBPP+ and our own format: a docstring whose second-to-last line is an assert. */
  readonly prompt: string;
  readonly entryPoint: string;
  /** A self-contained program that passes every suite (where the benchmark's reference does); empty where the benchmark has none. */
  readonly reference: string;
  readonly suites: readonly Suite[];
  /** SHA-256 of this record's canonical JSON without this field. */
  readonly recordSha256: string;
}
