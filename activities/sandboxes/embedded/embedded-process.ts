/** One warm process of the embedded sandbox: runs one program at a time and reports how each ended. */
import { randomBytes } from 'node:crypto';
import { patienceFactor, wallFactor } from '../../../sandbox/embedded/deadline.ts';
import type { EndReply, Reply, Request } from '../../../sandbox/embedded/protocol.ts';
import type { CaseResult, Limits, Program, ProgramEnd, ProgramRun } from '../../../schemas/program.ts';
import { type EmbeddedChild, spawnEmbeddedChild } from './embedded-child.ts';
import type { EmbeddedCommand } from './embedded-command.ts';
import { watchSteps } from './embedded-watch.ts';
import { SandboxFault } from '../sandbox.ts';

export interface EmbeddedProcess {
  readonly pid: number;
  /** Resolves when the process has ended, for any reason. */
  readonly gone: Promise<void>;
  /** Check after each run: false for a process that was killed, or whose memory has grown permanently. */
  isAlive(): boolean;
  /**
   * Null if the process died for an unknown reason. Rejects with the signal's reason when aborted.
   * @param isPatient whether time spent waiting for a core is not counted
   */
  run(program: Program, limits: Limits, signal?: AbortSignal, isPatient?: boolean): Promise<ProgramRun | null>;
  kill(): Promise<void>;
}

const startTimeoutMs = 60_000;
const minLoadMs = 2000;

/**
 * Starts a process and waits until its interpreter is warm. Throws `SandboxFault` if it does not
 * start or `signal` aborts.
 * @param tellsLacks whether programs that need what the interpreter cannot do end as `not_supported`
 */
export async function startEmbeddedProcess(
  command: EmbeddedCommand,
  signal: AbortSignal,
  tellsLacks = true,
): Promise<EmbeddedProcess> {
  const child = spawnEmbeddedChild(command);
  if (!(await becomesReady(child, signal))) {
    child.stop();
    await child.gone;
    throw new SandboxFault(
      `the embedded sandbox's process did not start (${command.file}): ${child.complaint() || 'no message'}`,
    );
  }
  return {
    pid: child.pid,
    gone: child.gone,
    isAlive: child.isAlive,
    run: (program, limits, runSignal, isPatient = false) => {
      const request = toRequest(program, limits, isPatient ? patienceFactor : wallFactor);
      return runOn({ child, tellsLacks }, request, isPatient, runSignal);
    },
    kill: async () => {
      child.stop();
      await child.gone;
    },
  };
}

async function becomesReady(child: EmbeddedChild, signal: AbortSignal): Promise<boolean> {
  const timer = setTimeout(child.stop, startTimeoutMs);
  signal.addEventListener('abort', child.stop, { once: true });
  if (signal.aborted) child.stop();
  const first = await new Promise<Reply | null>((resolve) => child.listen(resolve));
  clearTimeout(timer);
  signal.removeEventListener('abort', child.stop);
  return first?.type === 'ready';
}

async function runOn(
  { child, tellsLacks }: { readonly child: EmbeddedChild; readonly tellsLacks: boolean },
  request: Request,
  isPatient: boolean,
  signal?: AbortSignal,
): Promise<ProgramRun | null> {
  signal?.throwIfAborted();
  if (!child.isAlive()) return null;
  const began = performance.now();
  const progress: Progress = { results: [], caseMs: [] };
  let timedOut: ProgramEnd | null = null;
  const watch = watchSteps(
    `/proc/${child.pid}`,
    (end) => {
      timedOut ??= end;
      child.stop();
    },
    isPatient,
  );
  signal?.addEventListener('abort', child.stop, { once: true });
  try {
    const end = await exchange(child, request, progress, watch.begin);
    signal?.throwIfAborted();
    const wallMs = performance.now() - began;
    if (end?.worn) child.stop();
    if (end !== null && tellsLacks && end.lacks === true) return unsupportedRun(end, progress, wallMs);
    if (end !== null) return toRun(end, progress, wallMs);
    return timedOut === null ? null : stoppedRun(timedOut, progress, wallMs);
  } finally {
    watch.stop();
    signal?.removeEventListener('abort', child.stop);
  }
}

interface Progress {
  readonly results: CaseResult[];
  readonly caseMs: number[];
}

/** Sends the request and handles the replies; null if the child ends before its last reply. */
async function exchange(
  child: EmbeddedChild,
  request: Request,
  progress: Progress,
  onStep: (limitMs: number) => void,
): Promise<EndReply | null> {
  const ended = new Promise<EndReply | null>((resolve) => {
    child.listen((reply) => {
      if (reply === null) resolve(null);
      else if (reply.nonce !== request.nonce || reply.type === 'ready') child.stop();
      else if (reply.type === 'end') resolve(reply);
      else {
        if (reply.type === 'value') {
          progress.results.push({ value: reply.value });
          progress.caseMs.push(reply.ms);
        }
        onStep(request.limitsMs[progress.results.length + 1] ?? minLoadMs);
      }
    });
  });
  onStep(request.limitsMs[0] ?? minLoadMs);
  child.send(request);
  const end = await ended;
  child.listen(null);
  return end;
}

function toRequest(program: Program, limits: Limits, factor: number): Request {
  const limitOf = (index: number) =>
    typeof limits.caseTimeoutMs === 'number' ? limits.caseTimeoutMs : (limits.caseTimeoutMs[index] ?? minLoadMs);
  return {
    nonce: randomBytes(16).toString('hex'),
    source: program.source,
    entryPoint: program.entryPoint,
    inputs: program.inputs,
    tests: program.tests ?? null,
    limitsMs: [Math.max(minLoadMs, limitOf(0)), ...program.inputs.map((_, index) => limitOf(index))],
    wallFactor: factor,
    memoryBytes: limits.memoryBytes,
    outputBytes: limits.outputBytes,
  };
}

function toRun(reply: EndReply, { results, caseMs }: Progress, wallMs: number): ProgramRun {
  if (reply.exception !== null) results.push({ exception: reply.exception });
  const { end, failedAtLoad, memoryBytes, detail } = reply;
  return { end, results, failedAtLoad, caseMs, wallMs, cpuMs: null, memoryBytes, detail };
}

function unsupportedRun({ memoryBytes, detail }: EndReply, { results, caseMs }: Progress, wallMs: number): ProgramRun {
  return { end: 'not_supported', results, failedAtLoad: false, caseMs, wallMs, cpuMs: null, memoryBytes, detail };
}

function stoppedRun(end: ProgramEnd, { results, caseMs }: Progress, wallMs: number): ProgramRun {
  const detail = `stopped from outside after ${Math.round(wallMs)} ms`;
  return { end, results, failedAtLoad: false, caseMs, wallMs, cpuMs: null, memoryBytes: null, detail };
}
