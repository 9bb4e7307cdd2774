/**
 * Starts an account's calls when its limits allow, those of earlier pages first.
 * All users of one endpoint share its limits.
 */
import {
  admit,
  settle,
  type AccountLimits,
  type Settlement,
  type Started,
} from '../../domain/accounts/account-state.ts';
import type { Allowances } from '../../domain/accounts/allowance.ts';
import { noTokens, type Tokens } from '../../domain/accounts/counted-units.ts';
import type { StatedLimits } from '../../domain/accounts/stated-limits.ts';
import { canonicalJson } from '../../domain/ids.ts';
import type { ChatReply } from '../../schemas/chat.ts';
import {
  type AccountIdentity,
  type AccountStore,
  holderTouchMs,
  memoryStore,
  openAccountFile,
} from './account-store.ts';
import { createTurns, type Turn } from './turns.ts';
import { ProviderFault } from '../providers/provider.ts';

/** Result of one attempt; `busy` and `unasked` attempts sent nothing. */
export type CallOutcome = Delivered | 'busy' | 'unasked' | ProviderFault;

export interface Delivered {
  /** Replies from the endpoint; empty if the answers were already stored. */
  readonly replies: readonly ChatReply[];
  /** What the endpoint reports as left of its limits. */
  readonly allowances?: Allowances;
}

export interface Account {
  /**
   * Runs `call` when the account has room. If that takes longer than a minute, does not wait, and returns a fault that
   * says how long. Polls `isCancelled` a few times a second while waiting; once it is true, runs `call` at once, which
   * then finds out why it may not continue. Among waiting calls, the model with the fewest in flight goes first.
   */
  use<Outcome extends CallOutcome>(
    call: () => Promise<Outcome>,
    tokens: Tokens,
    isCancelled: () => boolean,
    turn?: Turn,
  ): Promise<Outcome | ProviderFault>;
  /** Frees the slots of finished calls now. */
  flush(): void;
}

/** Limits of an account in the spec. */
export interface GivenLimits extends StatedLimits {
  readonly concurrency?: number | undefined;
  readonly maxClosedMs?: number | undefined;
}

export interface Accounts {
  /** An endpoint's account. Its limits, and what is learned from refusals, apply to all processes of this user. */
  open(identity: AccountIdentity, limits: GivenLimits, defaultConcurrency: number): Account;
  /** Limits concurrent calls within this process. */
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
    return hasLimits(limits) ? shared.store(identity) : shared.relaxedStore(identity);
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
        return createAccount(
          { ...limits, concurrency, unstated: limits.concurrency === undefined },
          storeOf(identity, limits),
        );
      }),
    local: (name, concurrency) =>
      known(canonicalJson([name, concurrency]), () => createAccount({ concurrency, endless: true }, memoryStore())),
    close() {
      for (const account of accounts.values()) account.flush();
      shared?.close();
    },
  };
}

const hasLimits = ({ maxClosedMs: _cap, ...limits }: GivenLimits): boolean =>
  Object.values(limits).some((limit) => limit !== undefined);

interface Waiting {
  readonly turn: Turn;
  readonly tokens: Tokens;
  readonly isCancelled: () => boolean;
  /** Ends the wait: with a slot, without one (`given up`), or with how long the account is closed. */
  readonly resolve: (how: Started | 'given up' | { readonly closedMs: number }) => void;
  readonly reject: (error: unknown) => void;
}

/** Longer waits go back to Temporal. */
const longestWaitMs = 60_000;
/** How often waiting calls are checked for having been cancelled. */
const lookMs = 250;

const anyTurn: Turn = { model: '', rank: 0 };

function createAccount(limits: AccountLimits, store: AccountStore, nowMs: () => number = Date.now): Account {
  return new LimitedAccount(limits, store, nowMs);
}

