/**
 * The contract of every execution tier. A program's failure is a result; a sandbox's own failure is thrown
 * (`SandboxFault`) and is retried by the caller, never recorded against the program.
 *
 * Expected values never enter a sandbox: it gets inputs and gives back encoded outputs,
 * and `domain/verdict.ts` compares.
 */
import { languageOf } from '../../domain/languages/index.ts';
import type { Measures } from '../../schemas/measures.ts';
import type { Limits, Program, ProgramRun, ProgramTiming } from '../../schemas/program.ts';
import { MissingPartError } from '../../domain/errors.ts';
import type { SandboxTier } from '../../schemas/states.ts';

export interface Sandbox {
  readonly tier: SandboxTier;
  /** e.g. "pyodide 314.0.7 (CPython 3.14.2)". */
  readonly engine: string;
  /** Identifies everything that a verdict depends on, apart from program, inputs and limits. */
  readonly imageDigest: string;
  /** Number of programs that run at the same time; the caller need not queue. */
  readonly concurrency: number;
  /** @param onStart called when the program begins to run, and each time that it is run again */
  run(program: Program, limits: Limits, signal?: AbortSignal, onStart?: () => void): Promise<ProgramRun>;
  /**
   * Runs an evenkeel program that contains expected values, in a slot that never runs a model's program:
   * data sent to a slot stays in its memory, where later programs could find it.
   * Absent on a tier that frees all memory after each program.
   */
  runApart?(program: Program, limits: Limits, signal?: AbortSignal): Promise<ProgramRun>;
  /**
   * Times Python programs, in the order given (activities/sandboxes/timing-lane.ts).
   * Absent on a tier without reliable timing.
   */
  time?(jobs: readonly TimingJob[], signal?: AbortSignal): Promise<ProgramTiming[]>;
  /**
   * Measures Python programs, in order: Pylint's messages in its default configuration for each as a `solution.py` with
   * one trailing newline, and counts from its syntax tree. Programs are parsed, never run. Equal programs in one call
   * are measured once. Absent on a tier that cannot.
   */
  measure?(sources: readonly string[], signal?: AbortSignal): Promise<Measures[]>;
  close(): Promise<void>;
}

/** A program to time, and its limits. */
export interface TimingJob {
  readonly program: Program;
  readonly limits: Limits;
}

/** Throws for a program in another language than Python; for tiers with no other interpreter. */
export function checkPython({ language }: Program, tier: SandboxTier): void {
  if (languageOf(language).isScript)
    throw new MissingPartError(`the ${tier} sandbox runs Python; programs in ${language} need the container sandbox`);
}

export interface SandboxOptions {
  /**
   * Folder for what a tier installs on this machine. Without it the bubblewrap tier measures no quality; the other
   * tiers install nothing.
   */
  readonly cacheFolder?: string;
  /**
   * `imageDigest` that a run was planned for: a tier that can also judge as an earlier one did then does so, under
   * that digest.
   */
  readonly plannedImage?: string;
  /** Programs that run at the same time. Default: the number of cores. */
  readonly processes?: number;
  /**
   * A working slot that is silent for this long counts as lost, milliseconds. Default: 20,000;
   * slots report once a second.
   */
  readonly silenceMs?: number;
  /** Gets lines about the progress of a long preparation. */
  readonly onProgress?: (line: string) => void;
}

/** The platform failed, not the program. Retried; never a verdict. */
export class SandboxFault extends Error {
  override readonly name = 'SandboxFault';
}
