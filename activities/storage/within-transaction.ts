/** What the requests of one transaction ask again and again, and none of them changes. */
import type { Totals } from './totals.ts';

const remembered = new WeakMap<Totals, Map<string, unknown>>();

/** What `find` gives, looked up once in the transaction of `totals`. @param key unique among all that is looked up in this way */
export function onceWithin<T>(totals: Totals, key: string, find: () => T): T {
  const known = remembered.get(totals) ?? new Map<string, unknown>();
  remembered.set(totals, known);
  if (!known.has(key)) known.set(key, find());
  return known.get(key) as T;
}
