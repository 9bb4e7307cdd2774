/** Reserves calls: decides whether one may be sent now, waits for a batch, or is answered already. */
import { knownCall, type KnownCall, keyBytes, linkSample, replyTo } from './call-book.ts';
import { stopOf } from './control.ts';
import { openIntent, reservedNanoUsd } from './intents.ts';
import type { LedgerDatabase } from './ledger-transactions.ts';
import type { BatchReservation } from '../batch-book.ts';
import type { CallToReserve, Reservation } from '../call-book.ts';
import type { Fence } from '../fence.ts';
import type { SampleKey, StoredReply } from '../records.ts';
import { fencedUnit, pageRow } from './plan-pages.ts';
import type { Totals } from './totals.ts';
import { onceWithin } from './within-transaction.ts';

/**
 * Checks in this order: the fence, stored replies, stops, other live intents, the budget. A call is busy while open
 * calls hold the room that it lacks: only a call that would not fit without them is stopped.
 */
export function reserve(db: LedgerDatabase, totals: Totals, fence: Fence, call: CallToReserve): Reservation {
  const seen = lookedUp(db, totals, fence, call);
  if ('kind' in seen) return seen;
  if (seen.wanted.some(({ known }) => known?.live)) return { kind: 'busy' };
  const full = budgetFault(totals, call);
  return full ?? { kind: 'go', intent: opened(db, totals, seen, call, 'open') };
}

/** As `reserve`, for a call that waits for a batch. A call is in a batch at most once. */
export function reserveInBatch(
  db: LedgerDatabase,
  totals: Totals,
  fence: Fence,
  call: CallToReserve,
): BatchReservation {
  const seen = lookedUp(db, totals, fence, call);
  if ('kind' in seen) return seen;
  const [known] = seen.wanted.flatMap((one) => one.known ?? []);
  if (seen.wanted.some((one) => one.known?.live))
    return { kind: adopted(db, seen, fence, known?.id ?? -1) ? 'batched' : 'busy' };
  if (seen.wanted.some((one) => one.known?.batched)) return { kind: 'ordinary' };
  const priced = { ...call, ...call.inBatch };
  const full = budgetFault(totals, priced);
  if (full !== null) return full;
  opened(db, totals, seen, priced, 'batched');
  return { kind: 'batched' };
}

interface Wanting {
  readonly unit: number;
  readonly page: number;
  readonly fence: Fence;
  readonly wanted: readonly WantedCall[];
}

/** The calls as the ledger knows them, or what was decided about them before. */
function lookedUp(
  db: LedgerDatabase,
  totals: Totals,
  fence: Fence,
  call: CallToReserve,
): Wanting | Extract<Reservation, { kind: 'answered' | 'stop' }> {
  const unit = onceWithin(totals, `unit ${fence.unit} ${fence.epoch} ${fence.attempt}`, () =>
    fencedUnit(db, totals, fence),
  );
  if (unit === undefined) return { kind: 'stop', reason: 'fenced' };
  const page = onceWithin(totals, `page ${call.key.page}`, () => pageRow(db, call.key.page).id);
  const wanted = call.callKeys.map((callKey, place) => wantedCall(db, call.key, callKey, place));
  for (const one of wanted) refuseOtherCall(db, page, one);
  if (wanted.some(({ known }) => known?.answered))
    return { kind: 'answered', replies: wanted.map((one) => linkedReply(db, page, one)) };
  const stop = onceWithin(totals, `stop ${call.model}`, () => stopOf(db, call.model));
  if (stop !== null) return { kind: 'stop', reason: stop.reason };
  return { unit, page, fence, wanted };
}

/** Why a call does not fit into the budget; null if it does. */
function budgetFault(totals: Totals, call: CallToReserve): Extract<Reservation, { kind: 'stop' | 'busy' }> | null {
  if (!fitsBudget(totals, call, nothingHeld)) return { kind: 'stop', reason: 'budget' };
  return fitsBudget(totals, call, heldByOpenCalls(totals)) ? null : { kind: 'busy' };
}

