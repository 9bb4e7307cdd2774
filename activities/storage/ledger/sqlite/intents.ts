/**
 * The states of an intent: open or batched -> answered, failed or lost (and lost -> answered or failed if a result
 * comes late), with the cost at each transition. A batched intent is a line of a batch, or will be: no process holds
 * it, so a takeover does not lose it.
 */
import type { CostBasis, StepName } from '../../../../schemas/states.ts';
import type { LedgerDatabase } from './ledger-transactions.ts';
import type { CallToReserve } from '../call-book.ts';
import type { Charge } from '../records.ts';
import type { Fence } from '../fence.ts';
import { addToLane } from './sums/lane-spend.ts';
import { callNanoUsd } from './totals.ts';
import type { Totals } from './totals.ts';

export interface IntentRow {
  readonly id: number;
  readonly page: number;
  readonly cell: number;
  readonly step: StepName;
  readonly loop: number;
  readonly ask: number;
  readonly sample: number;
  readonly answeringModel: string;
  readonly state: 'open' | 'batched' | 'answered' | 'failed' | 'lost';
  readonly maxNanoUsd: bigint;
  readonly maxTokens: number;
  readonly estimatedUsd: number | null;
  readonly estimatedTokens: number;
  readonly free: number;
}

/** The data to close an intent with. */
export interface Closing {
  readonly state: 'answered' | 'failed' | 'lost';
  /** Number of replies, if there are any. */
  readonly replies?: number;
  readonly charge: Charge;
  /** Tokens that count against a token budget. */
  readonly tokens: number;
  readonly latencyMs: number | null;
  readonly failure?: string;
  readonly origin?: string | null;
  readonly returnedModel?: string | null;
  readonly fingerprint?: string | null;
}

const intentColumns = `intent.id as id, page, cell, step, loop, ask, sample, answering_model as answeringModel, state,
  max_nano_usd as maxNanoUsd, max_tokens as maxTokens,
  estimated_usd as estimatedUsd, estimated_tokens as estimatedTokens, free`;
const selectIntents = `select ${intentColumns} from intent`;

/** Throws if the intent does not exist. */
export function intentRow(db: LedgerDatabase, intent: number): IntentRow {
  const row = db.sql(`${selectIntents} where id = ?`).get(intent);
  if (row === undefined)
    throw new Error(
      `call ${intent} is not reserved in this ledger (any more): a newer attempt of its step may have given it back`,
    );
  return typedIntent(row as unknown as StoredIntent);
}

/** As SQLite returns it: the amount of one reservation fits into a number, but a total may not. */
type StoredIntent = Omit<IntentRow, 'maxNanoUsd'> & { readonly maxNanoUsd: number };
const typedIntent = <Row extends StoredIntent>(
  row: Row,
): Omit<Row, 'maxNanoUsd'> & { readonly maxNanoUsd: bigint } => ({
  ...row,
  maxNanoUsd: BigInt(Math.round(row.maxNanoUsd)),
});

/** A call that an intent asks for. */
export interface AskedCall {
  readonly call: number;
  /** Hex. */
  readonly callKey: string;
}

/** An intent with its calls in the order of their samples. Throws if the intent does not exist. */
export function intentWithCalls(
  db: LedgerDatabase,
  id: number,
): { readonly intent: IntentRow; readonly calls: readonly AskedCall[] } {
  const rows = db
    .sql(
      `select ${intentColumns}, call, lower(hex(call_key)) as callKey from intent join asked on asked.intent = intent.id
        join call on call.id = call
       where intent.id = ? order by place`,
    )
    .all(id) as unknown as (StoredIntent & AskedCall)[];
  return { intent: rows[0] === undefined ? intentRow(db, id) : typedIntent(rows[0]), calls: rows };
}

/**
 * Amount that a call reserves in the budget until its cost is known.
 * Rounded up, so that sums never fall below the true maximum.
 */
export const reservedNanoUsd = (call: CallToReserve): bigint =>
  call.maxUsd === null ? 0n : callNanoUsd(Math.ceil(call.maxUsd * 1e9) / 1e9);

