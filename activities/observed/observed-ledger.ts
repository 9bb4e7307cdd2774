/** A run's ledger that tells of calls, verdicts, parts and stops as they become durable. */
import type { CallToReserve } from '../storage/ledger/call-book.ts';
import type { Charge, PartRecord } from '../storage/ledger/records.ts';
import type { Ledger } from '../storage/ledger/ledger.ts';
import type { CallEnd, Observe } from './events.ts';

/** @param observe undefined: the ledger itself, at no cost */
export function observedLedger(ledger: Ledger, run: string, observe: Observe | undefined): Ledger {
  if (observe === undefined) return ledger;
  return { ...ledger, ...observedCalls(ledger, run, observe), ...observedResults(ledger, run, observe) };
}

type Calls = Pick<Ledger, 'reserve' | 'commit' | 'fail' | 'release'>;

function observedCalls(ledger: Calls, run: string, observe: Observe): Calls {
  const open = new Map<number, CallToReserve>();
  /** Call keys of calls whose last attempt failed. */
  const failed = new Set<string>();
  const ended = (intent: number, end: Pick<CallEnd, 'result' | 'latencyMs' | 'failure'>, charge?: Charge): void => {
    const call = open.get(intent);
    if (call === undefined) return;
    open.delete(intent);
    if (end.result === 'failed') failed.add(keyOf(call));
    const { usd = null, inputTokens = null, outputTokens = null } = charge ?? {};
    observe({ kind: 'call', ...placeOf(run, call), ...end, usd, inputTokens, outputTokens });
  };
  return {
    async reserve(fence, call) {
      const reservation = await ledger.reserve(fence, call);
      if (reservation.kind !== 'go') return reservation;
      open.set(reservation.intent, call);
      observe({ kind: 'sent', ...placeOf(run, call), isRetry: failed.delete(keyOf(call)) });
      return reservation;
    },
    async commit(intent, replies, charge, latencyMs, origin = null) {
      const stored = await ledger.commit(intent, replies, charge, latencyMs, origin);
      ended(intent, { result: origin === null ? 'answered' : 'reused', latencyMs, failure: null }, charge);
      return stored;
    },
    async fail(intent, failure, charge, latencyMs) {
      await ledger.fail(intent, failure, charge, latencyMs);
      ended(intent, { result: 'failed', latencyMs, failure }, charge);
    },
    async release(intent, why) {
      await ledger.release(intent, why);
      ended(intent, { result: 'unsent', latencyMs: null, failure: why });
    },
  };
}

const keyOf = ({ callKeys: [first = ''] }: CallToReserve): string => first;

const placeOf = (run: string, { answeringModel, key }: CallToReserve) => ({
  run,
  model: answeringModel,
  page: key.page,
  step: key.step,
});

type Stops = Pick<Ledger, 'setStop' | 'stopOf' | 'runStop'>;
type Results = Pick<Ledger, 'saveVerdict' | 'sealPage' | 'replaceParts' | 'exchangeParts' | 'setStop'>;

function observedResults(ledger: Results & Stops, run: string, observe: Observe): Results {
  const registered = (page: string | null, parts: readonly PartRecord[]): void => {
    const sumOf = (count: (part: PartRecord) => number): number => parts.reduce((sum, part) => sum + count(part), 0);
    const [rows, bytes] = [sumOf((part) => part.rows), sumOf((part) => part.bytes)];
    observe({ kind: 'parts', run, page, parts: parts.length, rows, bytes });
  };
  return {
    async saveVerdict(verdict) {
      const saved = await ledger.saveVerdict(verdict);
      const { suite, outcome, wallMs } = saved;
      observe({ kind: 'program', run, suite, outcome, isRun: saved.reused !== true, wallMs });
      return saved;
    },
    async sealPage(fence, page, parts) {
      const replaced = await ledger.sealPage(fence, page, parts);
      registered(page, parts);
      return replaced;
    },
    async replaceParts(epoch, parts) {
      const replaced = await ledger.replaceParts(epoch, parts);
      registered(null, parts);
      return replaced;
    },
    async exchangeParts(epoch, spent, parts) {
      const replaced = await ledger.exchangeParts(epoch, spent, parts);
      registered(null, parts);
      return replaced;
    },
    setStop: observedStops(ledger, run, observe),
  };
}

/** A stop is told once, although each call that is refused sets it. */
function observedStops(ledger: Stops, run: string, observe: Observe): Ledger['setStop'] {
  const beingSet = new Set<string | null>();
  const isStopped = async (model: string | null): Promise<boolean> =>
    (model === null ? await ledger.runStop() : await ledger.stopOf(model)) !== null;
  return async (model, reason, detail) => {
    if (reason === null || beingSet.has(model)) return ledger.setStop(model, reason, detail);
    beingSet.add(model);
    try {
      const isNews = !(await isStopped(model));
      await ledger.setStop(model, reason, detail);
      if (isNews) observe({ kind: 'stop', run, model, reason, detail });
    } finally {
      beingSet.delete(model);
    }
  };
}
