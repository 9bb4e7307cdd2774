/** A cache of bounded size: the value that was put first is dropped first. */
export interface Recent<V> {
  get(key: string): V | undefined;
  /** @param size of the value, in the unit of `room`; a value larger than `room` is not kept */
  put(key: string, value: V, size: number): void;
}

/** @param room most total size of the values kept, in any unit */
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
