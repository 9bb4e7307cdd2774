/** Keeps the heap from filling with garbage while DuckDB needs the memory. */
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** A tenth of a second's work is spent for so much, in bytes. */
const worthCollecting = 150e6;
let afterLast = 0;
let collect: (() => void) | undefined;

/**
 * Collects garbage if the heap has grown by 150 MB since the last time. V8 waits until it has about three times what is
 * alive, and does not know of the memory that a query takes outside its heap: a report over a million answers held
 * 500 MB of garbage during its largest query.
 */
export function limitGarbage(): void {
  const used = getHeapStatistics().used_heap_size;
  if (used < afterLast) afterLast = used;
  if (used - afterLast >= worthCollecting) collectNow();
}

/** Before a query that takes much memory: what was alive at the last collection may be garbage now. */
export function clearHeap(): void {
  if (getHeapStatistics().used_heap_size >= worthCollecting) collectNow();
}

function collectNow(): void {
  collect ??= collector();
  collect();
  afterLast = getHeapStatistics().used_heap_size;
}

/** Node gives this function only to those who set a flag; it may be set at any time. */
function collector(): () => void {
  setFlagsFromString('--expose-gc');
  const found: unknown = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  return typeof found === 'function' ? () => void found() : () => {};
}
