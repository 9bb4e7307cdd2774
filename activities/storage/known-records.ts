/** Records that this process read or stored last. What is stored never changes, and steps ask for the same ones again and again. */
import { createRecent } from '../../domain/recent.ts';

export interface KnownRecords<V> {
  get(key: string): V | undefined;
  /** @param value what the ledger holds under the key */
  put(key: string, value: V): V;
}

/**
 * @param find in the ledger, what is not at hand
 * @param room characters that are kept
 * @param sizeOf a record's characters
 */
export function createKnownRecords<V>(find: (key: string) => V | undefined, room: number, sizeOf: (record: V) => number): KnownRecords<V> {
  const recent = createRecent<V>(room);
  function put(key: string, value: V): V {
    recent.put(key, value, sizeOf(value));
    return value;
  }
  function get(key: string): V | undefined {
    const known = recent.get(key);
    if (known !== undefined) return known;
    const found = find(key);
    return found && put(key, found);
  }
  return { get, put };
}
