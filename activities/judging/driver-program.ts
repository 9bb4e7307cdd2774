/** Builds and judges programs that run under a driver. */
import { drivenRuns, drivenVerdict, type DrivenRun } from '../../domain/driver-runs.ts';
import { findFunction } from '../../domain/extraction/cpp-text.ts';
import { canonicalJson } from '../../domain/ids.ts';
import type { Limits, Program, ProgramRun } from '../../schemas/program.ts';
import type { DriverTests, Suite, Task } from '../../schemas/task.ts';
import type { Verdict } from '../../domain/verdict.ts';

/** Name of the fact that holds a program's runs. */
export const drivenFact = (executionKey: string): string => `driven/${executionKey}`;

const outputBytes = 64 * 1024 * 1024;
/** The sandbox slot limits the memory: a limit on address space does not suit threads' stacks. */
const memoryBytes = 512 * 1024 * 1024;

export const drivenLimits = ({ runLimitMs }: DriverTests): Limits => ({
  caseTimeoutMs: runLimitMs,
  memoryBytes,
  outputBytes,
});

export const drivenLimitsRule = ({ buildLimitMs, runLimitMs, alone }: DriverTests): string =>
  canonicalJson({
    rule: 'time to build, and time of each run; confirmed alone before a limit is recorded',
    build_ms: buildLimitMs,
    run_ms: runLimitMs,
    memory_bytes: 'the slot',
    output_bytes: outputBytes,
    alone,
  });

/** The driver's files and settings for building a program; undefined if the suite has no driver. */
export function drivenBuild({ driver, inputs }: Suite): Program['driver'] {
  if (driver === undefined) return undefined;
  const { files, sources, flags, buildLimitMs, alone } = driver;
  return {
    files,
    sources,
    flags,
    buildLimitMs,
    alone,
    mostThreads: Math.max(1, ...casesOf(inputs).map(([threads]) => threads)),
  };
}

/** Marks the entry point NO_INLINE as ParEval does, so that the compiler cannot optimise across the call. */
export function withNoInline(source: string, entryPoint: Task['entryPoint']): string {
  const found = findFunction(source, entryPoint);
  if (found === null) return source;
  const name = source.slice(found.start, found.open).search(new RegExp(String.raw`\b${entryPoint}\s*\(`));
  const at = found.start + name;
  return name === -1 ? source : `${source.slice(0, at)}NO_INLINE ${source.slice(at)}`;
}

const casesOf = (inputs: Suite['inputs']): (readonly [number, number])[] =>
  inputs.map(([threads, repeat]) => [Number(threads), Number(repeat)]);

export function judgeDriven(
  suite: Suite,
  run: ProgramRun,
): { readonly verdict: Verdict; readonly driven: readonly DrivenRun[] } {
  const driven = drivenRuns(run, casesOf(suite.inputs));
  return { verdict: drivenVerdict(run, driven), driven };
}
