/** Reads one page's answered samples and HTTP attempts. */
import { replyColumns, storedReply } from './call-book.ts';
import type { ReplyRow } from './call-book.ts';
import type { LedgerDatabase } from './ledger-transactions.ts';
import type { BroughtSample, CallRecord, Charge, SampleKey, SampleRecord } from '../records.ts';
import type { PageRecords } from '../page-reader.ts';
import { pageRow } from './plan-pages.ts';

const keyColumns = ['cell', 'step', 'loop', 'ask', 'sample'] as const;
const keyOf = (of: string): string => keyColumns.map((column) => `${of}.${column}`).join(', ');

type Key = Omit<SampleKey, 'page'>;

function sampleKey(page: string, { cell, step, loop, ask, sample }: Key): SampleKey {
  return { page, cell, step, loop, ask, sample };
}

const selectSamples = `select ${keyOf('sample')}, ${replyColumns}, reply.intent as intent
  from sample join reply on reply.call = sample.call
  join call on call.id = sample.call join intent on intent.id = reply.intent where sample.page = (select id from page
    where page = ?)`;
const selectSample = `${selectSamples} and sample.cell = ? and sample.step = ? and sample.loop = ?
  and sample.ask = ? and sample.sample = ?`;

export const samplesOf = (db: LedgerDatabase, page: string): SampleRecord[] =>
  sampleRows(db, page).map((row) => sampleRecord(page, row));

const broughtSamplesOf = (db: LedgerDatabase, page: string): BroughtSample[] =>
  sampleRows(db, page).map((row) => ({ ...sampleRecord(page, row), intent: row.intent }));

/** Call within a snapshot. */
export const recordsOf = (db: LedgerDatabase, page: string): PageRecords => ({
  samples: broughtSamplesOf(db, page),
  calls: callsOf(db, page),
});

const sampleRows = (db: LedgerDatabase, page: string): SampleRow[] =>
  db.sql(`${selectSamples} order by ${keyOf('sample')}`).all(page) as unknown as SampleRow[];

export function sampleAt(
  db: LedgerDatabase,
  { page, cell, step, loop, ask, sample }: SampleKey,
): SampleRecord | undefined {
  const row = db.sql(selectSample).get(page, cell, step, loop, ask, sample);
  return row && sampleRecord(page, row as unknown as SampleRow);
}

export const hasSamples = (
  db: LedgerDatabase,
  { page, step, loop, ask }: Omit<SampleKey, 'cell' | 'sample'>,
): boolean =>
  db
    .sql(
      'select 1 from sample where page = (select id from page where page = ?) and step = ? ' +
        'and loop = ? and ask = ? limit 1',
    )
    .get(page, step, loop, ask) !== undefined;

type SampleRow = Key & ReplyRow & { readonly intent: number };

const sampleRecord = (page: string, row: SampleRow): SampleRecord => ({
  key: sampleKey(page, row),
  ...storedReply(row),
});

interface CallRow extends Omit<CallRecord, 'key' | 'callKey' | 'used' | 'charge' | 'status'>, Key, Charge {
  readonly callKey: string;
  readonly state: CallRecord['status'] | 'open' | 'batched';
  readonly used: number;
}

const answersAsked = '(select count(*) from asked more where more.intent = intent.id)';
/** Whether the first answer is used, as for nearly all calls, or another one. */
const isUsed = `(exists (select 1 from reply where reply.call = asked.call and reply.intent = intent.id)
  or exists (select 1 from asked more join reply on reply.call = more.call
             where more.intent = intent.id and reply.intent = intent.id))`;

function callsOf(db: LedgerDatabase, page: string): CallRecord[] {
  const rows = db
    .sql(
      `select intent.id as intent, ${keyOf('intent')}, lower(hex(call_key)) as callKey, ${answersAsked} as n, ${isUsed}
        as used, answering_model as answeringModel, parameters_sent as parametersSent,
       state, origin, returned_model as returnedModel, fingerprint, failure, started_at_ms as startedAtMs,
       latency_ms as latencyMs, epoch, attempt, input_tokens as inputTokens, cached_tokens as cachedTokens,
         output_tokens as outputTokens,
       reasoning_tokens as reasoningTokens, usd, basis, price_date as priceDate, cache_write_tokens as cacheWriteTokens,
       input_audio_tokens as inputAudioTokens, output_audio_tokens as outputAudioTokens, usage_reported as usageReported
       from intent join asked on asked.intent = intent.id and place = 0 join call on call.id = asked.call left
         join charge on charge.intent = intent.id
       where intent.page = ? and state not in ('open', 'batched') order by intent.id`,
    )
    .all(pageRow(db, page).id);
  return (rows as unknown as CallRow[]).map((row) => callRecord(page, row));
}

function callRecord(page: string, row: CallRow): CallRecord {
  const {
    intent,
    answeringModel,
    parametersSent,
    origin,
    returnedModel,
    fingerprint,
    failure,
    startedAtMs,
    latencyMs,
    epoch,
    attempt,
  } = row;
  return {
    intent,
    key: sampleKey(page, row),
    callKey: row.callKey,
    answeringModel,
    parametersSent,
    status: row.state as CallRecord['status'],
    n: row.n,
    used: row.used === 1,
    origin,
    returnedModel,
    fingerprint,
    charge: chargeOf(row),
    failure,
    startedAtMs,
    latencyMs,
    epoch,
    attempt,
  };
}

/** Adds rarely reported counts only where they exist. */
function chargeOf(row: CallRow): Charge {
  const { inputTokens, cachedTokens, outputTokens, reasoningTokens, usd, basis, priceDate } = row;
  const { cacheWriteTokens, inputAudioTokens, outputAudioTokens, usageReported } = row;
  const seldom = Object.entries({ cacheWriteTokens, inputAudioTokens, outputAudioTokens, usageReported });
  const rest = Object.fromEntries(seldom.filter(([, value]) => value !== null));
  return { inputTokens, cachedTokens, outputTokens, reasoningTokens, usd, basis, priceDate, ...rest };
}
