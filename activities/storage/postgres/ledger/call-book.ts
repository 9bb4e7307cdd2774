/** The calls of one run in PostgreSQL: each group of reservations, and of replies, is one statement of the server. */
import { randomUUID } from 'node:crypto';
import type { ChatReply } from '../../../../schemas/chat.ts';
import type { StopReason } from '../../../../schemas/states.ts';
import { InputError } from '../../../../domain/errors.ts';
import { packReply, unpackReply } from '../../ledger/bodies/stored-reply.ts';
import type { Postgres } from '../postgres.ts';
import type { CallBook as LedgerCalls, CallToReserve, Reservation } from '../../ledger/call-book.ts';
import type { Budget } from '../../ledger/control.ts';
import type { Fence } from '../../ledger/fence.ts';
import type { PlannedPage } from '../../ledger/plan.ts';
import type { Charge, StoredReplies, StoredReply } from '../../ledger/records.ts';
import { grouped } from './grouped.ts';

type Calls = Pick<LedgerCalls, 'reserve' | 'commit' | 'release' | 'fail'>;

/** What of a ledger is on PostgreSQL so far; each method promises what the ledger's does. */
export interface PostgresCalls extends Calls {
  /** Null for an old epoch, and for an attempt that is not newer than the last. */
  openUnit(unit: string, epoch: number, attempt?: number): Promise<Fence | null>;
  reply(callKey: string): Promise<StoredReply | undefined>;
  addPages(pages: readonly PlannedPage[]): Promise<void>;
  takeOver(owner: string): Promise<number>;
  setStop(model: string | null, reason: StopReason | null, detail: string): Promise<void>;
  setBudget(budget: Budget): Promise<void>;
}

type CallBook = Pick<PostgresCalls, keyof Calls | 'openUnit' | 'reply'>;

/** Throws `InputError` if the store has no such run. */
export async function openCalls(database: Postgres, runId: string): Promise<PostgresCalls> {
  const [row] = await database.query<{ readonly number: number }>('select number from run where id = $1', [runId]);
  if (row === undefined) throw new InputError(`no run "${runId}" in ${database.name}`);
  const run = row.number;
  await database.query(
    `with epoch as (insert into run_epoch (run) values ($1) on conflict do nothing)
     insert into run_total (run) values ($1) on conflict do nothing`,
    [run],
  );
  return { ...callBook(database, run), ...control(database, run) };
}

function callBook(database: Postgres, run: number): CallBook {
  const reserve = reserving(database, run);
  const commit = committing(database, run);
  return {
    openUnit: (unit, epoch, attempt) => openUnit(database, run, { unit, epoch, attempt }),
    reserve: (fence, call) => reserve({ fence, call }),
    commit: (intent, replies, charge, latencyMs, origin = null) =>
      commit({ intent, replies, charge, latencyMs, origin }),
    async release(intent, why) {
      // In a transaction, as all that may not happen twice.
      await database.transaction((query) => query('select release_call($1, $2, $3)', [run, intent, why]));
    },
    async fail(intent, failure, charge, latencyMs) {
      const { usd, basis, tokens, facts } = paid(charge);
      const values = [run, intent, failure, usd, nanoOf(usd), basis, tokens ?? 0, facts, latencyMs];
      const sql = 'select fail_call($1, $2, $3, $4, $5, $6, $7, $8, $9) as before';
      const [row] = await database.query<{ readonly before: string | null }>(sql, values);
      if (row?.before === null) throw missing(intent);
      if (row?.before === 'answered') throw new Error(`intent ${intent} was answered and can no longer fail`);
    },
    async reply(callKey) {
      const [row] = await database.query<{ readonly replies: readonly (PackedReply | null)[] | null }>(
        `select jsonb_build_array(jsonb_build_object('body', encode(body, 'base64'),
           'sha256', encode(reply.sha256, 'hex'), 'origin', origin)) as replies
         from call join reply on reply.call = call.id join intent on intent.id = reply.intent
         where call.run = $1 and call_key = decode($2, 'hex')`,
        [run, callKey],
      );
      return unpacked([callKey], row?.replies ?? [])[0] ?? undefined;
    },
  };
}

/** The server answers in an order of its own. */
function inOrder<Answer>([row]: readonly { readonly answers?: readonly (Answer & { readonly place: number })[] }[]) {
  const answers: Answer[] = [];
  for (const { place, ...answer } of row?.answers ?? []) answers[place] = answer as Answer;
  return answers;
}

