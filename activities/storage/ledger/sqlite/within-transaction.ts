/** Caches look-ups that the requests of one transaction repeat and do not change. */
import type { Totals } from './totals.ts';

const remembered = new WeakMap<Totals, Map<string, unknown>>();

/**
 * The result of `find`, called once in the transaction of `totals`.
 * @param key unique among all look-ups of this kind
 */
export function onceWithin<T>(totals: Totals, key: string, find: () => T): T {
  const known = remembered.get(totals) ?? new Map<string, unknown>();
  remembered.set(totals, known);
  if (!known.has(key)) known.set(key, find());
  return known.get(key) as T;
}