class LimitedAccount implements Account {
  readonly #limits: AccountLimits;
  readonly #store: AccountStore;
  readonly #nowMs: () => number;
  readonly #queue = createTurns<Waiting>();
  #settled: Settlement[] = [];
  #inFlight = 0;
  #lookedAtMs = -Infinity;
  #scheduled = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(limits: AccountLimits, store: AccountStore, nowMs: () => number) {
    this.#limits = limits;
    this.#store = store;
    this.#nowMs = nowMs;
  }

  readonly use = async <Outcome extends CallOutcome>(
    call: () => Promise<Outcome>,
    tokens: Tokens,
    isCancelled: () => boolean,
    callTurn: Turn = anyTurn,
  ): Promise<Outcome | ProviderFault> => {
    const how = await new Promise<Parameters<Waiting['resolve']>[0]>((resolve, reject) => {
      this.#queue.add({ turn: callTurn, tokens, isCancelled, resolve, reject });
      this.#schedule();
    });
    if (how === 'given up') return call();
    if ('closedMs' in how) return closedFor(how.closedMs);
    this.#inFlight += 1;
    let end: Omit<Settlement, 'started'> = unknownEnd;
    try {
      const outcome = await call();
      end = endOf(outcome);
      return outcome;
    } finally {
      this.#inFlight -= 1;
      this.#queue.ended(callTurn);
      this.#settled.push({ ...end, started: how });
      this.#schedule();
    }
  };

  readonly flush = (): void => this.#turn();

  /** One transaction for everything from one turn of the event loop. */
  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => this.#turn());
  }

  #turn(): void {
    this.#scheduled = false;
    clearTimeout(this.#timer);
    this.#dismissCancelled();
    let nextMs = this.#inFlight > 0 ? holderTouchMs : null;
    try {
      const waitMs = this.#startWaiting();
      if (this.#queue.size() > 0) nextMs = Math.min(waitMs, lookMs);
    } catch (error) {
      for (const { reject } of this.#queue.takeAll()) reject(error);
    }
    if (nextMs === null) return;
    this.#timer = setTimeout(() => this.#schedule(), nextMs);
    if (this.#queue.size() === 0) this.#timer.unref();
  }

  #dismissCancelled(): void {
    if (performance.now() - this.#lookedAtMs < lookMs) return;
    this.#lookedAtMs = performance.now();
    const answers = new Map<() => boolean, boolean>();
    const isCallCancelled = ({ isCancelled }: Waiting): boolean => {
      const known = answers.get(isCancelled) ?? isCancelled();
      answers.set(isCancelled, known);
      return known;
    };
    for (const call of this.#queue.takeWhere(isCallCancelled)) call.resolve('given up');
  }

  /** Milliseconds until the next call may start. */
  #startWaiting(): number {
    const { started, waitMs } = this.#store.update((state) => {
      const now = this.#nowMs();
      for (const call of this.#settled) settle(state, this.#limits, this.#store.holder, call, now);
      const holder = state.holders[this.#store.holder];
      if (holder) holder.seenAtMs = now;
      const begun: { readonly call: Waiting; readonly start: Started }[] = [];
      for (;;) {
        const next = this.#queue.peek();
        const start = next === undefined ? 0 : admit(state, this.#limits, this.#store.holder, next.tokens, now);
        if (next === undefined || typeof start === 'number') return { started: begun, waitMs: Number(start) };
        this.#queue.take();
        begun.push({ call: next, start });
      }
    });
    this.#settled = [];
    for (const { call, start } of started) call.resolve(start);
    if (waitMs > longestWaitMs) for (const call of this.#queue.takeAll()) call.resolve({ closedMs: waitMs });
    return waitMs;
  }
}

const closedFor = (waitMs: number): ProviderFault =>
  new ProviderFault('retry', `the account has no room for ${Math.ceil(waitMs / 1000)} s`, { retryAfterMs: waitMs });

type End = Omit<Settlement, 'started'>;
const unknownEnd: End = { tokens: null, sent: true, refused: null, retryAfterMs: null, why: '', allowances: {} };
const nothingSent: End = { ...unknownEnd, tokens: noTokens, sent: false };

function endOf(outcome: CallOutcome): End {
  if (outcome === 'busy' || outcome === 'unasked') return nothingSent;
  if (!(outcome instanceof ProviderFault)) {
    if (outcome.replies.length === 0) return nothingSent;
    return { ...unknownEnd, tokens: tokensOf(outcome.replies), refused: false, allowances: outcome.allowances ?? {} };
  }
  const { httpStatus, retryAfterMs, maybeBilled, unsent, message: why, allowances } = outcome;
  if (unsent !== null) return nothingSent;
  return {
    tokens: maybeBilled ? null : noTokens,
    sent: true,
    refused: httpStatus === 429 || null,
    retryAfterMs,
    why,
    allowances,
  };
}

/** Null where no answer reports them. */
function tokensOf(replies: readonly ChatReply[]): Settlement['tokens'] {
  const sumOf = (part: 'inputTokens' | 'outputTokens'): number | null => {
    const counts = replies.map((reply) => reply[part]).filter((count) => count != null);
    return counts.length === 0 ? null : counts.reduce((sum, count) => sum + count, 0);
  };
  return { input: sumOf('inputTokens'), output: sumOf('outputTokens') };
}
