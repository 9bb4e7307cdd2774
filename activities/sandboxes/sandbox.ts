/**
 * The contract of every execution tier. A program's failure is a result; a sandbox's own failure is thrown (`SandboxFault`) and is
 * retried by the caller, never recorded against the program.
 *
 * Expected values never enter a sandbox: it gets inputs and gives back encoded outputs, and `domain/verdict.ts` compares.
 */
import type { Measures } from '../../schemas/measures.ts';
import type { Limits, Program, ProgramRun, ProgramTiming } from '../../schemas/program.ts';
import { MissingPartError } from '../../domain/errors.ts';
import type { SandboxTier } from '../../schemas/states.ts';

export interface Sandbox {
  readonly tier: SandboxTier;
  /** e.g. "pyodide 314.0.7 (CPython 3.14.2)". */
  readonly engine: string;
  /** Identifies everything a verdict depends on besides program, inputs and limits. */
  readonly imageDigest: string;
  /** Runs that go on at the same time inside; the caller need not queue. */
  readonly concurrency: number;
  run(program: Program, limits: Limits, signal?: AbortSignal): Promise<ProgramRun>;
  /**
   * Runs a program of ours that holds what is expected, where no program of a model ever runs: what a slot was told stays in its memory, for the programs after it to
   * look for. Absent on a tier that takes back all memory after each program.
   */
  runApart?(program: Program, limits: Limits, signal?: AbortSignal): Promise<ProgramRun>;
  /** Python programs for their time, in the order given (activities/sandboxes/timing-lane.ts). Absent where nothing sound can be measured. */
  time?(jobs: readonly TimingJob[], signal?: AbortSignal): Promise<ProgramTiming[]>;
  /**
   * Measures Python programs, in order: what Pylint in its default configuration says of each as a `solution.py` with one trailing newline, and counts from its syntax
   * tree. They are parsed, never run. Equal ones that are asked for together are measured once. Absent on a tier that cannot.
   */
  measure?(sources: readonly string[], signal?: AbortSignal): Promise<Measures[]>;
  close(): Promise<void>;
}

/** A program and its limits, to be timed. */
export interface TimingJob {
  readonly program: Program;
  readonly limits: Limits;
}

/** For tiers that have no other interpreter. Throws on a program that needs one. */
export function checkPython({ language }: Program, tier: SandboxTier): void {
  if ((language ?? 'python') !== 'python')
    throw new MissingPartError(`the ${tier} sandbox runs Python; programs in ${language} need the container sandbox`);
}

export interface SandboxOptions {
  /** Programs that run at the same time. Default: the number of cores. */
  readonly processes?: number;
  /** A slot that is at work and silent for so long is lost, milliseconds. Default: 20,000; it speaks once a second. */
  readonly silenceMs?: number;
  /** Hears how the preparation of a tier goes on, where that takes a while. */
  readonly onProgress?: (line: string) => void;
}

/** The platform failed, not the program. Retried; never a verdict. */
export class SandboxFault extends Error {
  override readonly name = 'SandboxFault';
}
