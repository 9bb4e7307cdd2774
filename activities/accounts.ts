/** An account's calls: started when its limits allow, those of earlier pages first. What one endpoint allows is shared by everything that uses it. */
import { admit, settle, type AccountLimits, type Settlement, type Started } from '../domain/account-state.ts';
import type { Allowances } from '../domain/allowance.ts';
import { canonicalJson } from '../domain/ids.ts';
import type { ChatReply } from '../schemas/chat.ts';
import { type AccountIdentity, type AccountStore, holderTouchMs, memoryStore, openAccountFile } from './account-store.ts';
import { createTurns } from './turns.ts';
import { ProviderFault } from './providers/provider.ts';

/** What became of one attempt; `busy` and `unasked` ones sent nothing. */
export type CallOutcome = Brought | 'busy' | 'unasked' | ProviderFault;

export interface Brought {
  /** What the endpoint sent; empty where the answers were known already. */
  readonly replies: readonly ChatReply[];
  /** What it said is left of its limits. */
  readonly allowances?: Allowances;
}

/** Whose call it is, among those that wait. */
export interface Turn {
  /** The model that is studied: models take turns. */
  readonly model: string;
  /** Of one model's calls those of the lowest rank come first, in the order of arrival. */
  readonly rank: number;
}

export interface Account {
  /**
   * Runs `call` when the account has room. A wait longer than a minute is not waited for: the outcome is then a fault that says how long.
   * Once `givenUp` says so while it waits (it is looked at a few times a second), `call` runs at once, to find out for itself why it may not go on.
   * Of the calls that wait, those of the model with the fewest in flight come first.
   */
  use<Outcome extends CallOutcome>(
    call: () => Promise<Outcome>,
    tokens: number,
    givenUp: () => boolean,
    turn?: Turn,
  ): Promise<Outcome | ProviderFault>;
  /** Gives back now the places of calls that have ended. */
  flush(): void;
}

/** What a spec says about an account. */
export interface GivenLimits {
  readonly requestsPerMinute?: number | undefined;
  readonly tokensPerMinute?: number | undefined;
  readonly concurrency?: number | undefined;
  readonly maxClosedMs?: number | undefined;
}

export interface Accounts {
  /** An endpoint's account: limits, and what its refusals teach, hold for all processes of this user. */
  open(identity: AccountIdentity, limits: GivenLimits, defaultConcurrency: number): Account;
  /** Calls within this process, so many at a time. */
  local(name: string, concurrency: number): Account;
  close(): void;
}

/** @param file shared by all processes of a user; opened by the first account; null keeps limits in this process */
export function createAccounts(file: string | null): Accounts {
  const accounts = new Map<string, Account>();
  let shared: ReturnType<typeof openAccountFile> | undefined;
  const storeOf = (identity: AccountIdentity, limits: GivenLimits): AccountStore => {
    if (file === null) return memoryStore();
    shared ??= openAccountFile(file);
    return states(limits) ? shared.store(identity) : shared.relaxedStore(identity);
  };
  const known = (key: string, make: () => Account): Account => {
    const account = accounts.get(key) ?? make();
    accounts.set(key, account);
    return account;
  };
  return {
    open: (identity, limits, defaultConcurrency) =>
      known(canonicalJson([identity, limits, defaultConcurrency]), () => {
        const { concurrency = defaultConcurrency } = limits;
        return createAccount({ ...limits, concurrency, unstated: limits.concurrency === undefined }, storeOf(identity, limits));
      }),
    local: (name, concurrency) =>
      known(canonicalJson([name, concurrency]), () => createAccount({ concurrency, endless: true }, memoryStore())),
    close() {
      for (const account of accounts.values()) account.flush();
      shared?.close();
    },
  };
}

const states = ({ requestsPerMinute, tokensPerMinute, concurrency }: GivenLimits): boolean =>
  [requestsPerMinute, tokensPerMinute, concurrency].some((limit) => limit !== undefined);

interface Waiting {
  readonly turn: Turn;
  readonly tokens: number;
  readonly givenUp: () => boolean;
  /** Settles the wait: with a place, without one (`givenUp`), or with how long the account is closed. */
  readonly resolve: (how: Started | 'given up' | { readonly closedMs: number }) => void;
  readonly reject: (error: unknown) => void;
}

