/** Groups many small requests into one durable transaction, so that not every call needs an fsync. */
import { channel } from 'node:diagnostics_channel';
import type { LedgerDatabase } from './ledger-transactions.ts';
import type { Totals } from './totals.ts';
import type { WriteGate } from './write-gate.ts';

type Request = (totals: Totals) => unknown;

export interface GroupCommit {
  /**
   * Resolves when the transaction with `work` is durable. Rejects with the error of `work`;
   * other requests are not affected.
   */
  request<T>(work: (totals: Totals) => T): Promise<T>;
  /** Runs all waiting requests. */
  flush(): Promise<void>;
}

interface Waiting {
  readonly work: Request;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** Gets the number of requests of each group that is on disk. Costs nothing while nobody listens. */
export const ledgerGroups = channel('evenkeel.ledger-groups');

/** Largest group, to limit how long the event loop is blocked. */
const maxRequests = 256;

/**
 * Groups the requests of one turn of the event loop, and all that arrive while the disk is busy
 * with the previous group.
 */
export function createGroupCommit(
  { immediate, unsynced, sync }: Pick<LedgerDatabase, 'immediate' | 'unsynced' | 'sync'>,
  gate: Pick<WriteGate, 'held'>,
): GroupCommit {
  const waiting: Waiting[] = [];
  let isScheduled = false;

  function schedule(): void {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(() => void commitWaiting());
  }

  async function commitWaiting(): Promise<void> {
    while (gate.held !== undefined) await gate.held;
    const group = waiting.splice(0, maxRequests);
    if (group.length > 0) await commit(group);
    isScheduled = false;
    if (waiting.length > 0) schedule();
  }

  async function commit(group: readonly Waiting[]): Promise<void> {
    const settlements = carryOut(unsynced, group);
    try {
      await sync();
      if (ledgerGroups.hasSubscribers) ledgerGroups.publish(group.length);
      for (const settle of settlements) settle();
    } catch (error) {
      // It is unknown whether the data is on disk, so callers must not rely on it.
      for (const { reject } of group) reject(error);
    }
  }

  function request<T>(work: (totals: Totals) => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      waiting.push({ work, resolve: resolve as (value: unknown) => void, reject });
      schedule();
    });
  }

  async function flush(): Promise<void> {
    while (gate.held !== undefined) await gate.held;
    for (const settle of carryOut(immediate, waiting.splice(0))) settle();
  }

  return { request, flush };
}

/**
 * Returns the settlement of each request, to call once the group is durable. A request that throws rolls back the whole
 * transaction; each request is then run alone, and only the failing one is rejected.
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
