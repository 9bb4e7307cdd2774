/**
 * Times programs. Each gets five repeats, interleaved (every program of the waiting calls once, then every program
 * again). Each repeat runs in a separately started interpreter, since the memory layout of one start alone changes a
 * program's time by some percent. They run on a core of their own if slots can be bound, with nothing else running in
 * this sandbox, and in one process per machine at a time. A repeat is run again if other processes used the core during
 * it.
 */
import { languageOf } from '../../domain/languages/index.ts';
import type { Program, ProgramRun, ProgramTiming, TimedRepeat } from '../../schemas/program.ts';
import { MissingPartError } from '../../domain/errors.ts';
import type { ExclusiveTasks } from './exclusive-tasks.ts';
import { createMemoryKills, type MemoryKills, tooLittleMemory } from './memory-kills.ts';
import { type Sandbox, SandboxFault, type TimingJob } from './sandbox.ts';
import { withTimingLock } from './timing-core.ts';
import type { ZygoteHost } from './zygote/zygote-link.ts';
import { readRuns } from './zygote/zygote-run.ts';
import { openSlot, type Slot } from './zygote/zygote-slot.ts';
import { createSuites } from './zygote/zygote-suites.ts';

const timedRepeats = 5;
/** Further rounds for noisy repeats; on a machine that is never quiet, the remaining ones are marked noisy. */
const extraRounds = 3;
/**
 * A repeat is noisy if others used its core for more than this share of its wall time, and longer than the floor,
 * nanoseconds.
 */
const noiseShare = 0.05;
const noiseFloorNs = 200_000;

/** Times that the kernel may end a program for lack of memory before its call fails as the machine's fault. */
const mostStarvations = 3;

/** A program's repeats so far, or how it ended without them. */
interface Timed {
  readonly job: TimingJob;
  /** The signal of its call. */
  readonly signal: AbortSignal | undefined;
  repeats: TimedRepeat[];
  end: ProgramTiming['end'];
  detail: string | null;
  redone: number;
  losses: number;
  /** Losses to a kernel that had too little memory. */
  starvations: number;
  /** Runs without a time; the second one is final. */
  failures: number;
  isOver: boolean;
}

export interface TimingLane {
  readonly time: NonNullable<Sandbox['time']>;
  close(): Promise<void>;
}

/** Programs of one call of `time`. */
interface Call {
  readonly all: readonly Timed[];
  readonly signal: AbortSignal | undefined;
  readonly ended: PromiseWithResolvers<ProgramTiming[]>;
}

const untimed = (job: TimingJob, signal: AbortSignal | undefined): Timed => ({
  ...{ job, signal, repeats: [], end: 'completed', detail: null },
  ...{ redone: 0, losses: 0, starvations: 0, failures: 0, isOver: false },
});

/**
 * The slots, one per round, start when first needed and stay: the n-th repeats of all programs share an interpreter.
 * @param index the first of eight slot numbers reserved for timing
 * @param quiet runs work while no other program of the sandbox runs
 */
export function createTimingLane(host: ZygoteHost, index: number, quiet: ExclusiveTasks['add']): TimingLane {
  return new TimingSlots(host, index, quiet);
}

class TimingSlots implements TimingLane {
  readonly #host: ZygoteHost;
  readonly #index: number;
  readonly #quiet: ExclusiveTasks['add'];
  readonly #memory: MemoryKills;
  readonly #suiteOf = createSuites();
  readonly #waiting: Call[] = [];
  #isServing = false;
  /** Aborts waiting for the machine's lock when no call waits any more. */
  #unwanted = new AbortController();
  readonly #slots: (Slot | undefined)[] = [];

  constructor(host: ZygoteHost, index: number, quiet: ExclusiveTasks['add']) {
    this.#host = host;
    this.#index = index;
    this.#quiet = quiet;
    this.#memory = createMemoryKills(() => host.memoryKills?.() ?? 0);
  }

