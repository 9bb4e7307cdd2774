/** When each batch is looked at next: later the longer it takes, and not before the endpoint said. */
import { patienceMs, shortestWaitMs } from './patience.ts';

const afterFaultMs = 5_000;

interface Look {
  readonly atMs: number;
  readonly waitMs: number;
  /** Whether the wait is the endpoint's, so that a stop does not shorten it. */
  readonly isFixed: boolean;
}

export class NextLooks {
  readonly #last = new Map<string, Look>();
  readonly #nowMs: () => number;

  /** @param nowMs milliseconds of a clock that nobody sets; a new process looks at once */
  constructor(nowMs = (): number => performance.now()) {
    this.#nowMs = nowMs;
  }

  /** @returns how long the batch still waits for its look, milliseconds; 0 if it is due */
  waitMs(uuid: string, isStopped: boolean): number {
    const last = this.#last.get(uuid);
    if (last === undefined) return 0;
    const waitMs = isStopped && !last.isFixed ? Math.min(last.waitMs, shortestWaitMs) : last.waitMs;
    return Math.max(0, Math.ceil(last.atMs + waitMs - this.#nowMs()));
  }

  /**
   * Notes that the endpoint answered.
   * @param ageMs since the batch was made
   * @param isSettled whether the batch is known to be at the endpoint; the steps before that follow each other soon
   */
  answered(uuid: string, ageMs: number, isSettled: boolean): void {
    this.#note(uuid, isSettled ? patienceMs(ageMs) : shortestWaitMs, false);
  }

  /** Notes that the endpoint could not be asked. @param retryAfterMs as it said; null if it did not */
  failed(uuid: string, retryAfterMs: number | null): void {
    this.#note(uuid, retryAfterMs ?? afterFaultMs, retryAfterMs !== null);
  }

  #note(uuid: string, waitMs: number, isFixed: boolean): void {
    this.#last.set(uuid, { atMs: this.#nowMs(), waitMs, isFixed });
  }
}
