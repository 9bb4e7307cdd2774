/**
 * Starts an account's calls when its limits allow, those of earlier pages first.
 * All users of one endpoint share its limits.
 */
import { longestClosedMs } from '../../../domain/accounts/account-closure.ts';
import type { AccountLimits, Settlement, Started } from '../../../domain/accounts/account-state.ts';
import { noTokens, type Tokens } from '../../../domain/accounts/counted-units.ts';
import type { StatedLimits } from '../../../domain/accounts/stated-limits.ts';
import { canonicalJson } from '../../../domain/ids.ts';
import type { ChatReply } from '../../../schemas/chat.ts';
import { ProviderFault } from '../../providers/provider.ts';
import type { AccountIdentity, AccountStore } from './account-store.ts';
import type { CallOutcome } from './call-outcome.ts';
import {
  type AccountTurns,
  holderTouchMs,
  newHolder,
  privateAccount,
  relaxedAccount,
  sharedAccount,
} from './shared-account.ts';
import { createReach, type Reach } from './reach.ts';
import { createTurns, type Turn } from './turns.ts';

export interface Account {
  /**
   * Runs `call` when the account has room. If that takes longer than a minute, does not wait, and returns a fault that
   * says how long. Polls `isCancelled` a few times a second while waiting; once it is true, runs `call` at once, which
   * then finds out why it may not continue. Among waiting calls, the model with the fewest in flight goes first.
   * @param tokens is asked only when the call is among the next to start
   */
  use<Outcome extends CallOutcome>(
    call: () => Promise<Outcome>,
    tokens: () => Tokens,
    isCancelled: () => boolean,
    turn?: Turn,
  ): Promise<Outcome | ProviderFault>;
  /** Of its endpoint, which other accounts may share. */
  readonly reach: Reach;
  /** Longest time that its endpoint may close it for, milliseconds. */
  readonly longestClosedMs: number;
  /** Frees the slots of finished calls now. */
  flush(): Promise<void>;
}

/** Limits of an account in the spec. */
export interface GivenLimits extends StatedLimits {
  readonly concurrency?: number | undefined;
  readonly maxClosedMs?: number | undefined;
}

export interface Accounts {
  /** An endpoint's account. Its limits, and what is learned from refusals, apply to all processes of the store. */
  open(identity: AccountIdentity, limits: GivenLimits, defaultConcurrency: number): Account;
  /** Limits concurrent calls within this process. */
  local(name: string, concurrency: number): Account;
  /** Closes the store too. */
  close(): Promise<void>;
}

/** @param store shared by several processes; null keeps limits in this process */
export function createAccounts(store: AccountStore | null): Accounts {
  const accounts = new Map<string, Account>();
  const reaches = new Map<string, Reach>();
  const holder = newHolder();
  const turnsOf = (identity: AccountIdentity, limits: GivenLimits): AccountTurns => {
    if (store === null) return privateAccount();
    return hasLimits(limits) ? sharedAccount(store, identity, holder) : relaxedAccount(store, identity, holder);
  };
  const known = (key: string, make: () => Account): Account => {
    const account = accounts.get(key) ?? make();
    accounts.set(key, account);
    return account;
  };
  const reachOf = ({ endpoint }: AccountIdentity): Reach => {
    const reach = reaches.get(endpoint) ?? createReach();
    reaches.set(endpoint, reach);
    return reach;
  };
  return {
    open: (identity, limits, defaultConcurrency) =>
      known(canonicalJson([identity, limits, defaultConcurrency]), () => {
        const { concurrency = defaultConcurrency } = limits;
        return new LimitedAccount(
          { ...limits, concurrency, unstated: limits.concurrency === undefined },
          turnsOf(identity, limits),
          reachOf(identity),
        );
      }),
    local: (name, concurrency) =>
      known(
        canonicalJson([name, concurrency]),
        () => new LimitedAccount({ concurrency, endless: true }, privateAccount(), createReach()),
      ),
    async close() {
      for (const account of accounts.values()) await account.flush();
      await store?.close();
    },
  };
}

const hasLimits = ({ maxClosedMs: _cap, ...limits }: GivenLimits): boolean =>
  Object.values(limits).some((limit) => limit !== undefined);

