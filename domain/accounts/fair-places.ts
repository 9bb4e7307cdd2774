/** How processes share an account's calls in flight: a new process does not have to wait for another's whole queue. */

export interface Holder {
  inFlight: number;
  seenAtMs: number;
  /** When it last found no place for a call; absent after it has found one. */
  wantsAtMs?: number;
}

/** A process that has not asked for this long no longer wants a place. */
const wantsForMs = 1_000;

export const callsOf = (holders: Readonly<Record<string, Holder>>): number =>
  Object.values(holders).reduce((sum, { inFlight }) => sum + inFlight, 0);

/** Whether others have so many of the places that less than its share is left to `holder`. */
export function hasLessThanItsShare(
  holders: Readonly<Record<string, Holder>>,
  holder: string,
  places: number,
): boolean {
  const { [holder]: own, ...others } = holders;
  if (callsOf(others) === 0) return false;
  return (own?.inFlight ?? 0) < shareOf(places, Object.keys(others).length + 1);
}

const shareOf = (places: number, holders: number): number => Math.max(1, Math.floor(places / holders));

/** Whether `holder` has its share and must leave the next place to a process that has less and is waiting for one. */
export function leavesNextPlace(
  holders: Readonly<Record<string, Holder>>,
  holder: string,
  places: number,
  nowMs: number,
): boolean {
  const others = Object.entries(holders).filter(([name]) => name !== holder);
  if (others.length === 0) return false;
  const share = shareOf(places, others.length + 1);
  if ((holders[holder]?.inFlight ?? 0) < share) return false;
  return others.some(
    ([, { inFlight, wantsAtMs }]) => inFlight < share && Math.abs(nowMs - (wantsAtMs ?? -Infinity)) < wantsForMs,
  );
}
