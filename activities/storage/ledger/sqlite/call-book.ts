/** Stores replies, and closes calls without one: the part of the ledger that prevents paying for a call twice. */
import type { ChatReply } from '../../../../schemas/chat.ts';
import { closeIntent, dropIntent, intentRow, intentWithCalls } from './intents.ts';
import type { AskedCall, IntentRow } from './intents.ts';
import type { LedgerDatabase } from './ledger-transactions.ts';
import type { Charge, SampleKey, StoredReplies, StoredReply } from '../records.ts';
import { pageName } from './plan-pages.ts';
import type { StoredBody } from '../bodies/stored-body.ts';
import { unpackReply } from '../bodies/stored-reply.ts';
import type { Totals } from './totals.ts';
import { onceWithin } from './within-transaction.ts';

export interface KnownCall {
  readonly id: number;
  readonly answered: number;
  readonly live: number;
  readonly batched: number;
}

export const knownCall = (db: LedgerDatabase, key: Uint8Array): KnownCall | undefined =>
  db
    .sql(
      `select id, exists (select 1 from reply where reply.call = call.id) as answered,
       exists (select 1 from asked where asked.call = call.id and live = 1) as live, batched
       from call where call_key = ?`,
    )
    .get(key) as KnownCall | undefined;

/** The 32 bytes of a hex SHA-256. */
export function keyBytes(hex: string): Uint8Array {
  if (!/^[0-9a-f]{64}$/.test(hex)) throw new Error(`a key must be 64 lower-case hex digits, got "${hex}"`);
  return Buffer.from(hex, 'hex');
}

export const hexKey = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex');

export function linkSample(db: LedgerDatabase, page: number, key: Omit<SampleKey, 'page'>, call: number): void {
  const { changes } = db
    .sql('insert or ignore into sample (page, cell, step, loop, ask, sample, call) values (?, ?, ?, ?, ?, ?, ?)')
    .run(page, key.cell, key.step, key.loop, key.ask, key.sample, call);
  if (changes === 1)
    db.sql('update lane set answered = answered + 1 where id = (select lane from page where id = ?)').run(page);
}

/** A reply and its bytes to store, which are prepared before the transaction to keep that short. */
interface PackedReply {
  readonly reply: ChatReply;
  readonly stored: StoredBody;
}

/** The result of one request. */
export interface RepliesToCommit {
  readonly intent: number;
  readonly replies: readonly PackedReply[];
  readonly charge: Charge;
  /** Null for replies that were copied from another run. */
  readonly latencyMs: number | null;
  readonly origin: string | null;
}

/** The replies that count for one request, and its first sample. */
export interface Committed {
  readonly first: SampleKey;
  readonly winners: StoredReplies;
}

/** Stores replies and their charge. A second commit of one intent changes nothing. */
export function commitReplies(db: LedgerDatabase, totals: Totals, answer: RepliesToCommit): Committed {
  const { intent, calls } = intentWithCalls(db, answer.intent);
  if (intent.state === 'failed')
    throw new Error(`intent ${intent.id} was closed as failed and can no longer be answered`);
  const page = onceWithin(totals, `name of page ${intent.page}`, () => pageName(db, intent.page));
  const { cell, step, loop, ask, sample } = intent;
  return { first: { page, cell, step, loop, ask, sample }, winners: winnersOf(db, totals, intent, calls, answer) };
}

function winnersOf(
  db: LedgerDatabase,
  totals: Totals,
  intent: IntentRow,
  calls: readonly AskedCall[],
  answer: RepliesToCommit,
): StoredReplies {
  if (intent.state === 'answered') return calls.map(({ call }) => replyIfAny(db, call));
  const replies = answer.replies.slice(0, calls.length);
  const [first] = replies;
  if (first === undefined)
    throw new Error(`intent ${intent.id} cannot be answered without a reply; close it as failed`);
  const winners = calls.map((call, place) => winner(db, intent.id, call, answer, replies[place]));
  const { charge, latencyMs, origin } = answer;
  const { returnedModel, fingerprint } = first.reply;
  // A copied reply used no tokens of this run's budget.
  const tokens = origin === null ? (usedTokens(charge) ?? intent.estimatedTokens) : 0;
  const facts = { charge, tokens, latencyMs, origin, returnedModel, fingerprint };
  closeIntent(db, totals, intent, { state: 'answered', replies: replies.length, ...facts });
  for (const [place, { call }] of calls.entries())
    if (winners[place]) linkSample(db, intent.page, { ...intent, sample: intent.sample + place }, call);
  return winners;
}

