/** The values that were put last, as many as fit: the oldest goes first. */
export interface Recent<V> {
  get(key: string): V | undefined;
  /** @param size what the value takes of the room */
  put(key: string, value: V, size: number): void;
}

/** @param room sum of the sizes that are kept, in the callers' unit */
export function createRecent<V>(room: number): Recent<V> {
  const entries = new Map<string, { readonly value: V; readonly size: number }>();
  let taken = 0;
  const drop = (key: string): void => {
    taken -= entries.get(key)?.size ?? 0;
    entries.delete(key);
  };
  return {
    get: (key) => entries.get(key)?.value,
    put(key, value, size) {
      if (size > room) return;
      drop(key);
      entries.set(key, { value, size });
      taken += size;
      for (const [oldest] of entries) {
        if (taken <= room) break;
        drop(oldest);
      }
    },
  };
}
