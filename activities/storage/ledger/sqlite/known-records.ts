/**
 * A cache of records that this process recently read or stored: stored records never change,
 * and steps often need the same ones.
 */
import { createRecent } from '../../../../domain/recent.ts';

export interface KnownRecords<V> {
  get(key: string): V | undefined;
  /** @param value the ledger's value for the key */
  put(key: string, value: V): V;
}

/**
 * @param find reads a missing record from the ledger
 * @param room limit of the cache, in characters
 * @param sizeOf a record's size, in characters
 */
export function createKnownRecords<V>(
  find: (key: string) => V | undefined,
  room: number,
  sizeOf: (record: V) => number,
): KnownRecords<V> {
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
