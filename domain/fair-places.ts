/** How processes share an account's calls in flight: one that has just come waits behind its own calls, and not behind another's queue. */

export interface Holder {
  inFlight: number;
  seenAtMs: number;
  /** When it last found no place for a call; absent once it has found one. */
  wantsAtMs?: number;
}

/** Who has not asked for so long wants no place any more. */
const wantsForMs = 1_000;

/** Whether `holder` has its share of the places, and leaves the next one to a process that has less than that and found none just now. */
export function leavesNextPlace(holders: Readonly<Record<string, Holder>>, holder: string, places: number, nowMs: number): boolean {
  const others = Object.entries(holders).filter(([name]) => name !== holder);
  if (others.length === 0) return false;
  const share = Math.max(1, Math.floor(places / (others.length + 1)));
  if ((holders[holder]?.inFlight ?? 0) < share) return false;
  return others.some(([, { inFlight, wantsAtMs }]) => inFlight < share && Math.abs(nowMs - (wantsAtMs ?? -Infinity)) < wantsForMs);
}
