/** An account's calls: started when its limits allow, those of earlier pages first. What one endpoint allows is shared by everything that uses it. */
import { admit, settle, type AccountLimits, type Settlement } from '../domain/account-state.ts';
import { canonicalJson, sha256 } from '../domain/ids.ts';
import type { ChatReply } from '../schemas/chat.ts';
import { type AccountStore, holderTouchMs, memoryStore, openAccountFile } from './account-store.ts';
import { ProviderFault } from './providers/provider.ts';

/** What became of one attempt; `busy` and `unasked` ones sent nothing. */
export type CallOutcome = Brought | 'busy' | 'unasked' | ProviderFault;

export interface Brought {
  /** What the endpoint sent; empty where the answers were known already. */
  readonly replies: readonly ChatReply[];
}

export interface Account {
  /**
   * Runs `call` when the account has room. A wait longer than a minute is not waited for: the outcome is then a fault that says how long.
   * Once `givenUp` says so while it waits (it is looked at a few times a second), `call` runs at once, to find out for itself why it may not go on.
   * Of the calls that wait, those of the lowest `rank` come first, in the order of arrival.
   */
  use<Outcome extends CallOutcome>(
    call: () => Promise<Outcome>,
    tokens: number,
    givenUp: () => boolean,
    rank?: number,
  ): Promise<Outcome | ProviderFault>;
  /** Gives back now the places of calls that have ended. */
  flush(): void;
}

/** Where calls go, and by whose key: accounts of the same endpoint and key variable share their limits, whatever a spec calls them. */
export interface AccountIdentity {
  readonly endpoint: string;
  readonly keyVariable: string | null;
}

type GivenLimits = { readonly [Limit in keyof AccountLimits]?: number | undefined };

export interface Accounts {
  /** Limits that are given hold for all processes of this user; with none given, only this process's `defaultConcurrency` counts. */
  open(identity: AccountIdentity, limits: GivenLimits, defaultConcurrency: number): Account;
  close(): void;
}

/** @param file shared by all processes of a user; opened by the first account that has limits; null keeps limits in this process */
export function createAccounts(file: string | null): Accounts {
  const accounts = new Map<string, Account>();
  let shared: ReturnType<typeof openAccountFile> | undefined;
  const storeOf = (identity: string, limits: GivenLimits): AccountStore => {
    if (file === null || Object.values(limits).every((limit) => limit === undefined)) return memoryStore();
    shared ??= openAccountFile(file);
    return shared.store(identity);
  };
  return {
    open(identity, limits, defaultConcurrency) {
      const id = sha256(canonicalJson(identity));
      const key = canonicalJson([id, limits, defaultConcurrency]);
      const account =
        accounts.get(key) ?? createAccount({ ...limits, concurrency: limits.concurrency ?? defaultConcurrency }, storeOf(id, limits));
      accounts.set(key, account);
      return account;
    },
    close() {
      for (const account of accounts.values()) account.flush();
      shared?.close();
    },
  };
}

interface Waiting {
  readonly rank: number;
  readonly tokens: number;
  readonly givenUp: () => boolean;
  /** Settles the wait: with a place, without one (`givenUp`), or with how long the account is closed. */
  readonly resolve: (how: 'place' | 'given up' | { readonly closedMs: number }) => void;
  readonly reject: (error: unknown) => void;
}

/** Longer waits go back to Temporal. */
const longestWaitMs = 60_000;
/** How often waiting calls are asked whether they were given up. */
const lookMs = 250;

