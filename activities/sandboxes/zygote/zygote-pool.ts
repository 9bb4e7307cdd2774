/**
 * Manages slots. A program whose slot was lost is judged again. It is recorded as `killed` only if two slots in a row
 * were lost with it while the host was up, the second one fresh and its own; or ten if the slots were killed. A program
 * that reached a limit, maybe because others used its core, is run again, only next to others for which the same holds,
 * each with a core.
 */
import { languageOf } from '../../../domain/languages/index.ts';
import { availableParallelism } from 'node:os';
import type { Limits, Program, ProgramRun } from '../../../schemas/program.ts';
import { createExclusiveTasks, type ExclusiveTasks } from '../exclusive-tasks.ts';
import { createMemoryKills, type MemoryKills, tooLittleMemory } from '../memory-kills.ts';
import { SandboxFault } from '../sandbox.ts';
import { type JobEvent, newJob, nextState } from './zygote-job.ts';
import type { ZygoteHost } from './zygote-link.ts';
import { createJobQueue, isOpen, type Job, type Work } from './zygote-queue.ts';
import { type JudgedRun, readRuns } from './zygote-run.ts';
import { openSlot, type Slot } from './zygote-slot.ts';
import { createSuites } from './zygote-suites.ts';

interface Place {
  readonly index: number;
  slot: Slot | null;
  /** In the order in which the slot runs them. */
  running: Work[];
  /** A program that must run alone in this place's next, fresh slot. */
  first: Job | null;
  starting: Promise<void> | null;
}

/** Requests sent to a slot: one runs, the others wait there, so that the slot never idles. */
const depth = 2;
/** Programs that each have a core of their own when they run together. */
const cores = availableParallelism();
/** A slot is replaced after this many programs, in case anything accumulates. */
const runsPerSlot = 20_000;
const giveUpAfterMs = 60_000;
const longestPatienceMs = 5_000;
const auditEvery = 100;
/** Blame for a lost slot. Little if it was killed: someone else may have done it. */
const blameOf = { itself: 5, killed: 1 };
/** After this many programs with another result alone than in a batch, nothing is batched any more. */
const disagreementsAllowed = 3;

export class ZygotePool {
  readonly quiet: ExclusiveTasks['add'];
  readonly #host: ZygoteHost;
  readonly #silenceMs: number | undefined;
  readonly #places: readonly Place[];
  readonly #queue = createJobQueue();
  readonly #suiteOf = createSuites();
  readonly #exclusive: ExclusiveTasks;
  readonly #memory: MemoryKills;
  #closed = false;
  #pumping = false;
  #batched = 0;
  #disagreements = 0;

