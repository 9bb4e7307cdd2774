/** Many small requests, one durable transaction: what makes an fsync per call affordable. */
import type { LedgerDatabase } from './ledger-transactions.ts';
import type { Totals } from './totals.ts';

type Request = (totals: Totals) => unknown;

export interface GroupCommit {
  /** Resolves after the transaction that holds `work` is durable. Rejects with what `work` throws; its neighbours are not touched by that. */
  request<T>(work: (totals: Totals) => T): Promise<T>;
  /** Does now whatever still waits. */
  flush(): void;
}

interface Waiting {
  readonly work: Request;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** The most that share a transaction, which bounds how long the event loop stands still. */
const maxRequests = 256;

/** Requests of one turn of the event loop share a transaction, and so do all that come while the disk is busy with the one before. */
export function createGroupCommit({ immediate, unsynced, sync }: Pick<LedgerDatabase, 'immediate' | 'unsynced' | 'sync'>): GroupCommit {
  const waiting: Waiting[] = [];
  let isScheduled = false;

  function schedule(): void {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(() => void commitWaiting());
  }

  async function commitWaiting(): Promise<void> {
    const group = waiting.splice(0, maxRequests);
    if (group.length > 0) await commit(group);
    isScheduled = false;
    if (waiting.length > 0) schedule();
  }

  async function commit(group: readonly Waiting[]): Promise<void> {
    const settlements = carryOut(unsynced, group);
    try {
      await sync();
      for (const settle of settlements) settle();
    } catch (error) {
      // Whether it is on disk nobody knows: whoever asked must not build on it.
      for (const { reject } of group) reject(error);
    }
  }

  function request<T>(work: (totals: Totals) => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      waiting.push({ work, resolve: resolve as (value: unknown) => void, reject });
      schedule();
    });
  }

  function flush(): void {
    for (const settle of carryOut(immediate, waiting.splice(0))) settle();
  }

  return { request, flush };
}

/**
 * Gives back how each request is to be settled once all of it is durable. A request that throws undoes the whole transaction, so each is then
 * done alone and only the guilty one is rejected.
 */
function carryOut(transact: LedgerDatabase['immediate'], group: readonly Waiting[]): (() => void)[] {
  if (group.length === 0) return [];
  let requestThrew = false;
  try {
    const results = transact((totals) =>
      group.map(({ work }) => {
        requestThrew = true;
        const result = work(totals);
        requestThrew = false;
        return result;
      }),
    );
    return group.map(
      ({ resolve }, index) =>
        () =>
          resolve(results[index]),
    );
  } catch (error) {
    if (requestThrew && group.length > 1) return group.flatMap((one) => carryOut(transact, [one]));
    return group.map(
      ({ reject }) =>
        () =>
          reject(error),
    );
  }
}