/** Longer waits go back to Temporal. */
const longestWaitMs = 60_000;
/** How often waiting calls are asked whether they were given up. */
const lookMs = 250;

const anyTurn: Turn = { model: '', rank: 0 };

function createAccount(limits: AccountLimits, store: AccountStore, nowMs: () => number = Date.now): Account {
  const queue = createTurns<Waiting>();
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
      if (queue.size() > 0) nextMs = Math.min(waitMs, lookMs);
    } catch (error) {
      for (const { reject } of queue.takeAll()) reject(error);
    }
    if (nextMs === null) return;
    timer = setTimeout(schedule, nextMs);
    if (queue.size() === 0) timer.unref();
  }

  function dismissGivenUp(): void {
    if (performance.now() - lookedAtMs < lookMs) return;
    lookedAtMs = performance.now();
    const answers = new Map<() => boolean, boolean>();
    const isGivenUp = ({ givenUp }: Waiting): boolean => {
      const known = answers.get(givenUp) ?? givenUp();
      answers.set(givenUp, known);
      return known;
    };
    for (const call of queue.takeWhere(isGivenUp)) call.resolve('given up');
  }

  /** Milliseconds until the next one may start. */
  function startWaiting(): number {
    const { started, waitMs } = store.update((state) => {
      const now = nowMs();
      for (const call of settled) settle(state, limits, store.holder, call, now);
      const holder = state.holders[store.holder];
      if (holder) holder.seenAtMs = now;
      const begun: { readonly call: Waiting; readonly start: Started }[] = [];
      for (;;) {
        const next = queue.peek();
        const start = next === undefined ? 0 : admit(state, limits, store.holder, next.tokens, now);
        if (next === undefined || typeof start === 'number') return { started: begun, waitMs: Number(start) };
        queue.take();
        begun.push({ call: next, start });
      }
    });
    settled = [];
    for (const { call, start } of started) call.resolve(start);
    if (waitMs > longestWaitMs) for (const call of queue.takeAll()) call.resolve({ closedMs: waitMs });
    return waitMs;
  }

  async function use<Outcome extends CallOutcome>(
    call: () => Promise<Outcome>,
    tokens: number,
    givenUp: () => boolean,
    whose: Turn = anyTurn,
  ): Promise<Outcome | ProviderFault> {
    const how = await new Promise<Parameters<Waiting['resolve']>[0]>((resolve, reject) => {
      queue.add({ turn: whose, tokens, givenUp, resolve, reject });
      schedule();
    });
    if (how === 'given up') return call();
    if ('closedMs' in how) return closedFor(how.closedMs);
    inFlight += 1;
    let end: Omit<Settlement, 'started'> = unknownEnd;
    try {
      const outcome = await call();
      end = endOf(outcome);
      return outcome;
    } finally {
      inFlight -= 1;
      queue.ended(whose);
      settled.push({ ...end, started: how });
      schedule();
    }
  }

  return { use, flush: turn };
}

const closedFor = (waitMs: number): ProviderFault =>
  new ProviderFault('retry', `the account has no room for ${Math.ceil(waitMs / 1000)} s`, { retryAfterMs: waitMs });

type End = Omit<Settlement, 'started'>;
const unknownEnd: End = { tokens: null, sent: true, refused: null, retryAfterMs: null, why: '', allowances: {} };
const nothingSent: End = { ...unknownEnd, tokens: 0, sent: false };

function endOf(outcome: CallOutcome): End {
  if (outcome === 'busy' || outcome === 'unasked') return nothingSent;
  if (!(outcome instanceof ProviderFault)) {
    if (outcome.replies.length === 0) return nothingSent;
    return { ...unknownEnd, tokens: tokensOf(outcome.replies), refused: false, allowances: outcome.allowances ?? {} };
  }
  const { httpStatus, retryAfterMs, maybeBilled, unsent, message: why, allowances } = outcome;
  if (unsent !== null) return nothingSent;
  return { tokens: maybeBilled ? null : 0, sent: true, refused: httpStatus === 429 || null, retryAfterMs, why, allowances };
}

/** Null where no answer says. */
function tokensOf(replies: readonly ChatReply[]): number | null {
  const counts = replies.flatMap(({ inputTokens, outputTokens }) => [inputTokens, outputTokens]).filter((count) => count != null);
  return counts.length === 0 ? null : counts.reduce((sum, count) => sum + count, 0);
}
