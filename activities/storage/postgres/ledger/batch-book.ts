/** The record of batches of a run on PostgreSQL: lines are rows of their own, looked for by model, batch and step. */
import { batchColumns } from '../../ledger/batch-columns.ts';
import type {
  BatchBook,
  BatchChange,
  BatchEnd,
  BatchLine,
  BatchQueue,
  BatchRecord,
  EndedBatch,
} from '../../ledger/batch-book.ts';
import type { Fence } from '../../ledger/fence.ts';
import type { Postgres, Query } from '../postgres.ts';
import { refuseOldFence } from './fenced.ts';
import { fromStored, toStored } from './texts.ts';

export function batchBook(database: Postgres, run: number): Omit<BatchBook, 'reserveInBatch'> {
  const { query } = database;
  const fenced = <T>(fence: Fence, work: (within: Query) => Promise<T>): Promise<T> =>
    database.transaction(async (within) => {
      await refuseOldFence(within, run, fence, 'change batches');
      return work(within);
    });
  return {
    batchedOf: (unit) => batchedOf(query, run, unit),
    batchQueues: () => query<Row<BatchQueue>>(queues, [run]),
    makeBatch: (fence, model, uuid, most) => fenced(fence, (within) => makeBatch(within, run, model, uuid, most)),
    openBatches: () => records(query, run, "state <> 'ended' order by id"),
    lastBatch: (model) => lastBatch(query, run, model),
    changeBatch: (fence, batch, change) => fenced(fence, (within) => changeBatch(within, run, batch, change)),
    async batchLines(batch, afterIntent, most) {
      const where = `answering_model = (select answering_model from batch where run = $1 and id = $2) and batch = $2
        and intent > $3 order by intent limit $4`;
      return lines(query, where, [run, batch, afterIntent, most]);
    },
    batchLine: (batch, callKey) => batchLine(query, run, batch, callKey),
    unbatchLines: (fence, batch, from) => fenced(fence, (within) => unbatchLines(within, run, batch, from)),
    releaseLines: (fence, { batch, answeringModel, intents = null }, most) =>
      fenced(fence, async (within) => {
        const [row] = await within<{ readonly dropped: number }>(
          `select drop_intents($1, array(
             select intent from batch_line where run = $1 and answering_model = $2 and batch is not distinct from $3
               and ($5::bigint[] is null or intent = any($5::bigint[]))
             order by intent limit $4
           )) as dropped`,
          [run, answeringModel, batch, most, intents],
        );
        return row?.dropped ?? 0;
      }),
  };
}

/** As the library wants rows: a type, no interface. */
type Row<T> = { [Field in keyof T]: T[Field] };

async function batchedOf(query: Query, run: number, unit: string): ReturnType<BatchBook['batchedOf']> {
  const [row] = await query<{ readonly lines: number; readonly since_ms: number | null }>(
    `select count(*)::float8 as lines, floor(min(extract(epoch from started_at)) * 1000)::float8 as since_ms
     from batch_line where run = $1 and unit = $2`,
    [run, unit],
  );
  return row?.since_ms == null ? null : { lines: row.lines, sinceMs: row.since_ms };
}

const queues = `select answering_model as "answeringModel", lines::float8 as lines,
    floor(oldest * 1000)::float8 as "oldestMs", floor(newest * 1000)::float8 as "newestMs",
    (select count(*)::float8 from batch_page join plan_page on plan_page.run = $1 and plan_page.id = batch_page.page
      where batch_page.run = $1 and batch_page.answering_model = waiting.answering_model and state = 'open'
      and not exists (select from batch_line where run = $1 and batch_line.page = batch_page.page)) as "pagesAtWork"
  from (
    select answering_model, count(*) as lines, min(extract(epoch from started_at)) as oldest,
      max(extract(epoch from started_at)) as newest
    from batch_line where run = $1 and batch is null group by answering_model
  ) as waiting order by answering_model collate "C"`;

async function makeBatch(query: Query, run: number, model: string, uuid: string, most: number): Promise<BatchRecord> {
  const [made] = await query<{ readonly id: string }>(
    'insert into batch (run, uuid, answering_model) values ($1, $2, $3) returning id',
    [run, uuid, model],
  );
  const batch = Number(made?.id);
  await query(
    `with taken as (
       update batch_line set batch = $2 where run = $1 and intent in (
         select intent from batch_line where run = $1 and answering_model = $3 and batch is null
         order by intent limit $4
       ) returning page
     ), counted as (update batch set requests = (select count(*) from taken) where run = $1 and id = $2)
     insert into batch_page select distinct $1::int, $3, page from taken on conflict do nothing`,
    [run, batch, model, most],
  );
  return changeBatch(query, run, batch, {});
}

