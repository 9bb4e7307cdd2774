/**
 * With programs of a task, a yardstick is timed in the same call: the task's reference, in turns with them. What else
 * the machine does then slows both alike, so their quotient is comparable with that of another call.
 */
import type { Limits, ProgramTiming } from '../../schemas/program.ts';
import type { Suite, Task } from '../../schemas/task.ts';
import type { Sandbox, TimingJob } from '../sandboxes/sandbox.ts';
import type { ReferenceRecord } from '../storage/ledger/records.ts';
import { limitsFor } from './execution-key.ts';
import { referenceMs } from './reference-times.ts';
import { programFor } from './suite-cases.ts';

/** Programs that have a time ended so. */
export const timedOutcomes: ReadonlySet<string> = new Set(['pass', 'wrong_output', 'exception']);

/** A reference that takes longer would cost more time than the programs that it is timed for, milliseconds. */
const longestMs = 10_000;

/** A task's programs, and its yardstick. */
export interface TaskToTime {
  readonly yardstick: TimingJob;
  readonly jobs: readonly TimingJob[];
}

/** The reference on the timed suite; for a task that has none to be timed, a program that is the same for all. */
export function yardstickOf(task: Task, suite: Suite, reference: ReferenceRecord): TimingJob {
  const isTimed = task.reference !== '' && timedOutcomes.has(reference.outcome) && referenceMs(reference) <= longestMs;
  return isTimed ? { program: programFor(task, suite, task.reference), limits: limitsFor(reference, suite) } : fixed;
}

/** Some milliseconds of sums, dict entries, list items and strings. */
const fixedSource = `
def yardstick():
    total, table, items = 0, {}, []
    for number in range(8000):
        total = (total + number) & 1023
        table[total] = number
        items.append(str(total))
    return len(items)
`;
const fixedLimits: Limits = { caseTimeoutMs: 10_000, memoryBytes: 512 * 1024 * 1024, outputBytes: 1_000_000 };
const fixed: TimingJob = {
  program: { source: fixedSource, entryPoint: 'yardstick', inputs: ['[]'] },
  limits: fixedLimits,
};

/**
 * Programs by task, in batches of about `most`: a task's programs stay together, since they share a yardstick. A task
 * with more is a batch of its own.
 */
export function taskBatches<T>(programs: readonly T[], taskOf: (program: T) => string, most: number): T[][][] {
  const batches: T[][][] = [];
  let room = 0;
  for (const own of Map.groupBy(programs, taskOf).values()) {
    if (own.length > room) {
      batches.push([]);
      room = most;
    }
    batches.at(-1)?.push(own);
    room -= own.length;
  }
  return batches;
}

/** The times of all programs, by task, each with the repeats of its yardstick; without them if none finished. */
export async function timeTasks(
  time: NonNullable<Sandbox['time']>,
  tasks: readonly TaskToTime[],
  signal?: AbortSignal,
): Promise<ProgramTiming[][]> {
  const timings = await time(
    tasks.flatMap(({ yardstick, jobs }) => [yardstick, ...jobs]),
    signal,
  );
  let at = 0;
  return tasks.map(({ jobs }) => {
    const [yardstick, ...own] = timings.slice(at, at + 1 + jobs.length);
    at += 1 + jobs.length;
    const repeats = yardstick?.repeats ?? [];
    return own.map((timing) => (repeats.length === 0 ? timing : { ...timing, yardstick: repeats }));
  });
}
