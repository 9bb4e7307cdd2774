/** The limit at which the calls of an open account wait, for people, and how long that is told. */
import type { Wait } from './stated-limits.ts';

/** The limit that calls last waited for. */
export interface Slowed {
  readonly atMs: number;
  /** In words. */
  readonly why: string;
  /** Absent in states stored by older programs. */
  readonly toldMs?: number;
}

export interface SlowedAccount {
  readonly endpoint: string;
  readonly keyVariable: string | null;
  /** In words. */
  readonly why: string;
}

/** A wait is told until calls look for room again: a short one soon, a long one when its step is tried again. */
const toldForMs = (waitMs: number): number => (waitMs > longMs ? 45_000 : shortlyMs);
const longMs = 60_000;
const shortlyMs = 10_000;

export const slowedBy = ({ waitMs, why }: Wait, nowMs: number): Slowed => ({
  atMs: nowMs,
  why,
  toldMs: toldForMs(waitMs),
});

interface NamedState {
  readonly name?: { readonly endpoint: string; readonly keyVariable: string | null };
  readonly slowed?: Slowed;
}

/** Null for an account whose calls have not waited for a rate within the last seconds. */
export function slowedAccount({ name, slowed }: NamedState, nowMs: number): SlowedAccount | null {
  if (name === undefined || slowed === undefined) return null;
  if (Math.abs(nowMs - slowed.atMs) > (slowed.toldMs ?? shortlyMs)) return null;
  return { ...name, why: slowed.why };
}
