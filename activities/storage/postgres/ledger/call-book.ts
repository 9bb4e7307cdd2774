/** The calls of one run in PostgreSQL: each group of reservations, and of replies, is one statement of the server. */
import { randomUUID } from 'node:crypto';
import type { ChatReply } from '../../../../schemas/chat.ts';
import type { StopReason } from '../../../../schemas/states.ts';
import type { BatchReservation } from '../../ledger/batch-book.ts';
import { packReply } from '../../ledger/bodies/stored-reply.ts';
import type { CallBook, CallToReserve, Reservation } from '../../ledger/call-book.ts';
import { type Fence, FencedError } from '../../ledger/fence.ts';
import type { Charge, StoredReplies } from '../../ledger/records.ts';
import type { Postgres } from '../postgres.ts';
import { checkedUsd, paid } from './charges.ts';
import { failedBefore } from './failed-before.ts';
import { grouped, groupedCall } from './grouped.ts';
import { checkedKey, type PackedReply, unpackedReply } from './packed-reply.ts';
import { toStored } from './texts.ts';

export interface Calls extends CallBook {
  reserveInBatch(fence: Fence, call: CallToReserve): Promise<BatchReservation>;
}

export function callBook(database: Postgres, run: number): Calls {
  const ask = (name: string) => (requests: string) =>
    database.query<{ readonly answers?: unknown }>(`select ${name}($1, $2) as answers`, [run, requests]);
  const reserve = reserving(ask('reserve_calls'));
  const fail = groupedCall<object, { readonly before: string | null }>(ask('fail_calls'));
  const release = grouped<object, null>(async (requests) => {
    await ask('release_calls')(JSON.stringify(requests));
    return requests.map(() => null);
  });
  return {
    openUnit: (unit, epoch, attempt) => openUnit(database, run, unit, epoch, attempt ?? null),
    async reserve(fence, call) {
      const answer = await reserve(fence, call, false);
      if (answer.kind === 'batched' || answer.kind === 'ordinary')
        throw new Error(`${call.callKeys[0]} was reserved as ${answer.kind}, not asked in a batch`);
      return answer;
    },
    async reserveInBatch(fence, call) {
      const answer = await reserve(fence, call, true);
      if (answer.kind === 'go') throw new Error(`${call.callKeys[0]} was reserved for itself, asked in a batch`);
      return answer;
    },
    commit: committing(ask('accept_replies')),
    async release(intent, why) {
      // An intent that is gone was taken back before, perhaps by a try whose answer was lost.
      await release({ intent, why: toStored(why) });
    },
    async fail(intent, failure, charge, latencyMs) {
      const { before } = await fail({ intent, failure: toStored(failure), ...paid(charge), latency_ms: latencyMs });
      if (before === null) throw missing(intent);
      if (before === 'answered') throw new Error(`intent ${intent} was answered and can no longer fail`);
    },
    failedBefore: (page, fence) => failedBefore(database, run, page, fence),
    async reply(callKey) {
      const [row] = await database.query<PackedReply>(
        `select encode(body, 'base64') as body, encode(reply.sha256, 'hex') as sha256, origin
         from call join reply on reply.call = call.id join intent on intent.id = reply.intent
         where call.run = $1 and call_key = decode($2, 'hex')`,
        [run, checkedKey(callKey)],
      );
      return row === undefined ? undefined : unpackedReply(callKey, row);
    },
  };
}

type Ask = (requests: string) => Promise<readonly { readonly answers?: unknown }[]>;

type Reserved =
  | { readonly kind: 'go'; readonly intent: number }
  | { readonly kind: 'busy' }
  | { readonly kind: 'batched' | 'ordinary' }
  | { readonly kind: 'stop'; readonly reason: StopReason }
  | { readonly kind: 'answered'; readonly replies: readonly (PackedReply | null)[] }
  | { readonly kind: 'error'; readonly page: number | null; readonly sample: number | null };

function reserving(send: Ask) {
  const ask = groupedCall<object, Reserved>(send);
  return async (fence: Fence, call: CallToReserve, isInBatch: boolean): Promise<Reservation | BatchReservation> => {
    const answer = await ask(requestOf(fence, isInBatch ? { ...call, ...call.inBatch } : call, isInBatch));
    if (answer.kind === 'error') throw refused(call, answer);
    return answer.kind === 'answered'
      ? { kind: answer.kind, replies: unpacked(call.callKeys, answer.replies) }
      : answer;
  };
}