  constructor(host: ZygoteHost, slots: number, silenceMs?: number) {
    this.#host = host;
    this.#silenceMs = silenceMs;
    this.#memory = createMemoryKills(() => host.memoryKills?.() ?? 0);
    this.#places = Array.from({ length: slots }, (_, index) => ({
      index,
      slot: null,
      running: [],
      first: null,
      starting: null,
    }));
    this.#exclusive = createExclusiveTasks(
      () => this.#isIdle(),
      () => this.#pump(),
    );
    this.quiet = (work) => this.#exclusive.add(work);
  }

  run(program: Program, limits: Limits, signal?: AbortSignal, onStart?: () => void): Promise<ProgramRun> {
    if (this.#closed) return Promise.reject(new SandboxFault('the sandbox is closed'));
    if (signal?.aborted) return Promise.reject(signal.reason as Error);
    if (!program.source.isWellFormed()) return Promise.resolve(notUnicode);
    return new Promise<ProgramRun>((resolve, reject) => {
      const abort = (): void => this.#giveUp(job, signal?.reason as Error);
      const done = (): void => signal?.removeEventListener('abort', abort);
      const job = this.#jobOf(program, limits, { resolve, reject, done, onStart });
      signal?.addEventListener('abort', abort, { once: true });
      this.#ask(job, program);
      this.#pump();
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    const fault = new SandboxFault('the sandbox was closed while the program ran');
    const running = this.#places.flatMap((place) => place.running.flatMap(({ jobs }) => jobs));
    for (const job of [...this.#waitingJobs(), ...running]) if (isOpen(job)) job.reject(fault);
    const end = async (place: Place): Promise<void> => {
      await place.starting;
      await place.slot?.stop();
    };
    await Promise.all([this.#exclusive.close(), ...this.#places.map(end)]);
    await this.#host.close();
  }

  #jobOf(program: Program, limits: Limits, { resolve, reject, done, onStart }: Settling): Job {
    const job: Job = {
      source: program.source,
      suite: this.#suiteOf(program, limits),
      resolve: (run) => {
        done();
        resolve(run);
      },
      reject: (reason) => {
        job.state = { kind: 'over' };
        done();
        reject(reason);
      },
      onStart,
      isExclusive: program.driver?.alone === true,
      ...{ state: newJob, mate: null, taken: false },
    };
    return job;
  }

  #ask(job: Job, program: Program): void {
    if (job.isExclusive) this.#queue.addExclusive(job);
    else if (program.goesFirst === true) this.#queue.addFirst(job);
    else if (mayShare(program) && this.#disagreements < disagreementsAllowed) this.#queue.addShared(job);
    else this.#queue.addAlone(job);
  }

  /** Stops its slot if it is running; other programs sent there are sent again. */
  #giveUp(job: Job, reason: Error): void {
    if (!isOpen(job)) return;
    job.reject(reason);
    const place = this.#places.find(({ running }) => running[0]?.jobs.includes(job));
    if (place?.slot != null && !place.running[0]?.jobs.some(isOpen)) void place.slot.stop();
  }

  /** Deferred, so that programs requested together are batched together. */
  #pump(): void {
    if (this.#pumping) return;
    this.#pumping = true;
    setImmediate(() => {
      this.#pumping = false;
      if (this.#exclusive.holdsBack()) return;
      for (const place of this.#places) this.#fill(place);
    });
  }

  #fill(place: Place): void {
    if (this.#closed) return;
    if (place.slot === null) {
      const isWanted = (place.first !== null && isOpen(place.first)) || !this.#queue.isEmpty();
      if (isWanted) place.starting ??= this.#restart(place);
      return;
    }
    if (place.slot.runs >= runsPerSlot && place.running.length === 0) {
      void place.slot.stop();
      return;
    }
    while (place.slot.isAlive() && place.running.length < depth) {
      const work = this.#nextWork(place);
      if (work === null) return;
      void this.#carryOut(place, place.slot, work);
      if (place.slot.runs >= runsPerSlot) return;
    }
  }

  #nextWork(place: Place): Work | null {
    const restricted = this.#places.flatMap(({ running }) => running.filter(({ company }) => company !== undefined));
    if (restricted.some(({ company }) => company === 'none')) return null;
    if (restricted.length > 0)
      return place.running.length > 0 || restricted.length >= cores ? null : this.#queue.takeDoubtful();
    if (place.first !== null) {
      const job = place.first;
      place.first = null;
      return isOpen(job) ? { lane: 'isolated', jobs: [job] } : this.#nextWork(place);
    }
    if (place.running.some(({ jobs }) => jobs.some(isBlamed))) return null;
    return this.#queue.take(this.#places.length, this.#isIdle());
  }

  async #carryOut(place: Place, slot: Slot, work: Work): Promise<void> {
    place.running.push(work);
    const mark = this.#memory.mark();
    if (place.running.length === 1) started(place);
    const sources = work.jobs.map(({ source }) => source);
    const [first, second] = work.jobs;
    const answer = await (work.lane === 'batch'
      ? slot.run(first.suite, work.lane, sources)
      : slot.run(first.suite, work.lane, [first.source], second?.suite));
    if (answer === null) {
      if (place.slot === slot) await this.#lose(place, this.#lossOf(slot, first, mark));
      return;
    }
    place.running.splice(place.running.indexOf(work), 1);
    started(place);
    const runs = readRuns(answer, work.lane, slot.residentBytes);
    for (const [index, job] of work.jobs.entries())
      this.#happens(job, this.#eventOf(job, runs[index] ?? null, mark), place);
    this.#pump();
  }

  #eventOf(job: Job, run: JudgedRun | null, mark: number): JobEvent {
    if (run === null) return { kind: 'not-run' };
    if (run.end === 'killed' && this.#isStarved(job, mark)) return { kind: 'starved' };
    return { kind: 'ran', run, isAudit: isOpen(job) && run.shared && ++this.#batched % auditEvery === 0 };
  }

  #lossOf(slot: Slot, suspect: Job, mark: number): JobEvent {
    if (!slot.wasKilled()) return { kind: 'slot-lost', blame: blameOf.itself };
    return this.#isStarved(suspect, mark) ? { kind: 'starved' } : { kind: 'slot-lost', blame: blameOf.killed };
  }

  /**
   * Whether the kernel ended processes since then because the machine has too little memory. Not if the program ran
   * with no other and had room for twice what it may use: then it took more itself, for example with children.
   */
  #isStarved({ state, suite }: Job, mark: number): boolean {
    if (!this.#memory.since(mark)) return false;
    const free = this.#host.memoryFree?.() ?? 0;
    return state.kind !== 'starved' || free < 2 * suite.header.memory;
  }

  #happens(job: Job, event: JobEvent, place: Place): void {
    const { state, act } = nextState(job.state, event, job.isExclusive);
    job.state = state;
    if (act.kind === 'queue') this.#enqueue(job, act.how);
    else if (act.kind === 'fresh-slot') this.#toFreshSlot(job, place);
    else if (act.kind === 'give-up') job.reject(tooLittleMemory());
    else if (act.kind === 'settle') {
      if (act.disagrees) this.#disagreements += 1;
      job.resolve(act.run);
    }
  }

  #enqueue(job: Job, how: 'alone' | 'exclusive' | 'doubtful'): void {
    if (how === 'alone') this.#queue.addAlone(job);
    else if (how === 'exclusive') this.#queue.addExclusive(job);
    else this.#queue.addDoubtful(job);
  }

  #toFreshSlot(job: Job, place: Place): void {
    if (this.#closed) job.reject(new SandboxFault('the sandbox was closed while the program ran'));
    else if (place.first === null) place.first = job;
    else this.#queue.addAlone(job);
  }

  /** The slot has ended: the program it was running is the suspect, the waiting ones are sent again. */
  async #lose(place: Place, loss: JobEvent): Promise<void> {
    const [suspect, ...others] = place.running;
    place.running = [];
    place.slot = null;
    for (const work of others) for (const job of work.jobs) this.#happens(job, { kind: 'not-run' }, place);
    const hostWell = await this.#host.isWell().catch(() => false);
    const isBare = suspect?.lane === 'isolated' && suspect.jobs.length === 1;
    const event: JobEvent = !isBare ? { kind: 'not-run' } : hostWell ? loss : { kind: 'slot-lost', blame: 0 };
    for (const job of suspect?.jobs ?? []) this.#happens(job, event, place);
    this.#pump();
  }

  async #restart(place: Place): Promise<void> {
    const began = performance.now();
    for (let patienceMs = 200; !this.#closed; patienceMs = Math.min(longestPatienceMs, 2 * patienceMs)) {
      const fault = await this.#start(place).then(
        () => null,
        (error: unknown) => ({ error }),
      );
      if (fault === null) break;
      if (performance.now() - began > giveUpAfterMs) {
        if (this.#places.every(({ slot }) => slot === null))
          for (const job of this.#waitingJobs()) job.reject(noSlot(fault.error));
        break;
      }
      await new Promise((resolve) => setTimeout(resolve, patienceMs));
    }
    place.starting = null;
    this.#pump();
  }

  async #start(place: Place): Promise<void> {
    const slot = await openSlot(await this.#host.start(place.index), this.#silenceMs);
    if (this.#closed) await slot.stop();
    else place.slot = slot;
    void slot.gone.then(() => {
      if (place.slot === slot && place.running.length === 0) place.slot = null;
      this.#pump();
    });
  }

  #isIdle(): boolean {
    return this.#places.every(({ running }) => running.length === 0);
  }

  #waitingJobs(): Job[] {
    const firsts = this.#places.flatMap(({ first }) => first ?? []);
    for (const place of this.#places) place.first = null;
    return [...firsts, ...this.#queue.drain()];
  }
}

interface Settling {
  readonly resolve: (run: ProgramRun) => void;
  readonly reject: (reason: Error) => void;
  readonly done: () => void;
  readonly onStart: (() => void) | undefined;
}

/** The first of a slot's requests is the one that runs. */
function started({ running: [work] }: Place): void {
  for (const job of work?.jobs ?? []) job.onStart?.();
}

const isBlamed = ({ state }: Job): boolean => state.kind !== 'over' && state.blame > 0;

const mayShare = ({ driver, tests, language }: Program): boolean =>
  driver === undefined && tests === undefined && !languageOf(language).isScript;

function noSlot(error: unknown): SandboxFault {
  const why = error instanceof Error ? error.message : String(error);
  return new SandboxFault(`no slot could be started for ${giveUpAfterMs / 1000} s: ${why}`);
}

const nothing = {
  lane: 'isolated',
  results: [],
  failedAtLoad: false,
  caseMs: [],
  wallMs: 0,
  cpuMs: 0,
  memoryBytes: null,
} as const;
const notUnicode: ProgramRun = {
  ...nothing,
  end: 'syntax_error',
  detail: 'SyntaxError: the source holds half a surrogate pair',
};