function createAccount(limits: AccountLimits, store: AccountStore, nowMs: () => number = Date.now): Account {
  let waiting: Waiting[] = [];
  let settled: Settlement[] = [];
  let inFlight = 0;
  let lookedAtMs = -Infinity;
  let scheduled = false;
  let timer: NodeJS.Timeout | undefined;

  /** One transaction for all that comes in one turn of the event loop. */
  function schedule(): void {
    if (scheduled) return;
    scheduled = true;
    setImmediate(turn);
  }

  function turn(): void {
    scheduled = false;
    clearTimeout(timer);
    dismissGivenUp();
    let nextMs = inFlight > 0 ? holderTouchMs : null;
    try {
      const waitMs = startWaiting();
      if (waiting.length > 0) nextMs = Math.min(waitMs, lookMs);
    } catch (error) {
      for (const { reject } of waiting.splice(0)) reject(error);
    }
    if (nextMs === null) return;
    timer = setTimeout(schedule, nextMs);
    if (waiting.length === 0) timer.unref();
  }

  function dismissGivenUp(): void {
    if (performance.now() - lookedAtMs < lookMs) return;
    lookedAtMs = performance.now();
    const answers = new Map<() => boolean, boolean>();
    for (const { givenUp } of waiting) if (!answers.has(givenUp)) answers.set(givenUp, givenUp());
    for (const call of waiting) if (answers.get(call.givenUp)) call.resolve('given up');
    waiting = waiting.filter(({ givenUp }) => !answers.get(givenUp));
  }

  /** Milliseconds until the next one may start. */
  function startWaiting(): number {
    const { started, waitMs } = store.update((state) => {
      const now = nowMs();
      for (const call of settled) settle(state, limits, store.holder, call, now);
      const holder = state.holders[store.holder];
      if (holder) holder.seenAtMs = now;
      for (let count = 0; ; count += 1) {
        const next = waiting[count];
        const wait = next === undefined ? 0 : admit(state, limits, store.holder, next.tokens, now);
        if (next === undefined || wait > 0) return { started: count, waitMs: wait };
      }
    });
    settled = [];
    for (const call of waiting.splice(0, started)) call.resolve('place');
    if (waitMs > longestWaitMs) for (const call of waiting.splice(0)) call.resolve({ closedMs: waitMs });
    return waitMs;
  }

  async function use<Outcome extends CallOutcome>(
    call: () => Promise<Outcome>,
    tokens: number,
    givenUp: () => boolean,
    rank = 0,
  ): Promise<Outcome | ProviderFault> {
    const how = await new Promise<Parameters<Waiting['resolve']>[0]>((resolve, reject) => {
      const behind = waiting.findLastIndex((other) => other.rank <= rank);
      waiting.splice(behind + 1, 0, { rank, tokens, givenUp, resolve, reject });
      schedule();
    });
    if (how === 'given up') return call();
    if (how !== 'place') return closedFor(how.closedMs);
    inFlight += 1;
    let settlement: Settlement = { ...unknownEnd, countedTokens: tokens };
    try {
      const outcome = await call();
      settlement = { ...endOf(outcome), countedTokens: tokens };
      return outcome;
    } finally {
      inFlight -= 1;
      settled.push(settlement);
      schedule();
    }
  }

  return { use, flush: turn };
}

const closedFor = (waitMs: number): ProviderFault =>
  new ProviderFault('retry', `the account has no room for ${Math.ceil(waitMs / 1000)} s`, { retryAfterMs: waitMs });

const nothingSent = { tokens: 0, sent: false, tooMany: false, retryAfterMs: null };
const unknownEnd = { tokens: null, sent: true, tooMany: false, retryAfterMs: null };

function endOf(outcome: CallOutcome): Omit<Settlement, 'countedTokens'> {
  if (outcome === 'busy' || outcome === 'unasked') return nothingSent;
  if (!(outcome instanceof ProviderFault))
    return outcome.replies.length === 0 ? nothingSent : { ...unknownEnd, tokens: tokensOf(outcome.replies) };
  const { httpStatus, retryAfterMs, maybeBilled, unsent } = outcome;
  if (unsent !== null) return nothingSent;
  return { tokens: maybeBilled ? null : 0, sent: true, tooMany: httpStatus === 429, retryAfterMs };
}

/** Null where no answer says. */
function tokensOf(replies: readonly ChatReply[]): number | null {
  const counts = replies.flatMap(({ inputTokens, outputTokens }) => [inputTokens, outputTokens]).filter((count) => count != null);
  return counts.length === 0 ? null : counts.reduce((sum, count) => sum + count, 0);
}