interface Waiting {
  readonly turn: Turn;
  readonly tokens: () => Tokens;
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

class LimitedAccount implements Account {
  readonly reach: Reach;
  readonly longestClosedMs: number;
  readonly #limits: AccountLimits;
  readonly #turns: AccountTurns;
  readonly #queue = createTurns<Waiting>();
  #settled: Settlement[] = [];
  #inFlight = 0;
  #lookedAtMs = -Infinity;
  #phase: 'idle' | 'scheduled' | 'taking' = 'idle';
  /** Whether a turn is due after the one under way. */
  #isDue = false;
  #taking: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;

  constructor(limits: AccountLimits, turns: AccountTurns, reach: Reach) {
    this.reach = reach;
    this.longestClosedMs = longestClosedMs(limits);
    this.#limits = limits;
    this.#turns = turns;
  }

  readonly use = async <Outcome extends CallOutcome>(
    call: () => Promise<Outcome>,
    tokens: () => Tokens,
    isCancelled: () => boolean,
    callTurn: Turn = anyTurn,
  ): Promise<Outcome | ProviderFault> => {
    const how = await new Promise<Parameters<Waiting['resolve']>[0]>((resolve, reject) => {
      this.#queue.add({ turn: callTurn, tokens: orNone(tokens), isCancelled, resolve, reject });
      this.#schedule();
    });
    if (how === 'given up') return call();
    if ('closedMs' in how) return closedFor(how.closedMs);
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

  readonly flush = async (): Promise<void> => {
    while (this.#phase === 'taking') await this.#taking;
    await this.#take();
  };

  /** One turn for everything from one turn of the event loop, and for all that comes while a turn is under way. */
  #schedule(): void {
    this.#isDue = true;
    if (this.#phase !== 'idle') return;
    this.#phase = 'scheduled';
    setImmediate(() => {
      if (this.#phase === 'scheduled') void this.#take();
    });
  }

  #take(): Promise<void> {
    this.#phase = 'taking';
    this.#isDue = false;
    clearTimeout(this.#timer);
    this.#dismissCancelled();
    this.#taking = this.#startWaiting()
      .catch((error: unknown) => {
        for (const { reject } of this.#queue.takeAll()) reject(error);
        return 0;
      })
      .then((waitMs) => this.#goOn(waitMs));
    return this.#taking;
  }

  #goOn(waitMs: number): void {
    this.#phase = 'idle';
    if (this.#isDue) this.#schedule();
    else this.#waitFor(waitMs);
  }

  #waitFor(waitMs: number): void {
    const isWaiting = this.#queue.size() > 0;
    if (!isWaiting && this.#inFlight === 0) return;
    this.#timer = setTimeout(() => this.#schedule(), isWaiting ? Math.min(waitMs, lookMs) : holderTouchMs);
    if (!isWaiting) this.#timer.unref();
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
  async #startWaiting(): Promise<number> {
    // One more than may start: it says how long the next one waits.
    const calls = this.#queue.take(Math.max(0, this.#limits.concurrency - this.#inFlight) + 1);
    const ended = this.#settled.splice(0);
    const turn = this.#turns.turn(this.#limits, { ended, waiting: calls.map(({ tokens }) => tokens()) });
    const { started, waitMs } = await turn.catch((error: unknown) => {
      this.#settled.unshift(...ended);
      this.#queue.putBack(calls.length);
      throw error;
    });
    this.#queue.putBack(calls.length - started.length);
    this.#inFlight += started.length;
    for (const [index, start] of started.entries()) calls[index]?.resolve(start);
    if (waitMs > longestWaitMs) for (const call of this.#queue.takeAll()) call.resolve({ closedMs: waitMs });
    return waitMs;
  }
}

/** None where they cannot be told: the call finds the same fault when it starts, and no other call does. */
const orNone = (tokens: () => Tokens) => (): Tokens => {
  try {
    return tokens();
  } catch {
    return noTokens;
  }
};

function closedFor(waitMs: number): ProviderFault {
  const why = `the account has no room for ${Math.ceil(waitMs / 1000)} s`;
  return new ProviderFault('retry', why, { retryAfterMs: waitMs, unsent: `not asked yet: ${why}` });
}

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
