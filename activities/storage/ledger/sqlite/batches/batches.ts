/** Implements the record of batches on the ledger's tables. */
import { batchColumns } from '../../batch-columns.ts';
import type { GroupCommit } from '../group-commit.ts';
import type {
  BatchBook,
  BatchChange,
  BatchLine,
  BatchQueue,
  BatchRecord,
  EndedBatch,
  LinesToRelease,
} from '../../batch-book.ts';
import { reserveInBatch } from '../reservation.ts';
import { dropIntent, intentRow } from '../intents.ts';
import type { LedgerDatabase } from '../ledger-transactions.ts';
import { FencedError } from '../../fence.ts';
import type { Fence } from '../../fence.ts';
import type { SampleKey } from '../../records.ts';
import { fencedUnit } from '../plan-pages.ts';
import type { Change } from '../change.ts';
import type { Totals } from '../totals.ts';

export const batchBook = (db: LedgerDatabase, change: Change, { request }: GroupCommit): BatchBook => ({
  reserveInBatch: (fence, call) => request((totals) => reserveInBatch(db, totals, fence, call)),
  batchedOf: async (unit) => batchedOf(db, unit),
  batchQueues: async () => batchQueues(db),
  makeBatch: (fence, model, uuid, most) => fenced(db, change, fence, () => makeBatch(db, model, uuid, most)),
  openBatches: async () => records(db, "state != 'ended' order by id").map(recordOf),
  lastBatch: async (model) => lastBatch(db, model),
  changeBatch: (fence, batch, news) => fenced(db, change, fence, () => changeBatch(db, batch, news)),
  batchLines: async (batch, after, most) => batchLines(db, batch, after, most),
  batchLine: async (batch, callKey) => batchLine(db, batch, callKey),
  unbatchLines: (fence, batch, from) => fenced(db, change, fence, () => unbatchLines(db, batch, from)),
  releaseLines: (fence, at, most) => fenced(db, change, fence, (totals) => releaseLines(db, totals, at, most)),
});

const fenced = <T>(db: LedgerDatabase, change: Change, fence: Fence, work: (totals: Totals) => T): Promise<T> =>
  change((totals) => {
    if (fencedUnit(db, totals, fence) === undefined)
      throw new FencedError(`${fence.unit}: another attempt than ${fence.attempt} at epoch ${fence.epoch} acts now`);
    return work(totals);
  });

function batchedOf(db: LedgerDatabase, unit: string): Awaited<ReturnType<BatchBook['batchedOf']>> {
  const row = db
    .sql(
      `select count(*) as lines, min(started_at_ms) as sinceMs from intent
       where state = 'batched' and unit = (select id from unit where unit.unit = ?)`,
    )
    .get(unit);
  const lines = Number(row?.['lines'] ?? 0);
  return lines === 0 ? null : { lines, sinceMs: Number(row?.['sinceMs']) };
}

const batchQueues = (db: LedgerDatabase): BatchQueue[] =>
  db
    .sql(
      `select answering_model as answeringModel, count(*) as lines, min(started_at_ms) as oldestMs,
         max(started_at_ms) as newestMs from intent where state = 'batched' and batch is null group by 1 order by 1`,
    )
    .all()
    .map((row) => {
      const queue = row as unknown as Omit<BatchQueue, 'pagesAtWork'>;
      return { ...queue, pagesAtWork: pagesAtWork(db, queue.answeringModel) };
    });

const pagesAtWork = (db: LedgerDatabase, model: string): number =>
  Number(
    db
      .sql(
        `select count(*) as pages from page where state = 'open'
         and exists (select 1 from intent where intent.page = page.id and answering_model = ? and batch is not null)
         and not exists (select 1 from intent where intent.page = page.id and state = 'batched')`,
      )
      .get(model)?.['pages'],
  );

function makeBatch(db: LedgerDatabase, model: string, uuid: string, most: number): BatchRecord {
  const { lastInsertRowid } = db
    .sql('insert into batch (uuid, answering_model, made_at_ms) values (?, ?, ?)')
    .run(uuid, model, Date.now());
  const batch = Number(lastInsertRowid);
  const { changes } = db
    .sql(
      `update intent set batch = ? where id in (select id from intent where state = 'batched' and batch is null
       and answering_model = ? order by id limit ?)`,
    )
    .run(batch, model, most);
  db.sql('update batch set requests = ? where id = ?').run(changes, batch);
  return changeBatch(db, batch, {});
}

/** A batch that was refused as a whole keeps its number of requests, by which the next one is smaller. */
function unbatchLines(db: LedgerDatabase, batch: number, from: number): void {
  const { changes } = db
    .sql("update intent set batch = null where batch = ? and id >= ? and state = 'batched'")
    .run(batch, from);
  if (from > 0) db.sql('update batch set requests = requests - ? where id = ?').run(changes, batch);
}

