/** Quality slots under supervision: started when there is something to measure, replaced when they are lost. */
import { solutionText } from '../../domain/metrics/solution-text.ts';
import type { Measures } from '../../schemas/measures.ts';
import { createQuietWorks, type QuietWorks } from './quiet-works.ts';
import { openQualitySlot, type QualitySlot, unmeasured } from './quality-slot.ts';
import { SandboxFault } from './sandbox.ts';
import type { ZygoteHost } from './zygote-link.ts';

export interface QualityPool {
  measure(sources: readonly string[], signal?: AbortSignal): Promise<Measures[]>;
  /** Does something while nothing is measured (quiet-works.ts). */
  readonly quiet: QuietWorks['add'];
  close(): Promise<void>;
}

interface Job {
  readonly text: string;
  readonly resolve: (measures: Measures) => void;
  readonly reject: (reason: Error) => void;
  /** Settled, or given up by its caller. */
  over: boolean;
  /** Slots that were lost while it was in them, with the host well. */
  losses: number;
}

interface Place {
  readonly index: number;
  slot: QualitySlot | null;
  working: Promise<void> | null;
}

/** Programs that go to a slot together: forking is dear, waiting for the last of a long batch is, too. */
const batchSize = 32;

export function createQualityPool(host: ZygoteHost, slots: number): QualityPool {
  const places: Place[] = Array.from({ length: slots }, (_, index) => ({ index, slot: null, working: null }));
  let queue: Job[] = [];
  let closed = false;
  const quiet = createQuietWorks(() => places.every(({ working }) => working === null), wake);
  return { measure, quiet: quiet.add, close };

  async function measure(sources: readonly string[], signal?: AbortSignal): Promise<Measures[]> {
    signal?.throwIfAborted();
    if (closed) throw closedFault();
    const texts = sources.map(solutionText);
    const jobs: Job[] = [];
    const order = (text: string): Promise<Measures> =>
      new Promise((resolve, reject) => jobs.push({ text, resolve, reject, over: false, losses: 0 }));
    const byText = new Map([...new Set(texts)].map((text) => [text, order(text)]));
    const giveUp = () => {
      for (const job of jobs) fail(job, signal?.reason as Error);
    };
    signal?.addEventListener('abort', giveUp, { once: true });
    queue.push(...jobs);
    wake();
    try {
      const measured = new Map(await Promise.all([...byText].map(async ([text, measures]) => [text, await measures] as const)));
      return texts.map((text) => measured.get(text) as Measures);
    } finally {
      signal?.removeEventListener('abort', giveUp);
    }
  }

  function wake(): void {
    if (quiet.holdsBack()) return;
    for (const place of places) {
      if (place.working !== null) continue;
      const jobs = take();
      if (jobs.length === 0) return;
      place.working = work(place, jobs);
    }
  }

  async function work(place: Place, first: readonly Job[]): Promise<void> {
    for (let jobs = first; jobs.length > 0; jobs = take()) {
      try {
        place.slot ??= await openQualitySlot(await host.start(place.index));
        const { slot } = place;
        const measured = closed ? null : await slot.measure(jobs.map(({ text }) => text));
        if (measured === null) await lose(place, slot, jobs);
        else for (const [index, job] of jobs.entries()) settle(job, measured[index] as Measures);
      } catch (error) {
        for (const job of [...jobs, ...queue.splice(0)]) fail(job, error as Error);
      }
    }
    place.working = null;
    wake();
  }

  /** What was lost once goes by itself. Nothing once closed. */
  function take(): Job[] {
    queue = queue.filter(({ over }) => !over);
    if (closed || quiet.holdsBack()) return [];
    const most = queue[0] !== undefined && queue[0].losses > 0 ? 1 : Math.min(batchSize, Math.ceil(queue.length / slots));
    return queue.splice(0, most);
  }

  async function lose(place: Place, slot: QualitySlot, jobs: readonly Job[]): Promise<void> {
    place.slot = null;
    await slot.stop();
    const hostWell = await host.isWell().catch(() => false);
    for (const job of jobs) {
      if (hostWell) job.losses++;
      if (closed) fail(job, closedFault());
      else if (job.losses >= 2) settle(job, unmeasured('killed', job.text, slot.service));
      else queue.unshift(job);
    }
  }

  async function close(): Promise<void> {
    closed = true;
    for (const job of queue.splice(0)) fail(job, closedFault());
    await Promise.all(
      places.map(async (place) => {
        await place.slot?.stop();
        await place.working;
        await place.slot?.stop();
      }),
    );
    await quiet.close();
    await host.close();
  }
}

function settle(job: Job, measures: Measures): void {
  job.over = true;
  job.resolve(measures);
}

function fail(job: Job, reason: Error): void {
  job.over = true;
  job.reject(reason);
}

const closedFault = (): SandboxFault => new SandboxFault('the sandbox was closed before the programs were measured');
