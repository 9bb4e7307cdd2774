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
  /** Slots that were lost while it ran, with everything around them well. */
  losses: number;
  /** The batch's run of it, which its run by itself is to repeat. */
  audited: JudgedRun | null;
  /** It has met a limit once; what it does now counts. */
  seenBefore: boolean;
}

export interface Work {
  readonly lane: 'isolated' | 'batch';
  readonly jobs: readonly Job[];
}

export interface JobQueue {
  /** May share a process with others of its suite. */
  addShared(job: Job): void;
  addAlone(job: Job): void;
  /** To run while nothing else does. */
  addExclusive(job: Job): void;
  /** The next work for one of `slots` slots; null when there is none now. `idle`: nothing runs anywhere. */
  take(slots: number, idle: boolean): Work | null;
  isEmpty(): boolean;
  /** Takes out everything. */
  drain(): Job[];
}

const batchSize = 16;
/** Programs that may wait for an empty sandbox before the others wait for them. */
const exclusiveBacklog = 16;

export function createJobQueue(): JobQueue {
  const shared = new Map<number, Job[]>();
  let alone: Job[] = [];
  let exclusive: Job[] = [];
  return { addShared, addAlone, addExclusive, take, isEmpty, drain };

  function addShared(job: Job): void {
    const group = shared.get(job.suite.id);
    if (group === undefined) shared.set(job.suite.id, [job]);
    else group.push(job);
  }

  function addAlone(job: Job): void {
    alone.push(job);
  }

  function addExclusive(job: Job): void {
    exclusive.push(job);
  }

  function take(slots: number, idle: boolean): Work | null {
    exclusive = exclusive.filter(({ over }) => !over);
    const others = exclusive.length >= exclusiveBacklog ? null : (takeAlone() ?? takeShared(slots));
    if (others !== null) return others;
    const next = idle ? exclusive.shift() : undefined;
    return next === undefined ? null : { lane: 'isolated', jobs: [next] };
  }

  function takeAlone(): Work | null {
    for (let job = alone.shift(); job !== undefined; job = alone.shift()) if (!job.over) return { lane: 'isolated', jobs: [job] };
    return null;
  }

  /** An equal share of the suite's programs, so that no slot idles while another has a long batch. */
  function takeShared(slots: number): Work | null {
    for (const [id, group] of shared) {
      shared.delete(id);
      const waiting = group.filter(({ over }) => !over);
      const jobs = waiting.splice(0, Math.min(batchSize, Math.max(1, Math.floor(waiting.length / slots))));
      if (waiting.length > 0) shared.set(id, waiting);
      if (jobs.length > 0) return { lane: jobs.length === 1 ? 'isolated' : 'batch', jobs };
    }
    return null;
  }

  function isEmpty(): boolean {
    return shared.size === 0 && alone.length === 0 && exclusive.length === 0;
  }

  function drain(): Job[] {
    const jobs = [...alone, ...[...shared.values()].flat(), ...exclusive];
    shared.clear();
    alone = [];
    exclusive = [];
    return jobs.filter(({ over }) => !over);
  }
}
