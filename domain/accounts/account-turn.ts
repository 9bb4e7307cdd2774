/** A process's turn with an account: its calls that ended are settled, and those that have room start. Pure. */
import {
  type AccountLimits,
  type AccountState,
  admit,
  settle,
  type Settlement,
  type Started,
} from './account-state.ts';
import type { Tokens } from './counted-units.ts';

export interface Brought {
  readonly ended: readonly Settlement[];
  /** Tokens to charge in advance for each call that waits, the next one first. */
  readonly waiting: readonly Tokens[];
}

export interface Admitted {
  /** Of the first waiting calls, one each. */
  readonly started: readonly Started[];
  /** Milliseconds until the next waiting call may try again; 0 if all of them started. */
  readonly waitMs: number;
}

/** Changes `state` in place. `holder` is the process. */
export function takeTurn(
  state: AccountState,
  limits: AccountLimits,
  holder: string,
  { ended, waiting }: Brought,
  nowMs: number,
): Admitted {
  for (const call of ended) settle(state, limits, holder, call, nowMs);
  const own = state.holders[holder];
  if (own) own.seenAtMs = nowMs;
  const started: Started[] = [];
  for (const tokens of waiting) {
    const start = admit(state, limits, holder, tokens, nowMs);
    if (typeof start === 'number') return { started, waitMs: start };
    started.push(start);
  }
  return { started, waitMs: 0 };
}
