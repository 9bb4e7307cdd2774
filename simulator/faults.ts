/**
 * Faults of single HTTP attempts. A repeated request succeeds, so they change the course of a run, never its results.
 */
import { uniformOf } from '../domain/random.ts';
import type { SimulatedProfile } from './profile.ts';

export const transportFaults = [
  'rateLimited',
  'serverError',
  'broken',
  'malformed',
  'noChoices',
  'hang',
  'requestTimeout',
  'conflict',
  'drip',
] as const;
export type TransportFault = (typeof transportFaults)[number];

export interface FaultSource {
  /** The fault of this request's next attempt, or null. At most `maxFaultsPerCall` attempts of one body fail. */
  next(bodySha256: string): TransportFault | null;
}

/** Counts attempts by body; remembers only bodies that failed once. */
export function createFaultSource(profile: SimulatedProfile): FaultSource {
  const failedAttempts = new Map<string, number>();
  return {
    next(bodySha256) {
      const attempt = failedAttempts.get(bodySha256) ?? 0;
      if (attempt >= profile.maxFaultsPerCall) return null;
      const fault = pick(profile, uniformOf('fault', profile.seed, bodySha256, attempt));
      if (attempt > 0 || fault !== null) failedAttempts.set(bodySha256, attempt + 1);
      return fault;
    },
  };
}

export const hasTransportFaults = (profile: SimulatedProfile): boolean =>
  transportFaults.some((fault) => profile.faults[fault] > 0);

function pick(profile: SimulatedProfile, draw: number): TransportFault | null {
  let bound = 0;
  for (const fault of transportFaults) {
    bound += profile.faults[fault];
    if (draw < bound) return fault;
  }
  return null;
}

/** How long this request takes, milliseconds: 0.5 to 1.5 of the mean, fixed by the body. */
export const latencyOf = (profile: SimulatedProfile, bodySha256: string): number =>
  profile.latencyMs === 0 ? 0 : profile.latencyMs * (0.5 + uniformOf('latency', profile.seed, bodySha256));