/** The reply that counts for one call: this one, or an earlier one; null if there is neither. */
function winner(
  db: LedgerDatabase,
  intent: number,
  call: AskedCall,
  { origin }: RepliesToCommit,
  packed: PackedReply | undefined,
) {
  if (packed === undefined) return replyIfAny(db, call.call);
  const wins = insertReply(db, call.call, intent, packed.stored);
  return wins ? { callKey: call.callKey, reply: packed.reply, origin } : replyTo(db, call.call);
}

/** True when this reply is the one that counts. */
function insertReply(db: LedgerDatabase, call: number, intent: number, { body, sha256 }: StoredBody): boolean {
  // `or ignore`: the first reply to a call counts, so anything derived from it stays valid when a second one arrives.
  const insert = db.sql('insert or ignore into reply (call, intent, body, sha256) values (?, ?, ?, ?)');
  return insert.run(call, intent, body, sha256).changes === 1;
}

/** Null if the endpoint reported no usage. */
const usedTokens = ({ inputTokens, outputTokens }: Charge): number | null =>
  inputTokens === null && outputTokens === null ? null : (inputTokens ?? 0) + (outputTokens ?? 0);

/** Closes an intent without a reply. A second failure of the same intent changes nothing. */
export function failCall(
  db: LedgerDatabase,
  totals: Totals,
  at: { readonly intent: number; readonly latencyMs: number },
  failure: string,
  charge: Charge,
): void {
  const intent = intentRow(db, at.intent);
  if (intent.state === 'answered') throw new Error(`intent ${intent.id} was answered and can no longer fail`);
  if (intent.state === 'failed') return;
  closeIntent(db, totals, intent, {
    state: 'failed',
    charge,
    tokens: usedTokens(charge) ?? charge.assumedTokens ?? 0,
    latencyMs: at.latencyMs,
    failure,
  });
  const reason = failure.split(':', 1)[0] ?? failure;
  db.sql(
    'insert into failure_reason (reason, calls) values (?, 1) on conflict (reason) do update set calls = calls + 1',
  ).run(reason);
}

/** Cancels a reservation: nothing was sent, so nothing is counted. An intent closed meanwhile stays as it is. */
export function releaseCall(db: LedgerDatabase, totals: Totals, intent: number, why: string): void {
  if (!dropIntent(db, totals, intentRow(db, intent))) return;
  db.sql(
    'insert into unsent_reason (reason, attempts) values (?, 1) on conflict (reason) do ' +
      'update set attempts = attempts + 1',
  ).run(why);
}

/** The reply to a call key, if there is one. */
export function findReply(db: LedgerDatabase, callKey: string): StoredReply | undefined {
  const known = knownCall(db, keyBytes(callKey));
  return known?.answered ? replyTo(db, known.id) : undefined;
}

export function replyTo(db: LedgerDatabase, call: number): StoredReply {
  const reply = replyIfAny(db, call);
  if (reply === null) throw new Error(`call ${call} has no reply; the ledger is damaged`);
  return reply;
}

function replyIfAny(db: LedgerDatabase, call: number): StoredReply | null {
  const row = db.sql(`select ${replyColumns} ${replyJoins} where reply.call = ?`).get(call);
  return row === undefined ? null : storedReply(row as unknown as ReplyRow);
}

export interface ReplyRow {
  readonly callKey: Uint8Array;
  readonly body: Uint8Array;
  readonly sha256: Uint8Array;
  readonly origin: string | null;
}

export const replyColumns = 'call_key as callKey, body, sha256, intent.origin as origin';
export const replyJoins = 'from reply join call on call.id = reply.call join intent on intent.id = reply.intent';

/** Throws `CorruptionError` if the stored reply does not match its hash. */
export function storedReply(row: ReplyRow): StoredReply {
  const callKey = hexKey(row.callKey);
  return { callKey, reply: unpackReply(row, `reply to call ${callKey}`), origin: row.origin };
}
