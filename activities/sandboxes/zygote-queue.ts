/** Programs that wait for a slot, and which of them go there together. */
import type { ProgramRun } from '../../schemas/program.ts';
import type { JudgedRun } from './zygote-run.ts';
import type { SuiteInUse } from './zygote-suites.ts';

export interface Job {
  readonly source: string;
  readonly suite: SuiteInUse;
  readonly resolve: (run: ProgramRun) => void;
  readonly reject: (reason: Error) => void;
  /** Settled, or given up by its caller: no longer to be run. */
  over: boolean;
  /** What the slots that were lost while it ran, with everything around them well, say against it. */
  blame: number;
  /** The batch's run of it, which its run by itself is to repeat. */
  audited: JudgedRun | null;
  /** It has met a limit once; what it does now counts. */
  seenBefore: boolean;
  /** Whatever it is run for, nothing may run beside it. */
  readonly isExclusive: boolean;
  /** The same program for another suite, as long as that waits as well. */
  mate: Job | null;
  /** Has gone to a slot, by itself or with others: no longer anybody's mate. */
  taken: boolean;
}

export interface Work {
  readonly lane: 'isolated' | 'batch';
  /** In the isolated lane one program: one job, or one for each of its two suites. */
  readonly jobs: readonly [Job, ...Job[]];
  /** What may run beside it, if not anything: nothing, or others of which the same is asked, no more than there are cores. */
  readonly company?: 'none' | 'alike';
}

export interface JobQueue {
  /** May share a process with others of its suite. */
  addShared(job: Job): void;
  addAlone(job: Job): void;
  /** Needs every core: to run while nothing else does. */
  addExclusive(job: Job): void;
  /** Met a limit without a core of its own: to run while nothing does but its like. */
  addDoubtful(job: Job): void;
  /** The next work for one of `slots` slots; null when there is none now. `idle`: nothing runs anywhere. */
  take(slots: number, idle: boolean): Work | null;
  /** The next that met a limit, to run beside others of which the same is asked. */
  takeDoubtful(): Work | null;
  isEmpty(): boolean;
  /** Takes out everything. */
  drain(): Job[];
}

const batchSize = 16;
/** Programs that may wait for an empty sandbox before the others wait for them. */
const backlog = 16;

export function createJobQueue(): JobQueue {
  const shared = new Map<number, Job[]>();
  /** The last one of each source that has no mate. */
  const single = new Map<string, Job>();
  let alone: Job[] = [];
  let exclusive: Job[] = [];
  let doubtful: Job[] = [];
  return { addShared, addAlone, addExclusive, addDoubtful, take, takeDoubtful, isEmpty, drain };

  function addShared(job: Job): void {
    const group = shared.get(job.suite.id);
    if (group === undefined) shared.set(job.suite.id, [job]);
    else group.push(job);
    const other = single.get(job.source);
    if (other === undefined || !mayBeMates(job, other)) single.set(job.source, job);
    else {
      single.delete(job.source);
      job.mate = other;
      other.mate = job;
    }
  }

  function addAlone(job: Job): void {
    alone.push(job);
  }

  function addExclusive(job: Job): void {
    exclusive.push(job);
  }

  function addDoubtful(job: Job): void {
    doubtful.push(job);
  }

  function take(slots: number, idle: boolean): Work | null {
    doubtful = doubtful.filter(({ over }) => !over);
    exclusive = exclusive.filter(({ over }) => !over);
    const others = doubtful.length + exclusive.length >= backlog ? null : (takeAlone() ?? takeShared(slots));
    return others ?? (idle ? (takeDoubtful() ?? takeExclusive()) : null);
  }

  function takeExclusive(): Work | null {
    const job = exclusive.shift();
    return job === undefined ? null : { lane: 'isolated', jobs: [job], company: 'none' };
  }

  function takeDoubtful(): Work | null {
    for (let job = doubtful.shift(); job !== undefined; job = doubtful.shift())
      if (!job.over) return { lane: 'isolated', jobs: [job], company: 'alike' };
    return null;
  }

  function takeAlone(): Work | null {
    for (let job = alone.shift(); job !== undefined; job = alone.shift()) if (!job.over) return { lane: 'isolated', jobs: [job] };
    return null;
  }

  /** An equal share of the suite's programs, so that no slot idles while another has a long batch; all of them while there are other suites to have. */
  function takeShared(slots: number): Work | null {
    for (const [id, group] of shared) {
      shared.delete(id);
      const waiting = group.filter(({ over, taken }) => !over && !taken);
      const share = shared.size >= slots ? waiting.length : Math.floor(waiting.length / slots);
      const jobs = waiting.splice(0, Math.min(batchSize, Math.max(1, share)));
      if (waiting.length > 0) shared.set(id, waiting);
      for (const job of jobs) leave(job);
      const [first, ...others] = jobs;
      if (first === undefined) continue;
      return others.length === 0 ? { lane: 'isolated', jobs: withMate(first, slots) } : { lane: 'batch', jobs: [first, ...others] };
    }
    return null;
  }

  function leave(job: Job): void {
    job.taken = true;
    if (single.get(job.source) === job) single.delete(job.source);
  }

  /** The program's other suite too, unless a slot may be waiting for work. */
  function withMate(job: Job, slots: number): [Job, ...Job[]] {
    const { mate } = job;
    if (mate === null || mate.taken || mate.over || shared.size < slots) return [job];
    leave(mate);
    return [job, mate];
  }

  function isEmpty(): boolean {
    return shared.size === 0 && alone.length === 0 && doubtful.length === 0 && exclusive.length === 0;
  }

  function drain(): Job[] {
    const grouped = [...shared.values()].flat().filter(({ taken }) => !taken);
    const jobs = [...alone, ...grouped, ...doubtful, ...exclusive];
    shared.clear();
    single.clear();
    alone = [];
    doubtful = [];
    exclusive = [];
    return jobs.filter(({ over }) => !over);
  }
}

const mayBeMates = (one: Job, other: Job): boolean =>
  !other.over && !other.taken && one.suite.id !== other.suite.id && one.suite.header.memory === other.suite.header.memory;