function opened(
  db: LedgerDatabase,
  totals: Totals,
  { unit, page, fence, wanted }: Wanting,
  call: CallToReserve,
  state: 'open' | 'batched',
): number {
  const calls = wanted.map(({ known, keyBytes: key }) => known?.id ?? addCall(db, key));
  return openIntent(db, totals, { calls, page, unit, fence, nowMs: Date.now(), state }, call);
}

/**
 * A line of the page that an earlier attempt or owner of its step left waiting now belongs to this one, which then
 * knows what it waits for. False if the call is not such a line.
 */
const adopted = (db: LedgerDatabase, { unit, page }: Wanting, { epoch, attempt }: Fence, call: number): boolean =>
  db
    .sql(
      `update intent set unit = ?, epoch = ?, attempt = ? where state = 'batched' and page = ?
       and id = (select intent from asked where call = ? and live = 1)`,
    )
    .run(unit, epoch, attempt, page, call).changes === 1;

/** One of the calls to reserve, with its sample. */
interface WantedCall {
  readonly key: SampleKey;
  readonly callKey: string;
  readonly keyBytes: Uint8Array;
  readonly known: KnownCall | undefined;
}

function wantedCall(db: LedgerDatabase, first: SampleKey, callKey: string, place: number): WantedCall {
  const bytes = keyBytes(callKey);
  return { key: { ...first, sample: first.sample + place }, callKey, keyBytes: bytes, known: knownCall(db, bytes) };
}

function linkedReply(db: LedgerDatabase, page: number, { key, known }: WantedCall): StoredReply | null {
  if (!known?.answered) return null;
  linkSample(db, page, key, known.id);
  return replyTo(db, known.id);
}

const addCall = (db: LedgerDatabase, key: Uint8Array): number =>
  Number(db.sql('insert into call (call_key) values (?)').run(key).lastInsertRowid);

/** Room in the budget that open calls hold: each its highest cost, most of which comes back when it ends. */
interface HeldRoom {
  readonly nanoUsd: bigint;
  readonly tokens: bigint;
}

const nothingHeld: HeldRoom = { nanoUsd: 0n, tokens: 0n };
const heldByOpenCalls = (totals: Totals): HeldRoom => ({
  nanoUsd: totals.reservedNanoUsd,
  tokens: totals.reservedTokens,
});

const fitsBudget = (totals: Totals, call: CallToReserve, held: HeldRoom): boolean =>
  (call.maxUsd === null
    ? totals.budgetNanoUsd === null
    : fits(
        totals.reportedNanoUsd + totals.estimatedNanoUsd + held.nanoUsd,
        reservedNanoUsd(call),
        totals.budgetNanoUsd,
      )) && fits(totals.spentTokens + held.tokens, BigInt(call.maxTokens), totals.budgetTokens);

/** A free call always fits, even if an earlier call cost more than its estimate. */
const fits = (taken: bigint, more: bigint, budget: bigint | null): boolean =>
  budget === null || more === 0n || taken + more <= budget;

/** A sample has one call; another key for it means that the plan or the canonical request changed during the run. */
function refuseOtherCall(db: LedgerDatabase, page: number, { key, callKey, known }: WantedCall): void {
  const linked = db
    .sql('select call from sample where page = ? and cell = ? and step = ? and loop = ? and ask = ? and sample = ?')
    .get(page, key.cell, key.step, key.loop, key.ask, key.sample);
  if (linked === undefined || linked['call'] === known?.id) return;
  const name = `${key.page} cell ${key.cell} ${key.step} loop ${key.loop} ask ${key.ask} sample ${key.sample}`;
  throw new Error(
    `${name} was already answered under another call key than ${callKey}: a run's requests must not change; start ` +
      'a new run for changed prompts or endpoints',
  );
}