/** A request as `reserve_calls` reads it. Its UUID finds the intent of a request whose answer was lost. */
const requestOf = (fence: Fence, call: CallToReserve, isInBatch: boolean) => ({
  id: randomUUID(),
  ...fence,
  ...call.key,
  keys: call.callKeys.map(checkedKey),
  model: call.model,
  answering_model: call.answeringModel,
  parameters_sent: toStored(call.parametersSent),
  // Rounded up, so that sums never fall below the true maximum.
  max_nano_usd: call.maxUsd === null ? 0 : Math.min(Math.ceil(checkedUsd(call.maxUsd) * 1e9), Number.MAX_SAFE_INTEGER),
  is_priced: call.maxUsd !== null,
  max_tokens: call.maxTokens,
  estimated_usd: call.estimatedUsd,
  estimated_tokens: call.estimatedTokens,
  free: call.free,
  in_batch: isInBatch,
});

function refused({ key, callKeys }: CallToReserve, { page, sample }: Extract<Reserved, { kind: 'error' }>): Error {
  if (page === null)
    return new Error(`page ${key.page} is not in the ledger; add the plan's pages before acting for them`);
  const name = `${key.page} cell ${key.cell} ${key.step} loop ${key.loop} ask ${key.ask} sample ${sample}`;
  return new Error(
    `${name} was already answered under another call key than ${callKeys[(sample ?? 0) - key.sample]}: a run's ` +
      'requests must not change; start a new run for changed prompts or endpoints',
  );
}

type Committed =
  | { readonly replies: readonly (PackedReply | 'own' | null)[] | null; readonly keys: readonly string[] }
  | { readonly error: string };

function committing(send: Ask): CallBook['commit'] {
  const store = groupedCall<object, Committed>(send);
  return async (intent, replies, charge, latencyMs, origin = null) => {
    if (replies.length === 0)
      throw new Error(`intent ${intent} cannot be answered without a reply; close it as failed`);
    const stored = await store(resultOf(intent, replies, charge, latencyMs, origin));
    if ('replies' in stored) return unpacked(stored.keys, stored.replies ?? [], { replies, origin });
    throw stored.error === 'missing'
      ? missing(intent)
      : new Error(`intent ${intent} was closed as failed and can no longer be answered`);
  };
}

function resultOf(
  intent: number,
  replies: readonly ChatReply[],
  charge: Charge,
  latencyMs: number | null,
  origin: string | null,
) {
  const packed = replies.map(packReply);
  return {
    intent,
    bodies: packed.map(({ body }) => Buffer.from(body).toString('base64')),
    hashes: packed.map(({ sha256 }) => Buffer.from(sha256).toString('hex')),
    ...paid(charge),
    latency_ms: latencyMs,
    origin,
    returned_model: toStored(replies[0]?.returnedModel ?? null),
    fingerprint: toStored(replies[0]?.fingerprint ?? null),
  };
}

/** @param own whose replies were stored just now */
const unpacked = (
  keys: readonly string[],
  replies: readonly (PackedReply | 'own' | null)[],
  own?: { readonly replies: readonly ChatReply[]; readonly origin: string | null },
): StoredReplies =>
  keys.map((callKey, place) => {
    const packed = replies[place] ?? null;
    if (packed !== 'own') return packed === null ? null : unpackedReply(callKey, packed);
    const reply = own?.replies[place];
    return reply === undefined ? null : { callKey, reply, origin: own?.origin ?? null };
  });

const missing = (intent: number): Error =>
  new Error(
    `call ${intent} is not reserved in this ledger (any more): a newer attempt of its step may have given it back`,
  );

/** The number finds the opening again whose answer was lost. */
async function openUnit(database: Postgres, run: number, unit: string, epoch: number, attempt: number | null) {
  const [row] = await database.query<{ readonly attempt: number | null }>(
    'select open_unit($1, $2, $3, $4, $5) as attempt',
    [run, unit, epoch, attempt, randomUUID()],
  );
  if (row?.attempt == null)
    throw new FencedError(`${unit} cannot open for attempt ${attempt ?? 'any'} under epoch ${epoch}: a newer one acts`);
  return { unit, epoch, attempt: row.attempt };
}
