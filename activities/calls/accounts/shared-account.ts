/** How a process takes its turns with an account: alone, or together with all that share its store. */
import { randomUUID } from 'node:crypto';
import {
  type AccountLimits,
  type AccountState,
  isTight,
  joinState,
  newAccountState,
} from '../../../domain/accounts/account-state.ts';
import { type Admitted, type Brought, takeTurn } from '../../../domain/accounts/account-turn.ts';
import type { AccountIdentity, AccountStore } from './account-store.ts';
import { pidSpace } from './pid-space.ts';

/** One account, for the turns of one process; one turn at a time. */
export interface AccountTurns {
  turn(limits: AccountLimits, brought: Brought): Promise<Admitted>;
}

/** A holder that has not taken a turn for this long counts as dead, on any machine. */
const holderLifeMs = 30_000;
/** How often a process with calls in flight must take a turn. */
export const holderTouchMs = 10_000;
/** How often a process reads the shared state of an account that has no known limits. */
const relaxedLookMs = 250;

/** Names this process among those that share an account. */
export const newHolder = (): string => `${pidSpace()}/${process.pid}/${randomUUID().slice(0, 8)}`;

/** Shares its state with nobody. */
export function privateAccount(): AccountTurns {
  const state = newAccountState();
  return { turn: async (limits, brought) => takeTurn(state, limits, 'this process', brought, Date.now()) };
}

/** For an account with limits in the spec: every turn is taken on the shared state. */
export function sharedAccount(store: AccountStore, identity: AccountIdentity, holder: string): AccountTurns {
  return {
    turn: (limits, brought) =>
      store.change(identity, (state, nowMs) => {
        prepare(state, identity, holder, nowMs);
        return takeTurn(state, limits, holder, brought, nowMs);
      }),
  };
}

/**
 * For an account without limits in the spec: turns are taken on a copy of this process, which joins the shared state
 * now and then, until the endpoint limits it.
 */
export function relaxedAccount(store: AccountStore, identity: AccountIdentity, holder: string): AccountTurns {
  let local = newAccountState();
  let before = newAccountState();
  let lookedAtMs = -Infinity;
  let clockAheadMs = 0;
  const together = async (limits: AccountLimits, brought: Brought): Promise<Admitted> => {
    const [admitted, joined, storeMs] = await store.change(identity, (state, nowMs) => {
      prepare(state, identity, holder, nowMs);
      joinState(state, structuredClone(local), before, holder);
      return [takeTurn(state, limits, holder, brought, nowMs), structuredClone(state), nowMs] as const;
    });
    [local, before, lookedAtMs] = [joined, structuredClone(joined), performance.now()];
    clockAheadMs = storeMs - Date.now();
    return admitted;
  };
  return {
    async turn(limits, brought) {
      if (isTight(local) || performance.now() - lookedAtMs > relaxedLookMs) return together(limits, brought);
      const admitted = takeTurn(local, limits, holder, brought, Date.now() + clockAheadMs);
      // Tells the others at once. If that fails, the next turn does it, and what this turn brought is not lost.
      if (isTight(local)) await together(limits, { ended: [], waiting: [] }).catch(() => {});
      return admitted;
    },
  };
}

/** Names the account for people, and frees the slots of dead processes. */
function prepare(state: AccountState, { endpoint, keyVariable }: AccountIdentity, self: string, nowMs: number): void {
  state.name = { endpoint, keyVariable };
  dropDead(state, self, nowMs);
}

/** At once where its process id means something to this process, else after `holderLifeMs`. */
function dropDead(state: AccountState, self: string, nowMs: number): void {
  for (const [holder, { seenAtMs }] of Object.entries(state.holders)) {
    if (holder !== self && (nowMs - seenAtMs > holderLifeMs || isGone(holder))) delete state.holders[holder];
  }
}

function isGone(holder: string): boolean {
  const [space, pid] = holder.split('/');
  if (space !== pidSpace()) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