interface ToReserve {
  readonly fence: Fence;
  readonly call: CallToReserve;
}

type Reserved =
  | { readonly kind: 'go'; readonly intent: number }
  | { readonly kind: 'busy' }
  | { readonly kind: 'stop'; readonly reason: StopReason }
  | { readonly kind: 'answered'; readonly replies: readonly (PackedReply | null)[] }
  | { readonly kind: 'error'; readonly page: number | null; readonly sample: number | null };

const reserving = (database: Postgres, run: number): ((wanted: ToReserve) => Promise<Reservation>) => {
  const ask = grouped<ReturnType<typeof requestOf>, Reserved>(async (requests) => {
    const numbered = JSON.stringify(requests.map((request, place) => ({ place, ...request })));
    return inOrder<Reserved>(await database.query('select reserve_calls($1, $2) as answers', [run, numbered]));
  });
  return async (wanted) => {
    const answer = await ask(requestOf(wanted));
    if (answer.kind === 'error') throw refused(wanted.call, answer);
    return answer.kind === 'answered'
      ? { kind: 'answered', replies: unpacked(wanted.call.callKeys, answer.replies) }
      : answer;
  };
};

/** A request as `reserve_calls` reads it. Its UUID finds the intent of a request whose answer was lost. */
const requestOf = ({ fence, call }: ToReserve) => ({
  id: randomUUID(),
  ...fence,
  ...call.key,
  keys: call.callKeys.map(checkedKey),
  model: call.model,
  answering_model: call.answeringModel,
  parameters_sent: call.parametersSent,
  // Rounded up, so that sums never fall below the true maximum.
  max_nano_usd: call.maxUsd === null ? 0 : Math.ceil(checkedUsd(call.maxUsd) * 1e9),
  is_priced: call.maxUsd !== null,
  max_tokens: call.maxTokens,
  estimated_usd: call.estimatedUsd,
  estimated_tokens: call.estimatedTokens,
  free: call.free,
});

function checkedKey(key: string): string {
  if (!/^[0-9a-f]{64}$/.test(key)) throw new Error(`a key must be 64 lower-case hex digits, got "${key}"`);
  return key;
}

function refused({ key, callKeys }: CallToReserve, { page, sample }: Extract<Reserved, { kind: 'error' }>): Error {
  if (page === null) return new Error(`the plan has no page ${key.page}`);
  const name = `${key.page} cell ${key.cell} ${key.step} loop ${key.loop} ask ${key.ask} sample ${sample}`;
  return new Error(
    `${name} was already answered under another call key than ${callKeys[(sample ?? 0) - key.sample]}: a run's ` +
      'requests must not change; start a new run for changed prompts or endpoints',
  );
}

interface ToCommit {
  readonly intent: number;
  readonly replies: readonly ChatReply[];
  readonly charge: Charge;
  readonly latencyMs: number | null;
  readonly origin: string | null;
}

type Committed =
  | { readonly replies: readonly (PackedReply | 'own' | null)[]; readonly keys: readonly string[] }
  | { readonly error: string };

const committing = (database: Postgres, run: number): ((result: ToCommit) => Promise<StoredReplies>) => {
  const store = grouped<ReturnType<typeof resultOf>, Committed>(async (results) => {
    const numbered = JSON.stringify(results.map((result, place) => ({ place, ...result })));
    return inOrder<Committed>(await database.query('select accept_replies($1, $2) as answers', [run, numbered]));
  });
  return async (result) => {
    if (result.replies.length === 0)
      throw new Error(`intent ${result.intent} cannot be answered without a reply; close it as failed`);
    const stored = await store(resultOf(result));
    if ('replies' in stored) return unpacked(stored.keys, stored.replies, result);
    throw stored.error === 'missing'
      ? missing(result.intent)
      : new Error(`intent ${result.intent} was closed as failed and can no longer be answered`);
  };
};

function resultOf({ intent, replies, charge, latencyMs, origin }: ToCommit) {
  const packed = replies.map(packReply);
  const { usd, ...rest } = paid(charge);
  return {
    intent,
    bodies: packed.map(({ body }) => Buffer.from(body).toString('base64')),
    hashes: packed.map(({ sha256 }) => Buffer.from(sha256).toString('hex')),
    usd,
    nano_usd: nanoOf(usd),
    ...rest,
    latency_ms: latencyMs,
    origin,
    returned_model: replies[0]?.returnedModel ?? null,
    fingerprint: replies[0]?.fingerprint ?? null,
  };
}

