/**
 * Suites as sent to zygotes: programs with the same cases, tests and limits share one,
 * so that its cases are sent and decoded once.
 */
import { languageOf } from '../../../domain/languages/index.ts';
import type { Limits, Program } from '../../../schemas/program.ts';
import type { SuiteHeader } from './zygote-frames.ts';

export interface SuiteInUse {
  readonly id: number;
  readonly header: Omit<SuiteHeader, 'forget'>;
  /** JSON texts, one per case. */
  readonly cases: readonly string[];
  /** Total of all cases. */
  readonly characters: number;
  /** Its programs are compiled before their first case. */
  readonly isBuilt: boolean;
}

const minLoadMs = 2000;
/** Loading includes compiling. */
const minBuildMs = 30_000;

/** Finds or creates the suite of a program. Cases are compared by identity: callers keep one array per suite. */
export function createSuites(): (program: Program, limits: Limits) => SuiteInUse {
  const byCases = new WeakMap<readonly string[], Map<string, SuiteInUse>>();
  let next = 0;
  return (program, limits) => {
    const known = byCases.get(program.inputs) ?? new Map<string, SuiteInUse>();
    byCases.set(program.inputs, known);
    const key = JSON.stringify([program.language, program.entryPoint, program.tests, limits]);
    const suite = known.get(key) ?? newSuite(++next, program, limits);
    known.set(key, suite);
    return suite;
  };
}

const newSuite = (id: number, program: Program, limits: Limits): SuiteInUse => ({
  id,
  header: headerOf(id, program, limits),
  cases: program.inputs,
  characters: program.inputs.reduce((sum, text) => sum + text.length, 0),
  isBuilt: languageOf(program.language).isCompiled,
});

function headerOf(id: number, program: Program, limits: Limits): Omit<SuiteHeader, 'forget'> {
  const limitOf = (index: number) =>
    typeof limits.caseTimeoutMs === 'number' ? limits.caseTimeoutMs : (limits.caseTimeoutMs[index] ?? minLoadMs);
  return {
    suite: id,
    language: program.language ?? 'python',
    entry: program.entryPoint,
    tests: program.tests === undefined ? null : [program.tests.prelude, program.tests.alias],
    limitsMs: [
      program.driver?.buildLimitMs ??
        Math.max(languageOf(program.language).isCompiled ? minBuildMs : minLoadMs, limitOf(0)),
      ...program.inputs.map((_, index) => limitOf(index)),
    ],
    memory: limits.memoryBytes,
    output: limits.outputBytes,
    driver: driverOf(program),
  };
}

function driverOf({ driver }: Program): SuiteHeader['driver'] {
  if (driver === undefined) return null;
  const { files, sources, flags, mostThreads } = driver;
  return { files, sources, flags, mostThreads };
}
