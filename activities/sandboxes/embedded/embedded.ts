/**
 * The embedded tier: CPython in WebAssembly in locked-down child processes. Needs no container engine, no root and no
 * download; Python only, no timing. Docs: docs/decisions/sandbox/0003-embedded-sandbox.md.
 */
import { availableParallelism } from 'node:os';
import type { Limits, Program, ProgramRun } from '../../../schemas/program.ts';
import { childCommand, describeEngine, findPyodide, hostIsolation } from './embedded-command.ts';
import { createEmbeddedPool } from './embedded-pool.ts';
import { type EmbeddedProcess, startEmbeddedProcess } from './embedded-process.ts';
import { createPlaces } from './places.ts';
import { judgedAs } from './same-engine.ts';
import { createMemoryKills, memoryKillsOfMachine, tooLittleMemory } from '../memory-kills.ts';
import { checkPython, type Sandbox, SandboxFault, type SandboxOptions } from '../sandbox.ts';

/**
 * Runs one process per running program, and a spare one; nothing starts until the first program comes. Throws if the
 * interpreter's package is missing.
 */
export async function createEmbeddedSandbox(
  options: SandboxOptions = {},
  memoryKills: () => number = memoryKillsOfMachine,
): Promise<Sandbox> {
  const processes = Math.max(1, options.processes ?? availableParallelism());
  const engine = describeEngine(findPyodide());
  const command = childCommand(findPyodide(), hostIsolation());
  const { imageDigest, tellsLacks } = judgedAs(engine.digest, options.plannedImage);
  const pool = createEmbeddedPool((signal) => startEmbeddedProcess(command, signal, tellsLacks));
  const places = createPlaces(processes);
  const memory = createMemoryKills(memoryKills);
  let closed = false;
  return { tier: 'embedded', engine: engine.name, imageDigest, concurrency: processes, run, close };

  function run(program: Program, limits: Limits, signal?: AbortSignal, onStart?: () => void): Promise<ProgramRun> {
    return places.run(program.goesFirst ?? false, async () => {
      checkPython(program, 'embedded');
      if (closed) throw new SandboxFault('the embedded sandbox is closed');
      signal?.throwIfAborted();
      onStart?.();
      const once = await attemptTwice(program, limits, false, signal);
      // It may have waited for a core; in the second attempt that time does not count.
      return once.end === 'wall_timeout' ? await attemptTwice(program, limits, true, signal) : once;
    });
  }

  async function attemptTwice(
    program: Program,
    limits: Limits,
    isPatient: boolean,
    signal?: AbortSignal,
  ): Promise<ProgramRun> {
    const attemptOn = (take: typeof pool.take) =>
      attempt(take, (process) => process.run(program, limits, signal, isPatient));
    const mark = memory.mark();
    const run = (await attemptOn(pool.take)) ?? (await attemptOn(pool.takeFresh));
    if (run === null && memory.since(mark)) throw tooLittleMemory();
    return run ?? lostTwice;
  }

  /** Null if the process was lost for an unknown reason. */
  async function attempt(
    take: typeof pool.take,
    run: (process: EmbeddedProcess) => Promise<ProgramRun | null>,
  ): Promise<ProgramRun | null> {
    const process = await take();
    try {
      const result = await run(process);
      if (closed) throw new SandboxFault('the embedded sandbox was closed while the program ran');
      return result;
    } finally {
      pool.give(process);
    }
  }

  async function close(): Promise<void> {
    closed = true;
    await pool.close();
  }
}

const lostTwice: ProgramRun = {
  end: 'killed',
  results: [],
  failedAtLoad: false,
  caseMs: [],
  wallMs: 0,
  cpuMs: null,
  memoryBytes: null,
  detail: 'the process running it died twice, the second time in a fresh process',
};