interface PackedReply {
  readonly body: string;
  readonly sha256: string;
  readonly origin: string | null;
}

/** @param own whose replies were stored just now */
const unpacked = (
  keys: readonly string[],
  replies: readonly (PackedReply | 'own' | null)[],
  own?: ToCommit,
): (StoredReply | null)[] =>
  replies.map((packed, place) => {
    const callKey = keys[place];
    if (packed === null || callKey === undefined) return null;
    if (packed === 'own') {
      const reply = own?.replies[place];
      return reply === undefined ? null : { callKey, reply, origin: own?.origin ?? null };
    }
    const stored = { body: Buffer.from(packed.body, 'base64'), sha256: Buffer.from(packed.sha256, 'hex') };
    return { callKey, reply: unpackReply(stored, `the reply to call ${callKey}`), origin: packed.origin };
  });

const missing = (intent: number): Error =>
  new Error(`intent ${intent} is not in this ledger; commit and fail need the number that reserve returned`);

/** `tokens` is null if the endpoint reported no usage. */
function paid({ usd, basis, ...facts }: Charge) {
  const { inputTokens, outputTokens } = facts;
  const tokens = inputTokens === null && outputTokens === null ? null : (inputTokens ?? 0) + (outputTokens ?? 0);
  return { usd: usd === null ? null : checkedUsd(usd), basis, tokens, facts };
}

function checkedUsd(usd: number): number {
  if (usd >= 0 && Number.isFinite(usd)) return usd;
  throw new RangeError(`an amount in USD must be finite and not negative, got ${usd}`);
}

/** In whole 1e-9 USD; capped at nine million dollars. */
const nanoOf = (usd: number | null): number | null =>
  usd === null ? null : Math.min(Math.round(usd * 1e9), Number.MAX_SAFE_INTEGER);

interface ToOpen {
  readonly unit: string;
  readonly epoch: number;
  readonly attempt: number | undefined;
}

const openUnit = (database: Postgres, run: number, { unit, epoch, attempt }: ToOpen): Promise<Fence | null> =>
  database.transaction(async (query) => {
    const [now] = await query<{ readonly epoch: number }>('select epoch from run_epoch where run = $1 for share', [
      run,
    ]);
    if (now?.epoch !== epoch) return null;
    await query('insert into unit values ($1, $2, 0, 0) on conflict do nothing', [run, unit]);
    const [last] = await query<{ readonly epoch: number; readonly attempt: number }>(
      'select epoch, attempt from unit where run = $1 and unit = $2 for update',
      [run, unit],
    );
    const newest = last?.epoch === epoch ? last.attempt : 0;
    const next = attempt ?? newest + 1;
    if (next <= newest) return null;
    await query('update unit set epoch = $3, attempt = $4 where run = $1 and unit = $2', [run, unit, epoch, next]);
    await query('select lose_open($1, $2)', [run, unit]);
    return { unit, epoch, attempt: next };
  });

function control(database: Postgres, run: number): Omit<PostgresCalls, keyof CallBook> {
  return {
    async addPages(pages) {
      const rows = pages.map(({ page, study, model, cells, revision }) => ({ page, study, model, cells, revision }));
      await database.query(
        `insert into plan_page (run, page, study, model, cells, revision)
         select $1, page, study, model, cells, revision from jsonb_to_recordset($2)
         as given (page text, study text, model text, cells int, revision int) on conflict do nothing`,
        [run, JSON.stringify(rows)],
      );
    },
    takeOver: (owner) =>
      database.transaction(async (query) => {
        const sql = 'update run_epoch set epoch = epoch + 1, owner = $2 where run = $1 returning epoch';
        const [row] = await query<{ readonly epoch: number }>(sql, [run, owner]);
        await query('select lose_open($1, null)', [run]);
        return row?.epoch ?? 0;
      }),
    async setStop(model, reason, detail) {
      const sql = 'insert into control (run, model, reason, detail) values ($1, $2, $3, $4)';
      await database.transaction((query) => query(sql, [run, model, reason, detail]));
    },
    async setBudget({ usd, tokens }) {
      const sql = 'update run_total set budget_nano_usd = $2, budget_tokens = $3 where run = $1';
      await database.query(sql, [run, nanoOf(usd), tokens]);
    },
  };
}
