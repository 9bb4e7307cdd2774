/** Watches over a store of objects that is asked and does not answer: says so, and gives up where that is wanted. */
import { ServerError } from '../../../domain/errors.ts';

/** How long a process waits for an object store that does not answer. */
export interface Patience {
  /** It gives up after this time without an answer; null if each request has only its own tries. */
  readonly limitMs: number | null;
  /** What is said first, and again after each of these times. */
  readonly sayAfterMs: number;
  readonly sayEveryMs: number;
  readonly say: (line: string) => void;
}

const toStderr = (line: string): void => void process.stderr.write(`${line}\n`);

/** Of commands that a person waits for. */
export const impatient: Patience = { limitMs: 60_000, sayAfterMs: 5_000, sayEveryMs: 15_000, say: toStderr };
/** Of commands that carry a run out. */
export const patient: Patience = { ...impatient, limitMs: null, sayEveryMs: 60_000 };
/** Of workers, whose lines are among those of the run. */
export const workersPatience: Patience = { ...patient, sayAfterMs: 30_000 };

/** After it has given up, and as long as the store says nothing, another request has this time. */
const againMs = 5_000;
const tickMs = 250;

export interface Silence {
  /** Runs `work`, which asks the store, as one of those that wait. */
  during<T>(work: () => Promise<T>): Promise<T>;
  /** The store has said something. */
  heard(): void;
  /** Aborts when nothing was heard for too long. */
  signal(): AbortSignal;
}

/**
 * Time in which the process is stopped does not count.
 * @param store for people
 * @param triesMs the longest that all tries of one request take
 */
export function silenceOf(store: string, { limitMs, sayAfterMs, sayEveryMs, say }: Patience, triesMs: number): Silence {
  let [waiting, silentMs, saidAtMs, tickedAtMs] = [0, 0, 0, 0];
  let [end, hasGivenUp] = [new AbortController(), false];
  let timer: NodeJS.Timeout | undefined;
  const mostMs = (): number | null => (limitMs !== null && hasGivenUp ? Math.min(limitMs, againMs) : limitMs);

  function forget(): void {
    [silentMs, saidAtMs] = [0, 0];
  }
  function tick(): void {
    const nowMs = performance.now();
    silentMs += Math.min(nowMs - tickedAtMs, 4 * tickMs);
    tickedAtMs = nowMs;
    const most = mostMs();
    if (silentMs >= (saidAtMs === 0 ? sayAfterMs : saidAtMs + sayEveryMs)) {
      saidAtMs = silentMs;
      const limit = Math.round((most ?? triesMs) / 1_000);
      say(`waiting for the object store ${store}, since ${Math.round(silentMs / 1_000)} s (at most ${limit} s)`);
    }
    if (most === null || silentMs < most) return;
    end.abort(new SilentError(store, silentMs));
    [end, hasGivenUp] = [new AbortController(), true];
    forget();
  }

  return {
    async during(work) {
      if (waiting === 0) {
        forget();
        tickedAtMs = performance.now();
        timer = setInterval(tick, tickMs).unref();
      }
      waiting += 1;
      try {
        return await work();
      } finally {
        waiting -= 1;
        if (waiting === 0) clearInterval(timer);
      }
    },
    heard() {
      forget();
      hasGivenUp = false;
    },
    signal: () => end.signal,
  };
}

/** The reason of the signal. */
export class SilentError extends Error {
  override readonly name = 'SilentError';

  constructor(store: string, silentMs: number) {
    super(`no answer of ${store} for ${Math.round(silentMs / 1_000)} s`);
  }
}

/** @param what `GET s3://...` */
export const silentFault = (what: string, reason: SilentError): ServerError =>
  new ServerError(`the store cannot be used: ${what}: ${reason.message}`, reason);
