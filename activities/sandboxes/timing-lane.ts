/**
 * Programs for their time. Five repeats each, interleaved (every program once, then every program again), each round in a freshly started interpreter,
 * since one start's memory layout alone moves a program by some percent; on one core of their own where slots can be bound, with nothing else of this
 * sandbox running, and one process of a machine at a time. A repeat during which others had the core is run again.
 */
import type { Program, ProgramRun, ProgramTiming, TimedRepeat } from '../../schemas/program.ts';
import { MissingPartError } from '../../domain/errors.ts';
import type { QuietWorks } from './quiet-works.ts';
import { SandboxFault, type TimingJob } from './sandbox.ts';
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
  repeats: TimedRepeat[];
  end: ProgramTiming['end'];
  detail: string | null;
  redone: number;
  losses: number;
  /** Runs that gave no time: the second one is believed. */
  failures: number;
  isOver: boolean;
}

/**
 * @param index the number of a slot that nothing else uses
 * @param quiet runs work while no other program of the sandbox does
 */
export function createTimingLane(host: ZygoteHost, index: number, quiet: QuietWorks['add']) {
  const suiteOf = createSuites();
  return async (jobs: readonly TimingJob[], signal?: AbortSignal): Promise<ProgramTiming[]> => {
    if (jobs.length === 0) return [];
    for (const { program } of jobs) checkLanguage(program);
    const signals = signal === undefined ? [] : [signal];
    return await withTimingLock(() => quiet((closing) => timeAll(jobs, AbortSignal.any([closing, ...signals]))), signal);
  };

  async function timeAll(jobs: readonly TimingJob[], signal: AbortSignal): Promise<ProgramTiming[]> {
    const core = await host.dedicatedCore();
    const all = jobs.map(
      (job): Timed => ({ job, repeats: [], end: 'completed', detail: null, redone: 0, losses: 0, failures: 0, isOver: false }),
    );
    for (let round = 0; round < timedRepeats + extraRounds; round++) {
      const due = all.filter(isDue);
      if (due.length > 0) await timeRound(due, core, signal);
    }
    return all.map(({ repeats, end, detail, redone }) => ({ end, detail, repeats, redone, core }));
  }

  async function timeRound(due: readonly Timed[], core: number | null, signal: AbortSignal): Promise<void> {
    let slot = await openSlot(await host.start(index, core));
    try {
      for (const timed of due) {
        signal.throwIfAborted();
        if (!(await timeOnce(slot, timed, signal))) slot = await openSlot(await host.start(index, core));
      }
    } finally {
      await slot.stop();
    }
  }

  /** False when the slot was lost. */
  async function timeOnce(slot: Slot, timed: Timed, signal: AbortSignal): Promise<boolean> {
    const abort = () => void slot.stop();
    signal.addEventListener('abort', abort, { once: true });
    try {
      const { program, limits } = timed.job;
      const answer = await slot.run(suiteOf(program, limits), 'timing', [program.source]);
      signal.throwIfAborted();
      if (answer === null) {
        await lose(timed);
        return false;
      }
      const [run] = readRuns(answer, 'isolated', slot.residentBytes);
      if (run !== null && run !== undefined) take(timed, run);
      return true;
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

function isDue({ isOver, repeats }: Timed): boolean {
  return !isOver && (repeats.length < timedRepeats || repeats.some(({ isNoisy }) => isNoisy));
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
