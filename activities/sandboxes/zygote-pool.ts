/**
 * Slots under supervision. A program that was in a slot when it was lost is judged again; it is `killed` only when two slots in a row were lost with it, the
 * second one fresh and its own, while the host was well, or ten where they were killed. A limit that may have been met because others took its core is met again
 * beside nothing but others of which the same is asked, each with a core.
 */
import { availableParallelism } from 'node:os';
import type { Limits, Program, ProgramRun } from '../../schemas/program.ts';
import { createQuietWorks, type QuietWorks } from './quiet-works.ts';
import { SandboxFault } from './sandbox.ts';
import type { ZygoteHost } from './zygote-link.ts';
import { createJobQueue, type Job, type Work } from './zygote-queue.ts';
import { type JudgedRun, readRuns } from './zygote-run.ts';
import { openSlot, type Slot } from './zygote-slot.ts';
import { createSuites } from './zygote-suites.ts';

export interface ZygotePool {
  run(program: Program, limits: Limits, signal?: AbortSignal): Promise<ProgramRun>;
  readonly quiet: QuietWorks['add'];
  close(): Promise<void>;
}

interface Place {
  readonly index: number;
  slot: Slot | null;
  /** In the order in which the slot runs them. */
  running: Work[];
  /** A program that needs this place's next slot to be fresh and its own. */
  first: Job | null;
  starting: Promise<void> | null;
}

/** Requests that a slot has: one runs, the others keep it from waiting for us. */
const depth = 2;
/** Programs that each have a core of their own when they run together. */
const cores = availableParallelism();
/** Programs after which a slot is replaced, lest anything add up. */
const runsPerSlot = 20_000;
const giveUpAfterMs = 60_000;
const auditEvery = 100;
/** What the loss of a slot says against the program in it. Of one that was killed little: somebody may have done it. */
const blameOf = { itself: 5, killed: 1 };
/** Two losses, all but the first of fresh slots of its own, or ten that were killed. */
const enoughBlame = 10;
/** Batched programs whose own run went another way, after which nothing is batched any more. */
const disagreementsAllowed = 3;

