/**
 * Programs for their time. Five repeats each, interleaved (every program of the calls that wait once, then every program again), each repeat in an
 * interpreter that was started apart from the others', since one start's memory layout alone moves a program by some percent; on one core of their
 * own where slots can be bound, with nothing else of this sandbox running, and one process of a machine at a time. A repeat during which others had
 * the core is run again.
 */
import type { Program, ProgramRun, ProgramTiming, TimedRepeat } from '../../schemas/program.ts';
import { MissingPartError } from '../../domain/errors.ts';
import type { QuietWorks } from './quiet-works.ts';
import { type Sandbox, SandboxFault, type TimingJob } from './sandbox.ts';
import { withTimingLock } from './timing-core.ts';
import type { ZygoteHost } from './zygote-link.ts';
import { readRuns } from './zygote-run.ts';
import { openSlot, type Slot } from './zygote-slot.ts';
import { createSuites } from './zygote-suites.ts';

const timedRepeats = 5;
/** Rounds for noisy repeats, after the five: on a machine that is never quiet, what is left is said to be noisy. */
const extraRounds = 3;
/** Share of a repeat's wall time for which others may have had its core, and a time that is too short to tell, nanoseconds. */
const noiseShare = 0.05;
const noiseFloorNs = 200_000;

/** A program's repeats so far, or how it ended without. */
interface Timed {
  readonly job: TimingJob;
  /** Of the call that it came with. */
  readonly signal: AbortSignal | undefined;
  repeats: TimedRepeat[];
  end: ProgramTiming['end'];
  detail: string | null;
  redone: number;
  losses: number;
  /** Runs that gave no time: the second one is believed. */
  failures: number;
  isOver: boolean;
}

export interface TimingLane {
  readonly time: NonNullable<Sandbox['time']>;
  close(): Promise<void>;
}

/** Programs that somebody waits for. */
interface Call {
  readonly all: readonly Timed[];
  readonly signal: AbortSignal | undefined;
  readonly ended: PromiseWithResolvers<ProgramTiming[]>;
}

const untimed = (job: TimingJob, signal: AbortSignal | undefined): Timed => ({
  ...{ job, signal, repeats: [], end: 'completed', detail: null },
  ...{ redone: 0, losses: 0, failures: 0, isOver: false },
});

/**
 * Its slots, one for each round, are started when they are first needed and stay: the n-th repeats of all programs share an interpreter.
 * @param index the first of eight numbers of slots that nothing else uses
 * @param quiet runs work while no other program of the sandbox does
 */