export function openIntent(
  db: LedgerDatabase,
  totals: Totals,
  at: {
    readonly calls: readonly number[];
    readonly page: number;
    readonly unit: number;
    readonly fence: Fence;
    readonly nowMs: number;
    readonly state: 'open' | 'batched';
  },
  call: CallToReserve,
): number {
  const { cell, step, loop, ask, sample } = call.key;
  const { fence } = at;
  const maxNanoUsd = reservedNanoUsd(call);
  const { lastInsertRowid } = db
    .sql(
      `insert into intent (page, cell, step, loop, ask, sample, unit, epoch, attempt, answering_model, parameters_sent,
        max_nano_usd, max_tokens, estimated_usd, estimated_tokens, free, started_at_ms, state)
       values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(
      ...[
        at.page,
        cell,
        step,
        loop,
        ask,
        sample,
        at.unit,
        fence.epoch,
        fence.attempt,
        call.answeringModel,
        call.parametersSent,
      ],
      ...[maxNanoUsd, call.maxTokens, call.estimatedUsd, call.estimatedTokens, call.free ? 1 : 0, at.nowMs, at.state],
    );
  const intent = Number(lastInsertRowid);
  for (const [place, one] of at.calls.entries())
    db.sql('insert into asked (intent, place, call, live) values (?, ?, ?, 1)').run(intent, place, one);
  if (at.state === 'open') totals.live += 1;
  totals.reservedNanoUsd += maxNanoUsd;
  totals.reservedTokens += BigInt(call.maxTokens);
  if (at.state === 'batched') markBatched(db, intent, 1);
  return intent;
}

const markBatched = (db: LedgerDatabase, intent: number, mark: 0 | 1): void =>
  void db.sql('update call set batched = ? where id in (select call from asked where intent = ?)').run(mark, intent);

const isReserved = ({ state }: IntentRow): boolean => state === 'open' || state === 'batched';

/** Removes an open or batched intent without a trace; false if it has ended. */
export function dropIntent(db: LedgerDatabase, totals: Totals, intent: IntentRow): boolean {
  if (!isReserved(intent)) return false;
  endReservation(db, totals, intent);
  if (intent.state === 'batched') markBatched(db, intent.id, 0);
  db.sql('delete from asked where intent = ?').run(intent.id);
  db.sql('delete from intent where id = ?').run(intent.id);
  return true;
}

/** Closes an open, batched or lost intent; its charge replaces the reserved amount or the estimate. */
export function closeIntent(db: LedgerDatabase, totals: Totals, intent: IntentRow, closing: Closing): void {
  if (isReserved(intent)) endReservation(db, totals, intent);
  else takeBackEstimate(db, totals, intent);
  totals[closing.state] += closing.replies ?? 1;
  insertCharge(db, totals, intent, closing);
  db.sql(
    'update intent set state = ?, latency_ms = ?, failure = ?, origin = ?, returned_model = ?, ' +
      'fingerprint = ? where id = ?',
  ).run(
    ...[closing.state, closing.latencyMs, closing.failure ?? null, closing.origin ?? null],
    ...[closing.returnedModel ?? null, closing.fingerprint ?? null, intent.id],
  );
}

function endReservation(db: LedgerDatabase, totals: Totals, intent: IntentRow): void {
  db.sql('update asked set live = 0 where intent = ?').run(intent.id);
  if (intent.state === 'open') totals.live -= 1;
  totals.reservedNanoUsd -= intent.maxNanoUsd;
  totals.reservedTokens -= BigInt(intent.maxTokens);
}

function takeBackEstimate(db: LedgerDatabase, totals: Totals, intent: IntentRow): void {
  const old = db.sql('select usd, basis, tokens from charge where intent = ?').get(intent.id);
  if (old === undefined)
    throw new Error(`intent ${intent.id} is ${intent.state} but has no charge; the ledger is damaged`);
  addToSpend(totals, old as unknown as Spend, -1n);
  addToLane(db, totals, { ...intent, ...(old as unknown as Spend), state: 'lost' }, -1);
  db.sql('delete from charge where intent = ?').run(intent.id);
  totals.lost -= 1;
}

function insertCharge(db: LedgerDatabase, totals: Totals, intent: IntentRow, closing: Closing): void {
  const { charge, tokens, state } = closing;
  db.sql(
    `insert into charge (intent, input_tokens, cached_tokens, output_tokens, reasoning_tokens, usd, basis, price_date,
      tokens,
     cache_write_tokens, input_audio_tokens, output_audio_tokens, usage_reported) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?,
       ?, ?, ?)`,
  ).run(
    ...[intent.id, charge.inputTokens, charge.cachedTokens, charge.outputTokens, charge.reasoningTokens],
    ...[charge.usd, charge.basis, charge.priceDate, tokens],
    ...[
      charge.cacheWriteTokens ?? null,
      charge.inputAudioTokens ?? null,
      charge.outputAudioTokens ?? null,
      charge.usageReported ?? null,
    ],
  );
  if (charge.usageReported != null) totals.disbelieved += 1;
  const spend = { usd: charge.usd, basis: charge.basis, tokens };
  addToSpend(totals, spend, 1n);
  addToLane(db, totals, { ...intent, ...spend, state, thoughts: thoughtsOf(closing) }, 1);
}

/** A copied reply's thoughts were another run's. */
const thoughtsOf = ({ state, charge, origin = null, replies = 1 }: Closing) =>
  state !== 'answered' || origin !== null || charge.reasoningTokens === null
    ? undefined
    : { answers: replies, tokens: charge.reasoningTokens };

interface Spend {
  readonly usd: number | null;
  readonly basis: CostBasis;
  readonly tokens: number;
}

function addToSpend(totals: Totals, { usd, basis, tokens }: Spend, sign: 1n | -1n): void {
  totals.spentTokens += sign * BigInt(tokens);
  if (usd === null) totals.unknownUsdCalls += Number(sign);
  else if (basis === 'estimated') totals.estimatedNanoUsd += sign * callNanoUsd(usd);
  else totals.reportedNanoUsd += sign * callNanoUsd(usd);
}

/**
 * Marks the open intents of one unit, or of all units, as lost. A killed call may have been billed unnoticed, so it is
 * charged at its estimate.
 */
export function loseOpenIntents(db: LedgerDatabase, totals: Totals, unit: number | 'all'): void {
  const columns = `${selectIntents} where state = 'open'`;
  const open = unit === 'all' ? db.sql(columns).all() : db.sql(`${columns} and unit = ?`).all(unit);
  for (const row of open) {
    const intent = typedIntent(row as unknown as StoredIntent);
    const tokens = intent.free ? 0 : intent.estimatedTokens;
    closeIntent(db, totals, intent, { state: 'lost', charge: estimatedCharge(intent), tokens, latencyMs: null });
  }
}

function estimatedCharge(intent: IntentRow): Charge {
  const unknown = { inputTokens: null, cachedTokens: null, outputTokens: null, reasoningTokens: null, priceDate: null };
  return intent.free
    ? { ...unknown, usd: 0, basis: 'free' }
    : { ...unknown, usd: intent.estimatedUsd, basis: 'estimated' };
}