/** A batch that was refused as a whole keeps its number of requests, by which the next one is smaller. */
async function unbatchLines(query: Query, run: number, batch: number, from: number): Promise<void> {
  await query(
    `with back as (
       update batch_line set batch = null where run = $1 and intent >= $3 and batch = $2
       and answering_model = (select answering_model from batch where run = $1 and id = $2) returning 1
     )
     update batch set requests = requests - (select count(*) from back) where run = $1 and id = $2 and $3 > 0`,
    [run, batch, from],
  );
}

async function changeBatch(
  query: Query,
  run: number,
  batch: number,
  { endReason, ...change }: BatchChange,
): Promise<BatchRecord> {
  const values = Object.values(change).map((value) => (typeof value === 'string' ? toStored(value) : value));
  const sets = Object.keys(change).map(
    (field, place) => `${batchColumns[field as keyof typeof batchColumns]} = $${place + 3}`,
  );
  if (change.endpointId !== undefined) sets.push('created_at = coalesce(created_at, clock_timestamp())');
  if (endReason !== undefined) {
    values.push(endReason);
    sets.push(`state = 'ended'`, 'ended_at = clock_timestamp()', `end_reason = $${values.length + 2}`);
  }
  if (sets.length > 0)
    await query(`update batch set ${sets.join(', ')} where run = $1 and id = $2`, [run, batch, ...values]);
  const [record] = await records(query, run, 'id = $2', batch);
  if (record === undefined) throw new Error(`the ledger has no batch ${batch}`);
  return record;
}

async function records(query: Query, run: number, where: string, ...values: number[]): Promise<BatchRecord[]> {
  const rows = await query<Row<BatchRecord>>(
    `select id::float8 as id, uuid::text as uuid, answering_model as "answeringModel", requests, answered,
       floor(extract(epoch from made_at) * 1000)::float8 as "madeAtMs", upload_asked as "uploadAsked", file,
       create_asked_ms as "createAskedMs", endpoint_id as "endpointId", cancelled, short_reads as "shortReads", fault
     from batch where run = $1 and ${where}`,
    [run, ...values],
  );
  return rows.map((row) => ({
    ...row,
    file: fromStored(row.file),
    endpointId: fromStored(row.endpointId),
    fault: fromStored(row.fault),
  }));
}

/** How many of the newest ended batches are looked at. */
const lookedAt = 20;

async function lastBatch(query: Query, run: number, model: string): Promise<EndedBatch | null> {
  const rows = await query<Row<Omit<EndedBatch, 'crowdedInARow'>> & { readonly reason: BatchEnd }>(
    `select requests, round(extract(epoch from ended_at - made_at) * 1000)::float8 as "tookMs",
       floor(extract(epoch from ended_at) * 1000)::float8 as "endedAtMs", end_reason as reason
     from batch where run = $1 and answering_model = $2 and state = 'ended' order by id desc limit $3`,
    [run, model, lookedAt],
  );
  const [last] = rows;
  if (last === undefined) return null;
  const others = rows.findIndex(({ reason }) => reason !== 'crowded');
  const { reason: _reason, ...record } = last;
  return { ...record, crowdedInARow: others === -1 ? rows.length : others };
}

type LineRow = Omit<BatchLine['key'], never> & {
  /** A bigint. */
  readonly intent: string;
  readonly parameters_sent: string;
  readonly estimated_usd: number | null;
  /** A bigint. */
  readonly max_tokens: string;
  readonly call_keys: readonly string[];
};

async function lines(query: Query, where: string, values: readonly unknown[]): Promise<BatchLine[]> {
  const rows = await query<LineRow>(
    `select waiting.intent, plan_page.page, cell, step, loop, ask, sample, parameters_sent, estimated_usd,
       max_tokens, array(select encode(call_key, 'hex') from unnest(calls) with ordinality as asked (id, n)
         join call on call.run = $1 and call.id = asked.id order by n) as call_keys
     from (select * from batch_line where run = $1 and ${where}) as waiting
     join intent on intent.run = $1 and intent.id = waiting.intent
     join plan_page on plan_page.run = $1 and plan_page.id = waiting.page order by waiting.intent`,
    values,
  );
  return rows.map(({ page, cell, step, loop, ask, sample, ...line }) => ({
    intent: Number(line.intent),
    key: { page, cell, step, loop, ask, sample },
    callKeys: line.call_keys,
    parametersSent: fromStored(line.parameters_sent),
    estimatedUsd: line.estimated_usd,
    maxTokens: Number(line.max_tokens),
  }));
}

async function batchLine(query: Query, run: number, batch: number, callKey: string): Promise<BatchLine | undefined> {
  if (!/^[0-9a-f]{64}$/.test(callKey)) return undefined;
  const where = `batch = $2 and intent = (select live_call.intent from call
    join live_call on live_call.run = call.run and live_call.call = call.id
    where call.run = $1 and call_key = decode($3, 'hex'))`;
  const [line] = await lines(query, where, [run, batch, callKey]);
  return line?.callKeys[0] === callKey ? line : undefined;
}
