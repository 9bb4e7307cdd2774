/** What an account has used within the last day, for limits per day: wherever a day starts, it has no more. */

/** Used by quarter of an hour, named by its number since 1970; plain JSON, as it is stored. */
export type DayCount = Record<string, number>;

const slotMs = 15 * 60_000;
const dayMs = 24 * 3_600_000;

/** A slot counts until a day after its end. */
const countsUntilMs = (slot: string): number => (Number(slot) + 1) * slotMs + dayMs;

/** Milliseconds until `cost` more is within the limit, or until nothing is counted if `cost` is larger than it. */
export function dayWait(count: DayCount, limit: number | undefined, cost: number, nowMs: number): number {
  if (limit === undefined) return 0;
  const slots = Object.entries(count)
    .map(([slot, used]) => ({ untilMs: countsUntilMs(slot), used }))
    .filter(({ untilMs }) => untilMs > nowMs)
    .toSorted((a, b) => a.untilMs - b.untilMs);
  let over = slots.reduce((sum, { used }) => sum + used, 0) + Math.min(cost, limit) - limit;
  let waitMs = 0;
  for (const { untilMs, used } of slots) {
    if (over <= 0) break;
    waitMs = untilMs - nowMs;
    over -= used;
  }
  return waitMs;
}

/** Adds to the slot of now; forgets what no longer counts. A negative cost takes back. */
export function countInDay(count: DayCount, cost: number, nowMs: number): DayCount {
  const slot = String(Math.floor(nowMs / slotMs));
  const kept = Object.entries(count).filter(([name]) => countsUntilMs(name) > nowMs);
  return { ...Object.fromEntries(kept), [slot]: (count[slot] ?? 0) + cost };
}
