/** Programs with a driver: what is built of them, and what their runs come to. */
import { drivenRuns, drivenVerdict, type DrivenRun } from '../domain/driven.ts';
import { findFunction } from '../domain/extraction/cpp-text.ts';
import { canonicalJson } from '../domain/ids.ts';
import type { Limits, Program, ProgramRun } from '../schemas/program.ts';
import type { DriverTests, Suite, Task } from '../schemas/task.ts';
import type { Verdict } from '../domain/verdict.ts';

/** Name of the fact that holds a program's runs. */
export const drivenFact = (executionKey: string): string => `driven/${executionKey}`;

const outputBytes = 64 * 1024 * 1024;
/** The slot's own memory is the limit: address space says little about threads' stacks. */
const memoryBytes = 512 * 1024 * 1024;

export const drivenLimits = ({ runLimitMs }: DriverTests): Limits => ({ caseTimeoutMs: runLimitMs, memoryBytes, outputBytes });

export const drivenLimitsRule = ({ buildLimitMs, runLimitMs, alone }: DriverTests): string =>
  canonicalJson({
    rule: 'time to build, and time of each run; confirmed alone before a limit is recorded',
    build_ms: buildLimitMs,
    run_ms: runLimitMs,
    memory_bytes: 'the slot',
    output_bytes: outputBytes,
    alone,
  });

/** What the driver's flags need of each program. */
export function drivenBuild({ driver, inputs }: Suite): Program['driver'] {
  if (driver === undefined) return undefined;
  const { files, sources, flags, buildLimitMs, alone } = driver;
  return { files, sources, flags, buildLimitMs, alone, mostThreads: Math.max(1, ...casesOf(inputs).map(([threads]) => threads)) };
}

/** As ParEval has it: the compiler may not see through the call. */
export function withNoInline(source: string, entryPoint: Task['entryPoint']): string {
  const found = findFunction(source, entryPoint);
  if (found === null) return source;
  const name = source.slice(found.start, found.open).search(new RegExp(String.raw`\b${entryPoint}\s*\(`));
  const at = found.start + name;
  return name === -1 ? source : `${source.slice(0, at)}NO_INLINE ${source.slice(at)}`;
}

const casesOf = (inputs: Suite['inputs']): (readonly [number, number])[] =>
  inputs.map(([threads, repeat]) => [Number(threads), Number(repeat)]);

export function judgeDriven(suite: Suite, run: ProgramRun): { readonly verdict: Verdict; readonly driven: readonly DrivenRun[] } {
  const driven = drivenRuns(run, casesOf(suite.inputs));
  return { verdict: drivenVerdict(run, driven), driven };
}
