/**
 * Adds sealed parts to the manifest soon rather than at once: pages that are sealed at the same time share one write.
 * The first publication lists all parts of the ledger: a process that was killed may have left some unpublished.
 */
import type { PartRecord } from '../ledger/records.ts';

/** What a process has changed among a run's parts. */
export interface PartsChange {
  /** Parts that count now and are in place. */
  readonly added: readonly PartRecord[];
  /** Paths of parts that no longer count. */
  readonly removed: readonly string[];
}

export interface Publisher {
  /**
   * Publishes within about a second, once for all calls meanwhile. If it fails, the next publication lists all parts.
   * @param change `all` where it is not known what changed
   */
  soon(change: PartsChange | 'all'): void;
  /** Publishes now if a publication is pending. */
  flush(): Promise<void>;
}

const leastPauseMs = 1_000;
/** Publishing may take one twentieth of the time. */
const pausePerPublish = 20;

/** @param publish makes the manifest have these changes, or all parts of the ledger; idempotent */
export function createPublisher(publish: (change: PartsChange | 'all') => Promise<void>): Publisher {
  let waiting: NodeJS.Timeout | undefined;
  let pending: PartsChange | 'all' | null = null;
  let isFirst = true;
  let pauseMs = leastPauseMs;
  const flush = async (): Promise<void> => {
    if (waiting === undefined || pending === null) return;
    clearTimeout(waiting);
    waiting = undefined;
    const change = pending;
    pending = null;
    const startMs = performance.now();
    try {
      await publish(change);
    } catch (error) {
      pending = 'all';
      throw error;
    }
    pauseMs = Math.max(leastPauseMs, pausePerPublish * (performance.now() - startMs));
  };
  return {
    soon: (change) => {
      pending = isFirst ? 'all' : joined(pending, change);
      isFirst = false;
      waiting ??= setTimeout(() => void flush().catch(() => {}), pauseMs).unref();
    },
    flush,
  };
}

/** A part that was added and is replaced before anything is published is not added. */
function joined(first: PartsChange | 'all' | null, next: PartsChange | 'all'): PartsChange | 'all' {
  if (first === null || next === 'all' || first === 'all') return first === 'all' ? 'all' : next;
  const removed = new Set(next.removed);
  const back = new Set(next.added.map(({ path }) => path));
  return {
    added: [...first.added.filter(({ path }) => !removed.has(path) && !back.has(path)), ...next.added],
    removed: [...first.removed.filter((path) => !back.has(path)), ...next.removed],
  };
}