export function createZygotePool(host: ZygoteHost, slots: number, silenceMs?: number): ZygotePool {
  const places: Place[] = Array.from({ length: slots }, (_, index) => ({ index, slot: null, running: [], first: null, starting: null }));
  const queue = createJobQueue();
  const suiteOf = createSuites();
  let closed = false;
  let pumping = false;
  let batched = 0;
  let disagreements = 0;
  const quiet = createQuietWorks(() => places.every(({ running }) => running.length === 0), pump);
  return { run, quiet: quiet.add, close };

  function run(program: Program, limits: Limits, signal?: AbortSignal): Promise<ProgramRun> {
    if (closed) return Promise.reject(new SandboxFault('the sandbox is closed'));
    if (signal?.aborted) return Promise.reject(signal.reason as Error);
    if (!program.source.isWellFormed()) return Promise.resolve(notUnicode);
    return new Promise<ProgramRun>((resolve, reject) => {
      const suite = suiteOf(program, limits);
      const abort = () => giveUp(job, signal?.reason as Error);
      const settled = () => {
        job.over = true;
        signal?.removeEventListener('abort', abort);
      };
      const job: Job = {
        source: program.source,
        suite,
        resolve: (result) => {
          settled();
          resolve(result);
        },
        reject: (reason: Error) => {
          settled();
          reject(reason);
        },
        isExclusive: program.driver?.alone === true,
        ...{ over: false, blame: 0, audited: null, seenBefore: false, mate: null, taken: false },
      };
      signal?.addEventListener('abort', abort, { once: true });
      if (job.isExclusive) queue.addExclusive(job);
      else if (
        program.driver === undefined &&
        program.tests === undefined &&
        (program.language ?? 'python') === 'python' &&
        disagreements < disagreementsAllowed
      )
        queue.addShared(job);
      else queue.addAlone(job);
      pump();
    });
  }

  /** Its slot is ended when it is at it: what was asked next to it is asked again. */
  function giveUp(job: Job, reason: Error): void {
    if (job.over) return;
    job.reject(reason);
    const place = places.find(({ running }) => running[0]?.jobs.includes(job));
    if (place?.slot != null && place.running[0]?.jobs.every(({ over }) => over)) void place.slot.stop();
  }

  /** Later, so that programs which are asked for together are seen together. */
  function pump(): void {
    if (pumping) return;
    pumping = true;
    setImmediate(() => {
      pumping = false;
      if (quiet.holdsBack()) return;
      for (const place of places) fill(place);
    });
  }

  function fill(place: Place): void {
    if (closed) return;
    if (place.slot === null) {
      if (place.first !== null || !queue.isEmpty()) place.starting ??= restart(place);
      return;
    }
    if (place.slot.runs >= runsPerSlot && place.running.length === 0) {
      void place.slot.stop();
      return;
    }
    while (place.slot.isAlive() && place.running.length < depth) {
      const work = nextWork(place);
      if (work === null) return;
      void carryOut(place, place.slot, work);
      if (place.slot.runs >= runsPerSlot) return;
    }
  }

  function nextWork(place: Place): Work | null {
    const picky = places.flatMap(({ running }) => running.filter(({ company }) => company !== undefined));
    if (picky.some(({ company }) => company === 'none')) return null;
    if (picky.length > 0) return place.running.length > 0 || picky.length >= cores ? null : queue.takeDoubtful();
    if (place.first !== null) {
      const job = place.first;
      place.first = null;
      return job.over ? nextWork(place) : { lane: 'isolated', jobs: [job] };
    }
    if (place.running.some(({ jobs }) => jobs.some(({ blame }) => blame > 0))) return null;
    return queue.take(
      slots,
      places.every(({ running }) => running.length === 0),
    );
  }

  async function carryOut(place: Place, slot: Slot, work: Work): Promise<void> {
    place.running.push(work);
    const sources = work.jobs.map(({ source }) => source);
    const [first, second] = work.jobs;
    const answer = await (work.lane === 'batch'
      ? slot.run(first.suite, work.lane, sources)
      : slot.run(first.suite, work.lane, [first.source], second?.suite));
    if (answer === null) {
      if (place.slot === slot) await lose(place, slot.wasKilled() ? blameOf.killed : blameOf.itself);
      return;
    }
    place.running.splice(place.running.indexOf(work), 1);
    const runs = readRuns(answer, work.lane, slot.residentBytes);
    for (const [index, job] of work.jobs.entries()) settle(job, runs[index] ?? null);
    pump();
  }

  function settle(job: Job, run: JudgedRun | null): void {
    if (job.over) return;
    if (run === null) queue.addAlone(job);
    else if (run.shared && ++batched % auditEvery === 0) {
      job.audited = run;
      queue.addAlone(job);
    } else if (!job.seenBefore && isDoubtful(run)) {
      job.seenBefore = true;
      if (run.end === 'killed' || run.end === 'memory') queue.addAlone(job);
      else if (job.isExclusive) queue.addExclusive(job);
      else queue.addDoubtful(job);
    } else {
      if (job.audited !== null && !sameResults(job.audited, run)) disagreements++;
      job.resolve(run);
    }
  }

  /** The slot is gone: what it was at is the first to be looked at, what waited behind it is asked again. */
  async function lose(place: Place, blame: number): Promise<void> {
    const [suspect, ...others] = place.running;
    place.running = [];
    place.slot = null;
    for (const work of others) for (const job of work.jobs) queue.addAlone(job);
    const hostWell = await host.isWell().catch(() => false);
    if (suspect?.lane === 'isolated' && suspect.jobs.length === 1) suspectLost(place, suspect.jobs[0], hostWell ? blame : 0);
    else for (const job of suspect?.jobs ?? []) queue.addAlone(job);
    pump();
  }

  function suspectLost(place: Place, job: Job | undefined, blame: number): void {
    if (job === undefined || job.over) return;
    job.blame += blame;
    if (job.blame >= enoughBlame) job.resolve(lostAgain);
    else if (closed) job.reject(new SandboxFault('the sandbox was closed while the program ran'));
    else if (place.first === null) place.first = job;
    else queue.addAlone(job);
  }

  async function restart(place: Place): Promise<void> {
    const began = performance.now();
    let patienceMs = 200;
    while (!closed) {
      try {
        const slot = await openSlot(await host.start(place.index), silenceMs);
        if (closed) await slot.stop();
        else place.slot = slot;
        void slot.gone.then(() => {
          if (place.slot === slot && place.running.length === 0) place.slot = null;
          pump();
        });
        break;
      } catch (error) {
        if (performance.now() - began > giveUpAfterMs) {
          if (places.every(({ slot }) => slot === null)) for (const job of waitingJobs()) job.reject(noSlot(error));
          break;
        }
        await new Promise((resolve) => setTimeout(resolve, patienceMs));
        patienceMs = Math.min(5000, 2 * patienceMs);
      }
    }
    place.starting = null;
    pump();
  }

  function waitingJobs(): Job[] {
    const firsts = places.flatMap(({ first }) => first ?? []);
    for (const place of places) place.first = null;
    return [...firsts, ...queue.drain()];
  }

  async function close(): Promise<void> {
    closed = true;
    const fault = new SandboxFault('the sandbox was closed while the program ran');
    const running = places.flatMap((place) => place.running.flatMap(({ jobs }) => jobs));
    for (const job of [...waitingJobs(), ...running]) if (!job.over) job.reject(fault);
    const end = async (place: Place): Promise<void> => {
      await place.starting;
      await place.slot?.stop();
    };
    await Promise.all([quiet.close(), ...places.map(end)]);
    await host.close();
  }
}

/** Ends that depend on more than the program: they are looked at twice before they are recorded. */
function isDoubtful({ end, crowded }: JudgedRun): boolean {
  return end === 'killed' || end === 'wall_timeout' || (end === 'cpu_timeout' && crowded);
}

function noSlot(error: unknown): SandboxFault {
  const why = error instanceof Error ? error.message : String(error);
  return new SandboxFault(`no slot could be started for ${giveUpAfterMs / 1000} s: ${why}`);
}

const sameResults = (one: ProgramRun, other: ProgramRun): boolean =>
  one.end === other.end && JSON.stringify(one.results) === JSON.stringify(other.results);

const nothing = { lane: 'isolated', results: [], failedAtLoad: false, caseMs: [], wallMs: 0, cpuMs: 0, memoryBytes: null } as const;
const notUnicode: ProgramRun = { ...nothing, end: 'syntax_error', detail: 'SyntaxError: the source holds half a surrogate pair' };
const lostAgain: ProgramRun = {
  ...nothing,
  end: 'killed',
  detail: 'the slot running it was lost, and so was each fresh one of its own',
};