  readonly time = async (jobs: readonly TimingJob[], signal?: AbortSignal): Promise<ProgramTiming[]> => {
    if (jobs.length === 0) return [];
    for (const { program } of jobs) checkLanguage(program);
    signal?.throwIfAborted();
    const call: Call = {
      all: jobs.map((job) => untimed(job, signal)),
      signal,
      ended: Promise.withResolvers<ProgramTiming[]>(),
    };
    this.#waiting.push(call);
    signal?.addEventListener('abort', () => this.#giveUpCall(call), { once: true });
    if (!this.#isServing) void this.#serve();
    return await call.ended.promise;
  };

  /** Call after the sandbox's programs have ended. */
  readonly close = async (): Promise<void> => {
    await Promise.all(this.#slots.splice(0).map(async (slot) => await slot?.stop()));
  };

  async #slotOf(round: number, core: number | null): Promise<Slot> {
    const own = this.#slots[round];
    if (own?.isAlive() === true) return own;
    const started = await openSlot(await this.#host.start(this.#index + round, core));
    this.#slots[round] = started;
    return started;
  }

  /** Calls that wait at the same moment are timed together. */
  async #serve(): Promise<void> {
    this.#isServing = true;
    while (this.#waiting.length > 0) {
      const calls: Call[] = [];
      this.#unwanted = new AbortController();
      try {
        await withTimingLock(
          () =>
            this.#quiet(async (closing) => {
              calls.push(...this.#waiting.splice(0));
              await this.#timeAll(calls, closing);
            }),
          this.#unwanted.signal,
        );
      } catch (error) {
        // Waiting calls fail too: they would meet the same error.
        for (const { ended } of [...calls, ...this.#waiting.splice(0)]) ended.reject(error);
      }
    }
    this.#isServing = false;
  }

  #giveUpCall(call: Call): void {
    call.ended.reject(call.signal?.reason);
    if (this.#waiting.includes(call)) this.#waiting.splice(this.#waiting.indexOf(call), 1);
    if (this.#waiting.length === 0) this.#unwanted.abort(call.signal?.reason);
  }

  async #timeAll(calls: readonly Call[], closing: AbortSignal): Promise<void> {
    const core = await this.#host.dedicatedCore();
    const all = calls.flatMap((call) => call.all);
    for (let round = 0; round < timedRepeats + extraRounds; round++) {
      const due = all.filter(isDue);
      if (due.length > 0) await this.#timeRound(due, round, core, closing);
    }
    for (const { ended, all: own } of calls)
      ended.resolve(own.map(({ repeats, end, detail, redone }) => ({ end, detail, repeats, redone, core })));
  }

  async #timeRound(due: readonly Timed[], round: number, core: number | null, closing: AbortSignal): Promise<void> {
    for (const timed of due) {
      closing.throwIfAborted();
      if (timed.signal?.aborted !== true) await this.#timeOnce(await this.#slotOf(round, core), timed, closing);
    }
  }

  /** Stops the slot when the call is cancelled or the sandbox is closed. */
  async #timeOnce(slot: Slot, timed: Timed, closing: AbortSignal): Promise<void> {
    const signal = AbortSignal.any(timed.signal === undefined ? [closing] : [closing, timed.signal]);
    const abort = () => void slot.stop();
    signal.addEventListener('abort', abort, { once: true });
    const mark = this.#memory.mark();
    try {
      const { program, limits } = timed.job;
      const answer = await slot.run(this.#suiteOf(program, limits), 'timing', [program.source]);
      closing.throwIfAborted();
      if (timed.signal?.aborted === true) return;
      if (answer === null) return await this.#lose(timed, slot.wasKilled() && this.#isStarved(timed, mark));
      const [run] = readRuns(answer, 'isolated', slot.residentBytes);
      if (run?.end === 'killed' && this.#isStarved(timed, mark)) starve(timed);
      else if (run !== null && run !== undefined) take(timed, run);
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }

  /**
   * Whether the kernel has ended processes since then because the machine has too little memory. From the second time
   * on not if there was room for twice what the program may use: then it took more itself.
   */
  #isStarved({ job, starvations }: Timed, mark: number): boolean {
    if (!this.#memory.since(mark)) return false;
    return starvations === 0 || (this.#host.memoryFree?.() ?? 0) < 2 * job.limits.memoryBytes;
  }

  /** Records the loss of a slot. If the host itself is down, the loss says nothing about the program. */
  async #lose(timed: Timed, isStarved: boolean): Promise<void> {
    if (!(await this.#host.isWell().catch(() => false)))
      throw new SandboxFault('the sandbox was lost while it timed programs');
    if (isStarved) return starve(timed);
    timed.losses += 1;
    if (timed.losses >= 2) giveUp(timed, 'killed', 'the slot timing it was lost twice');
  }
}

/** It is timed in a later round. */
function starve(timed: Timed): void {
  timed.starvations += 1;
  if (timed.starvations >= mostStarvations) throw tooLittleMemory();
}

function checkLanguage({ language }: Program): void {
  if (languageOf(language).isScript)
    throw new MissingPartError(`only Python programs are timed, got one in ${language}`);
}

function isDue({ isOver, repeats, signal }: Timed): boolean {
  return (
    !isOver && signal?.aborted !== true && (repeats.length < timedRepeats || repeats.some(({ isNoisy }) => isNoisy))
  );
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

/** A program could write anything to its pipe, but only about its own time. */
const isMeasure = (value: unknown): value is Measure =>
  Array.isArray(value) && value.length === 3 && value.every((number) => Number.isSafeInteger(number) && number >= 0);

function repeatOf(measures: readonly Measure[], caseMs: readonly number[]): TimedRepeat {
  const sum = (which: 0 | 1 | 2): number => measures.reduce((total, measure) => total + measure[which], 0);
  const [cpuNs, switches, waitedNs] = [sum(0), sum(1), sum(2)];
  const wallNs = Math.round(caseMs.reduce((total, ms) => total + ms, 0) * 1e6);
  return { cpuNs, wallNs, switches, waitedNs, isNoisy: waitedNs > Math.max(noiseFloorNs, noiseShare * wallNs) };
}

/** Later repeats replace the noisiest ones; the time itself never decides which ones stay. */
function keep(timed: Timed, repeat: TimedRepeat): void {
  timed.repeats.push(repeat);
  if (timed.repeats.length <= timedRepeats) return;
  timed.redone += 1;
  const worst = timed.repeats.reduce((left, right) => (noise(right) > noise(left) ? right : left));
  timed.repeats.splice(timed.repeats.indexOf(worst), 1);
}

const noise = ({ waitedNs, wallNs }: TimedRepeat): number => (wallNs === 0 ? 0 : waitedNs / wallNs);
