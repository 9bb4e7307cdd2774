/** Programs waiting for a slot, and which of them are sent together. */
import type { ProgramRun } from '../../../schemas/program.ts';
import type { JobState } from './zygote-job.ts';
import type { SuiteInUse } from './zygote-suites.ts';

export interface Job {
  readonly source: string;
  readonly suite: SuiteInUse;
  readonly resolve: (run: ProgramRun) => void;
  readonly reject: (reason: Error) => void;
  /** Called each time it begins to run. */
  readonly onStart: (() => void) | undefined;
  state: JobState;
  /** Nothing may ever run next to it. */
  readonly isExclusive: boolean;
  /** The same program for another suite, while that waits too. */
  mate: Job | null;
  /** Already sent to a slot, alone or with others: it is no longer a mate. */
  taken: boolean;
}

export interface Work {
  readonly lane: 'isolated' | 'batch';
  /** In the isolated lane, one program: one job, or one for each of its two suites. */
  readonly jobs: readonly [Job, ...Job[]];
  /** What may run next to it, if restricted: nothing, or others with the same restriction, at most one per core. */
  readonly company?: 'none' | 'alike';
}

export interface JobQueue {
  /** For a program that may share a process with others of its suite. */
  addShared(job: Job): void;
  addAlone(job: Job): void;
  /** As `addAlone`, before all that wait. */
  addFirst(job: Job): void;
  /** For a program that needs every core: it runs while nothing else does. */
  addExclusive(job: Job): void;
  /** For a program that reached a limit without a core of its own: it runs only next to others like it. */
  addDoubtful(job: Job): void;
  /**
   * The next work for one of `slots` slots; null if there is none now.
   * @param idle whether nothing runs anywhere
   */
  take(slots: number, idle: boolean): Work | null;
  /** The next program that reached a limit, to run next to others like it. */
  takeDoubtful(): Work | null;
  /** True if no caller waits for any of them; cancelled programs do not count. */
  isEmpty(): boolean;
  /** Removes and returns everything. */
  drain(): Job[];
}

/** Whether it still has to be run. */
export const isOpen = ({ state }: Pick<Job, 'state'>): boolean => state.kind !== 'over';

const batchSize = 16;
/** Number of programs waiting for an idle sandbox from which the other programs must wait. */
const backlog = 16;

export function createJobQueue(): JobQueue {
  return new SuiteQueue();
}

class SuiteQueue implements JobQueue {
  readonly #shared = new Map<number, Job[]>();
  /** The latest job without a mate, by source. */
  readonly #single = new Map<string, Job>();
  #first: Job[] = [];
  #alone: Job[] = [];
  #exclusive: Job[] = [];
  #doubtful: Job[] = [];

  readonly addShared = (job: Job): void => {
    const group = this.#shared.get(job.suite.id);
    if (group === undefined) this.#shared.set(job.suite.id, [job]);
    else group.push(job);
    const other = this.#single.get(job.source);
    if (other === undefined || !mayBeMates(job, other)) this.#single.set(job.source, job);
    else {
      this.#single.delete(job.source);
      job.mate = other;
      other.mate = job;
    }
  };

  readonly addAlone = (job: Job): void => {
    this.#alone.push(job);
  };

  readonly addFirst = (job: Job): void => {
    this.#first.push(job);
  };

  readonly addExclusive = (job: Job): void => {
    this.#exclusive.push(job);
  };

  readonly addDoubtful = (job: Job): void => {
    this.#doubtful.push(job);
  };

  readonly take = (slots: number, idle: boolean): Work | null => {
    this.#doubtful = this.#doubtful.filter(isOpen);
    this.#exclusive = this.#exclusive.filter(isOpen);
    const others =
      this.#doubtful.length + this.#exclusive.length >= backlog
        ? null
        : (takeAlone(this.#first) ?? takeAlone(this.#alone) ?? this.#takeShared(slots));
    return others ?? (idle ? (this.takeDoubtful() ?? this.#takeExclusive()) : null);
  };

  readonly takeDoubtful = (): Work | null => {
    for (let job = this.#doubtful.shift(); job !== undefined; job = this.#doubtful.shift())
      if (isOpen(job)) return { lane: 'isolated', jobs: [job], company: 'alike' };
    return null;
  };

  readonly isEmpty = (): boolean => {
    if ([this.#first, this.#alone, this.#doubtful, this.#exclusive].some((jobs) => jobs.some(isOpen))) return false;
    return this.#shared.values().every((group) => group.every((job) => !isOpen(job) || job.taken));
  };

  readonly drain = (): Job[] => {
    const grouped = [...this.#shared.values()].flat().filter(({ taken }) => !taken);
    const jobs = [...this.#first, ...this.#alone, ...grouped, ...this.#doubtful, ...this.#exclusive];
    this.#shared.clear();
    this.#single.clear();
    this.#first = [];
    this.#alone = [];
    this.#doubtful = [];
    this.#exclusive = [];
    return jobs.filter(isOpen);
  };

  #takeExclusive(): Work | null {
    const job = this.#exclusive.shift();
    return job === undefined ? null : { lane: 'isolated', jobs: [job], company: 'none' };
  }

  /**
   * An equal share of a suite's programs, so that no slot idles while another has a long batch; all of them while there
   * are enough other suites.
   */
  #takeShared(slots: number): Work | null {
    for (const [id, group] of this.#shared) {
      this.#shared.delete(id);
      const waiting = group.filter((job) => isOpen(job) && !job.taken);
      const share = this.#shared.size >= slots ? waiting.length : Math.floor(waiting.length / slots);
      const jobs = waiting.splice(0, Math.min(batchSize, Math.max(1, share)));
      if (waiting.length > 0) this.#shared.set(id, waiting);
      for (const job of jobs) this.#leave(job);
      const [first, ...others] = jobs;
      if (first === undefined) continue;
      return others.length === 0
        ? { lane: 'isolated', jobs: this.#withMate(first, slots) }
        : { lane: 'batch', jobs: [first, ...others] };
    }
    return null;
  }

  #leave(job: Job): void {
    job.taken = true;
    if (this.#single.get(job.source) === job) this.#single.delete(job.source);
  }

  /** Adds the program's other suite, unless a slot may be waiting for work. */
  #withMate(job: Job, slots: number): [Job, ...Job[]] {
    const { mate } = job;
    if (mate === null || mate.taken || !isOpen(mate) || this.#shared.size < slots) return [job];
    this.#leave(mate);
    return [job, mate];
  }
}

function takeAlone(jobs: Job[]): Work | null {
  for (let job = jobs.shift(); job !== undefined; job = jobs.shift())
    if (isOpen(job)) return { lane: 'isolated', jobs: [job] };
  return null;
}

const mayBeMates = (one: Job, other: Job): boolean =>
  isOpen(other) &&
  !other.taken &&
  one.suite.id !== other.suite.id &&
  one.suite.header.memory === other.suite.header.memory;
