import { seedOf, uniform } from '../../../domain/random.ts';

/** Endpoints with limits, in simulated time: whether a request is accepted now. */
export interface Allowing {
  takes(nowMs: number, inFlight: number): boolean;
}

/** At most this many requests in any such window; with `countsRefused`, refused ones count, too. */
export function slidingWindow(limit: number, windowMs = 60_000, countsRefused = false): Allowing {
  let times: number[] = [];
  return {
    takes(nowMs) {
      times = times.filter((time) => time > nowMs - windowMs);
      const isTaken = times.length < limit;
      if (isTaken || countsRefused) times.push(nowMs);
      return isTaken;
    },
  };
}

export function tokenBucket(perSecond: number, size: number): Allowing {
  let [level, atMs] = [size, 0];
  return {
    takes(nowMs) {
      level = Math.min(size, level + ((nowMs - atMs) / 1000) * perSecond);
      atMs = nowMs;
      if (level < 1) return false;
      level -= 1;
      return true;
    },
  };
}

/** Refuses a share of the calls at any rate, and those that `endpoint` refuses. */
export function byChance(share: number, seed: string, endpoint: Allowing = { takes: () => true }): Allowing {
  const random = uniform(seedOf(seed));
  return { takes: (nowMs, inFlight) => random() >= share && endpoint.takes(nowMs, inFlight) };
}

export const inFlightAtMost = (most: number): Allowing => ({ takes: (_nowMs, inFlight) => inFlight < most });
