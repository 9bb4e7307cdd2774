/** Keeps the heap from filling with garbage while DuckDB needs the memory. */
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** A tenth of a second's work is spent for so much, in bytes. */
const worthCollecting = 80e6;
let afterLast = 0;
let collect: ((flavor: Flavor) => void) | undefined;

/** As V8 names them. */
type Flavor = 'regular' | 'last-resort';

/**
 * Collects garbage if the heap has grown by 80 MB since the last time. V8 waits until it has about three times what is
 * alive, and does not know of the memory that a query takes outside its heap: a report over a million answers held
 * 500 MB of garbage during its largest query.
 */
export function limitGarbage(): void {
  const used = getHeapStatistics().used_heap_size;
  if (used < afterLast) afterLast = used;
  if (used - afterLast >= worthCollecting) collectNow('regular');
}

/**
 * Before a query that takes much memory: what was alive at the last collection may be garbage now, and the system gets
 * back the memory that V8 would keep for later.
 */
export function clearHeap(): void {
  if (getHeapStatistics().used_heap_size >= worthCollecting) collectNow('last-resort');
}

function collectNow(flavor: Flavor): void {
  collect ??= collector();
  collect(flavor);
  afterLast = getHeapStatistics().used_heap_size;
}

/** Node gives this function only to those who set a flag; it may be set at any time. */
function collector(): (flavor: Flavor) => void {
  setFlagsFromString('--expose-gc');
  const found: unknown = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  return typeof found === 'function' ? (flavor) => void found({ type: 'major', execution: 'sync', flavor }) : () => {};
}
