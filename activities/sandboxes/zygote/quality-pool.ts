/** Manages quality slots: starts them when there is something to measure, and replaces lost ones. */
import { solutionText } from '../../../domain/metrics/solution-text.ts';
import type { Measures } from '../../../schemas/measures.ts';
import { createExclusiveTasks, type ExclusiveTasks } from '../exclusive-tasks.ts';
import { openQualitySlot, type QualitySlot, unmeasured } from './quality-slot.ts';
import { SandboxFault } from '../sandbox.ts';
import type { ZygoteHost } from './zygote-link.ts';

export interface QualityPool {
  measure(sources: readonly string[], signal?: AbortSignal): Promise<Measures[]>;
  /** Runs work while nothing is measured (exclusive-tasks.ts). */
  readonly quiet: ExclusiveTasks['add'];
  close(): Promise<void>;
}

interface Job {
  readonly text: string;
  readonly resolve: (measures: Measures) => void;
  readonly reject: (reason: Error) => void;
  /** Settled, or cancelled by its caller. */
  over: boolean;
  /** Slots lost while measuring it, with the host up. */
  losses: number;
}

interface Place {
  readonly index: number;
  slot: QualitySlot | null;
  working: Promise<void> | null;
}

/** Programs sent to a slot together: forking is expensive, but so is waiting for the end of a long batch. */
const batchSize = 32;

export function createQualityPool(host: ZygoteHost, slots: number): QualityPool {
  return new SlotPool(host, slots);
}

class SlotPool implements QualityPool {
  readonly #host: ZygoteHost;
  readonly #slots: number;
  readonly #places: Place[];
  #queue: Job[] = [];
  #closed = false;
  readonly #quiet: ExclusiveTasks;
  readonly quiet: QualityPool['quiet'];

  constructor(host: ZygoteHost, slots: number) {
    this.#host = host;
    this.#slots = slots;
    this.#places = Array.from({ length: slots }, (_, index) => ({ index, slot: null, working: null }));
    this.#quiet = createExclusiveTasks(
      () => this.#places.every(({ working }) => working === null),
      () => this.#wake(),
    );
    this.quiet = this.#quiet.add;
  }

  readonly measure = async (sources: readonly string[], signal?: AbortSignal): Promise<Measures[]> => {
    signal?.throwIfAborted();
    if (this.#closed) throw closedFault();
    const texts = sources.map(solutionText);
    const jobs: Job[] = [];
    const order = (text: string): Promise<Measures> =>
      new Promise((resolve, reject) => jobs.push({ text, resolve, reject, over: false, losses: 0 }));
    const byText = new Map([...new Set(texts)].map((text) => [text, order(text)]));
    const giveUp = () => {
      for (const job of jobs) fail(job, signal?.reason as Error);
    };
    signal?.addEventListener('abort', giveUp, { once: true });
    this.#queue.push(...jobs);
    this.#wake();
    try {
      const measured = new Map(
        await Promise.all([...byText].map(async ([text, measures]) => [text, await measures] as const)),
      );
      return texts.map((text) => measured.get(text) as Measures);
    } finally {
      signal?.removeEventListener('abort', giveUp);
    }
  };

  readonly close = async (): Promise<void> => {
    this.#closed = true;
    for (const job of this.#queue.splice(0)) fail(job, closedFault());
    await Promise.all(
      this.#places.map(async (place) => {
        await place.slot?.stop();
        await place.working;
        await place.slot?.stop();
      }),
    );
    await this.#quiet.close();
    await this.#host.close();
  };

  #wake(): void {
    if (this.#quiet.holdsBack()) return;
    for (const place of this.#places) {
      if (place.working !== null) continue;
      const jobs = this.#take();
      if (jobs.length === 0) return;
      place.working = this.#work(place, jobs);
    }
  }

  async #work(place: Place, first: readonly Job[]): Promise<void> {
    for (let jobs = first; jobs.length > 0; jobs = this.#take()) {
      try {
        place.slot ??= await openQualitySlot(await this.#host.start(place.index));
        const { slot } = place;
        const measured = this.#closed ? null : await slot.measure(jobs.map(({ text }) => text));
        if (measured === null) await this.#lose(place, slot, jobs);
        else for (const [index, job] of jobs.entries()) settle(job, measured[index] as Measures);
      } catch (error) {
        for (const job of [...jobs, ...this.#queue.splice(0)]) fail(job, error as Error);
      }
    }
    place.working = null;
    this.#wake();
  }

  /** The next batch. A program that was lost once is measured alone. Empty once the pool is closed. */
  #take(): Job[] {
    this.#queue = this.#queue.filter(({ over }) => !over);
    if (this.#closed || this.#quiet.holdsBack()) return [];
    const most =
      this.#queue[0] !== undefined && this.#queue[0].losses > 0
        ? 1
        : Math.min(batchSize, Math.ceil(this.#queue.length / this.#slots));
    return this.#queue.splice(0, most);
  }

  async #lose(place: Place, slot: QualitySlot, jobs: readonly Job[]): Promise<void> {
    place.slot = null;
    await slot.stop();
    const hostWell = await this.#host.isWell().catch(() => false);
    for (const job of jobs) {
      if (hostWell) job.losses++;
      if (this.#closed) fail(job, closedFault());
      else if (job.losses >= 2) settle(job, unmeasured('killed', job.text, slot.service));
      else this.#queue.unshift(job);
    }
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