function changeBatch(db: LedgerDatabase, batch: number, { endReason, ...change }: BatchChange): BatchRecord {
  for (const [field, value] of Object.entries(change))
    db.sql(`update batch set ${batchColumns[field as keyof typeof batchColumns]} = ? where id = ?`).run(
      storable(value),
      batch,
    );
  if (change.endpointId !== undefined)
    db.sql('update batch set created_at_ms = coalesce(created_at_ms, ?) where id = ?').run(Date.now(), batch);
  if (endReason !== undefined)
    db.sql("update batch set state = 'ended', ended_at_ms = ?, end_reason = ? where id = ?").run(
      ...[Date.now(), endReason, batch],
    );
  const [row] = records(db, 'id = ?', batch);
  if (row === undefined) throw new Error(`the ledger has no batch ${batch}`);
  return recordOf(row);
}

const storable = (value: number | string | boolean | null): number | string | null =>
  typeof value === 'boolean' ? Number(value) : value;

type BatchRow = Omit<BatchRecord, 'uploadAsked' | 'cancelled'> & {
  readonly uploadAsked: number;
  readonly cancelled: number;
};

const records = (db: LedgerDatabase, where: string, ...values: number[]): BatchRow[] =>
  db
    .sql(
      `select id, uuid, answering_model as answeringModel, requests, answered, made_at_ms as madeAtMs,
         upload_asked as uploadAsked, file, create_asked_ms as createAskedMs, endpoint_id as endpointId, cancelled,
         short_reads as shortReads, fault from batch where ${where}`,
    )
    .all(...values) as unknown as BatchRow[];

const recordOf = (row: BatchRow): BatchRecord => ({
  ...row,
  uploadAsked: row.uploadAsked === 1,
  cancelled: row.cancelled === 1,
});

function lastBatch(db: LedgerDatabase, model: string): EndedBatch | null {
  const rows = db
    .sql(
      `select requests, ended_at_ms - made_at_ms as tookMs, ended_at_ms as endedAtMs, end_reason as reason
       from batch where answering_model = ? and state = 'ended' order by id desc limit 20`,
    )
    .all(model);
  const [last] = rows as unknown as Omit<EndedBatch, 'crowdedInARow'>[];
  if (last === undefined) return null;
  const others = rows.findIndex(({ reason }) => reason !== 'crowded');
  return { ...last, crowdedInARow: others === -1 ? rows.length : others };
}

const selectLines = `select intent.id as intent, page.page as page, cell, step, loop, ask, sample,
  parameters_sent as parametersSent, estimated_usd as estimatedUsd, max_tokens as maxTokens,
  (select group_concat(lower(hex(call_key)), ' ' order by place) from asked join call on call.id = asked.call
    where asked.intent = intent.id) as callKeys
  from intent join page on page.id = intent.page`;

function batchLines(db: LedgerDatabase, batch: number, after: number, most: number): BatchLine[] {
  const model = '(select answering_model from batch where id = ?)';
  return db
    .sql(
      `${selectLines} where intent.state = 'batched' and answering_model = ${model} and batch = ? and intent.id > ?
       order by intent.id limit ?`,
    )
    .all(batch, batch, after, most)
    .map(lineOf);
}

function batchLine(db: LedgerDatabase, batch: number, callKey: string): BatchLine | undefined {
  if (!/^[0-9a-f]{64}$/.test(callKey)) return undefined;
  const row = db
    .sql(
      `${selectLines} where intent.state = 'batched' and batch = ? and intent.id =
       (select asked.intent from asked join call on call.id = asked.call where call_key = ? and live = 1)`,
    )
    .get(batch, Buffer.from(callKey, 'hex'));
  const line = row && lineOf(row);
  return line?.callKeys[0] === callKey ? line : undefined;
}

function lineOf(row: Readonly<Record<string, unknown>>): BatchLine {
  const { intent, page, cell, step, loop, ask, sample, parametersSent, estimatedUsd, maxTokens, callKeys } = row;
  return {
    intent: Number(intent),
    key: { page, cell, step, loop, ask, sample } as SampleKey,
    callKeys: String(callKeys).split(' '),
    parametersSent: String(parametersSent),
    estimatedUsd: estimatedUsd === null ? null : Number(estimatedUsd),
    maxTokens: Number(maxTokens),
  };
}

function releaseLines(
  db: LedgerDatabase,
  totals: Totals,
  { batch, answeringModel, intents }: LinesToRelease,
  most: number,
): number {
  const only = intents === undefined ? '' : 'and id in (select value from json_each(?))';
  const rows = db
    .sql(
      `select id from intent where state = 'batched' and answering_model = ? and batch is ? ${only}
       order by id limit ?`,
    )
    .all(answeringModel, batch, ...(intents === undefined ? [] : [JSON.stringify(intents)]), most);
  for (const { id } of rows) dropIntent(db, totals, intentRow(db, Number(id)));
  return rows.length;
}