export function createTimingLane(host: ZygoteHost, index: number, quiet: QuietWorks['add']): TimingLane {
  const suiteOf = createSuites();
  const waiting: Call[] = [];
  let isServing = false;
  /** Aborts the wait for the machine's lock when no call waits any more. */
  let unwanted = new AbortController();

  const slots: (Slot | undefined)[] = [];
  return { time, close };

  async function time(jobs: readonly TimingJob[], signal?: AbortSignal): Promise<ProgramTiming[]> {
    if (jobs.length === 0) return [];
    for (const { program } of jobs) checkLanguage(program);
    signal?.throwIfAborted();
    const call: Call = { all: jobs.map((job) => untimed(job, signal)), signal, ended: Promise.withResolvers<ProgramTiming[]>() };
    waiting.push(call);
    signal?.addEventListener('abort', () => giveUpCall(call), { once: true });
    if (!isServing) void serve();
    return await call.ended.promise;
  }

  /** After the sandbox's programs have ended. */
  async function close(): Promise<void> {
    await Promise.all(slots.splice(0).map(async (slot) => await slot?.stop()));
  }

  async function slotOf(round: number, core: number | null): Promise<Slot> {
    const own = slots[round];
    if (own?.isAlive() === true) return own;
    const started = await openSlot(await host.start(index + round, core));
    slots[round] = started;
    return started;
  }

  /** Calls that wait at the same moment are timed together. */
  async function serve(): Promise<void> {
    isServing = true;
    while (waiting.length > 0) {
      const calls: Call[] = [];
      unwanted = new AbortController();
      try {
        await withTimingLock(
          () =>
            quiet(async (closing) => {
              calls.push(...waiting.splice(0));
              await timeAll(calls, closing);
            }),
          unwanted.signal,
        );
      } catch (error) {
        // Of those that wait too: what ended the lane would end them.
        for (const { ended } of [...calls, ...waiting.splice(0)]) ended.reject(error);
      }
    }
    isServing = false;
  }

  function giveUpCall(call: Call): void {
    call.ended.reject(call.signal?.reason);
    if (waiting.includes(call)) waiting.splice(waiting.indexOf(call), 1);
    if (waiting.length === 0) unwanted.abort(call.signal?.reason);
  }

  async function timeAll(calls: readonly Call[], closing: AbortSignal): Promise<void> {
    const core = await host.dedicatedCore();
    const all = calls.flatMap((call) => call.all);
    for (let round = 0; round < timedRepeats + extraRounds; round++) {
      const due = all.filter(isDue);
      if (due.length > 0) await timeRound(due, round, core, closing);
    }
    for (const { ended, all: own } of calls)
      ended.resolve(own.map(({ repeats, end, detail, redone }) => ({ end, detail, repeats, redone, core })));
  }

  async function timeRound(due: readonly Timed[], round: number, core: number | null, closing: AbortSignal): Promise<void> {
    for (const timed of due) {
      closing.throwIfAborted();
      if (timed.signal?.aborted !== true) await timeOnce(await slotOf(round, core), timed, closing);
    }
  }

  /** A call that is given up, and the sandbox's end, take the slot from the program. */
  async function timeOnce(slot: Slot, timed: Timed, closing: AbortSignal): Promise<void> {
    const signal = AbortSignal.any(timed.signal === undefined ? [closing] : [closing, timed.signal]);
    const abort = () => void slot.stop();
    signal.addEventListener('abort', abort, { once: true });
    try {
      const { program, limits } = timed.job;
      const answer = await slot.run(suiteOf(program, limits), 'timing', [program.source]);
      closing.throwIfAborted();
      if (timed.signal?.aborted === true) return;
      if (answer === null) return await lose(timed);
      const [run] = readRuns(answer, 'isolated', slot.residentBytes);
      if (run !== null && run !== undefined) take(timed, run);
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }

  /** A slot is lost with a program, or with its host: then nothing can be said about the program. */
  async function lose(timed: Timed): Promise<void> {
    if (!(await host.isWell().catch(() => false))) throw new SandboxFault('the sandbox was lost while it timed programs');
    timed.losses += 1;
    if (timed.losses >= 2) giveUp(timed, 'killed', 'the slot timing it was lost twice');
  }
}

function checkLanguage({ language }: Program): void {
  if ((language ?? 'python') !== 'python') throw new MissingPartError(`only Python programs are timed, got one in ${language}`);
}

function isDue({ isOver, repeats, signal }: Timed): boolean {
  return !isOver && signal?.aborted !== true && (repeats.length < timedRepeats || repeats.some(({ isNoisy }) => isNoisy));
}

function take(timed: Timed, run: ProgramRun): void {
  const measured = run.results.flatMap((result) => ('value' in result ? [JSON.parse(result.value) as unknown] : []));
  const raised = run.results.find((result) => 'exception' in result);
  const detail = raised && 'exception' in raised ? raised.exception : run.detail;
  if (run.end === 'completed' && !run.failedAtLoad && measured.every(isMeasure)) {
    timed.detail = detail;
    keep(timed, repeatOf(measured, run.caseMs));
  } else if (++timed.failures >= 2) giveUp(timed, measured.every(isMeasure) ? run.end : 'killed', detail);
}

function giveUp(timed: Timed, end: ProgramTiming['end'], detail: string | null): void {
  Object.assign(timed, { end, detail, repeats: [], isOver: true });
}

type Measure = readonly [cpuNs: number, switches: number, waitedNs: number];

/** A program could write to its pipe what it likes: about its own time only. */
const isMeasure = (value: unknown): value is Measure =>
  Array.isArray(value) && value.length === 3 && value.every((number) => Number.isSafeInteger(number) && number >= 0);

function repeatOf(measures: readonly Measure[], caseMs: readonly number[]): TimedRepeat {
  const sum = (which: 0 | 1 | 2): number => measures.reduce((total, measure) => total + measure[which], 0);
  const [cpuNs, switches, waitedNs] = [sum(0), sum(1), sum(2)];
  const wallNs = Math.round(caseMs.reduce((total, ms) => total + ms, 0) * 1e6);
  return { cpuNs, wallNs, switches, waitedNs, isNoisy: waitedNs > Math.max(noiseFloorNs, noiseShare * wallNs) };
}

/** Later repeats take the place of the noisiest; the time itself never decides which ones stay. */
function keep(timed: Timed, repeat: TimedRepeat): void {
  timed.repeats.push(repeat);
  if (timed.repeats.length <= timedRepeats) return;
  timed.redone += 1;
  const worst = timed.repeats.reduce((left, right) => (noise(right) > noise(left) ? right : left));
  timed.repeats.splice(timed.repeats.indexOf(worst), 1);
}

const noise = ({ waitedNs, wallNs }: TimedRepeat): number => (wallNs === 0 ? 0 : waitedNs / wallNs);
