/** How the rows of a ledger's copy are read from PostgreSQL: `$1` is the run's number. */
import type { DumpSource } from '../../../ledger/dump.ts';

const text = (...names: readonly string[]): string => names.map((name) => `${name}::text as ${name}`).join(', ');
const whole = (...names: readonly string[]): string => names.map((name) => `${name}::float8 as ${name}`).join(', ');
const bytes = (...names: readonly string[]): string =>
  names.map((name) => `encode(${name}, 'base64') as ${name}`).join(', ');
const yes = (...names: readonly string[]): string => names.map((name) => `${name}::int as ${name}`).join(', ');
const ms = (name: string): string => `floor(extract(epoch from ${name}) * 1000)::float8 as ${name}_ms`;

const total = `select epoch, nullif(owner, '') as owner,
  ${text('budget_nano_usd', 'budget_tokens', 'reported_nano_usd', 'estimated_nano_usd', 'spent_tokens')},
  ${text('reserved_nano_usd', 'reserved_tokens')},
  ${whole('unknown_usd_calls', 'answered', 'failed', 'lost', 'live', 'disbelieved', 'verdicts', 'reference_runs')}
  from run_total join run_epoch using (run) join result_total using (run) where run_total.run = $1`;

const lane = `select id, study, model, pages, sealed, failed, ${whole('cells', 'cells_done')},
  (select coalesce(sum(samples), 0)::float8 from lane_spend where run = $1 and lane = lane.id) as answered
  from lane where lane.run = $1`;

/** A row without calls counts samples only. */
const laneSpend = `select lane, answering_model, ${whole('answered', 'failed', 'lost', 'unknown_usd_calls')},
  ${whole('thinking_answers', 'thinking_tokens', 'tokens', 'reported_nano_usd', 'estimated_nano_usd')}
  from lane_spend where run = $1 and answered + failed + lost > 0`;

/** An ended request is of some batch of its model: of which one, nothing tells any more. */
const batchOfIntent = `coalesce(
    (select batch from batch_line where batch_line.intent = intent.id),
    (select min(batch.id) from batch where batch.run = $1 and batch.answering_model = intent.answering_model
      and intent.state not in ('open', 'batched')
      and exists (select from batch_page where batch_page.run = $1 and batch_page.page = intent.page
        and batch_page.answering_model = intent.answering_model)
      and exists (select from call where call.id = intent.calls[1] and batched)))::float8 as batch`;

const fact = (name: string, column: string): string => `facts ->> '${name}' as ${column}`;
const count = (name: string, column: string): string => `(facts ->> '${name}')::float8 as ${column}`;

const intent = `select intent.id::float8 as id, page::float8 as page, cell, step, loop, ask, sample,
  to_json(calls)::text as calls,
  (exists (select from live_call where call = any (intent.calls) and live_call.intent = intent.id))::int as live,
  unit, epoch, attempt, answering_model, parameters_sent, ${whole('max_nano_usd', 'max_tokens')}, estimated_usd,
  estimated_tokens::float8 as estimated_tokens, free::int as free, state, failure, origin, returned_model, fingerprint,
  ${ms('started_at')}, latency_ms, ${batchOfIntent}, usd, basis, tokens::float8 as tokens,
  ${count('inputTokens', 'input_tokens')}, ${count('cachedTokens', 'cached_tokens')},
  ${count('outputTokens', 'output_tokens')}, ${count('reasoningTokens', 'reasoning_tokens')},
  ${fact('priceDate', 'price_date')}, ${count('cacheWriteTokens', 'cache_write_tokens')},
  ${count('inputAudioTokens', 'input_audio_tokens')}, ${count('outputAudioTokens', 'output_audio_tokens')},
  ${fact('usageReported', 'usage_reported')}
  from intent where intent.run = $1`;

const batch = `select id::float8 as id, uuid::text as uuid, answering_model, state, requests, answered,
  ${ms('made_at')}, ${yes('upload_asked', 'cancelled')}, file, create_asked_ms, endpoint_id, ${ms('created_at')},
  short_reads, fault, ${ms('ended_at')}, end_reason from batch where batch.run = $1`;

const isCurrent = "path not like 'superseded/%'";

export const dumpSources: readonly DumpSource[] = [
  { table: 'total', select: total, key: [] },
  { table: 'lane', select: lane, key: ['lane.id'] },
  { table: 'lane_spend', select: laneSpend, key: ['lane', 'answering_model'] },
  {
    table: 'page',
    select: `select id::float8 as id, page, lane, cells, revision, state, cells_done, failure from plan_page
      where plan_page.run = $1`,
    key: ['plan_page.id'],
  },
  { table: 'unit', select: 'select unit, epoch, attempt from unit where run = $1', key: ['unit'] },
  {
    table: 'call',
    select: `select id::float8 as id, ${bytes('call_key')}, batched::int as batched from call where call.run = $1`,
    key: ['call.id'],
  },
  { table: 'batch', select: batch, key: ['batch.id'] },
  { table: 'intent', select: intent, key: ['intent.id'] },
  {
    table: 'reply',
    select: `select call::float8 as call, intent::float8 as intent, ${bytes('body', 'sha256')} from reply
      where reply.run = $1`,
    key: ['reply.call'],
  },
  {
    table: 'sample',
    select: `select page::float8 as page, cell, step, loop, ask, sample, call::float8 as call from sample
      where sample.run = $1`,
    key: ['sample.page', 'sample.cell', 'sample.step', 'sample.loop', 'sample.ask', 'sample.sample'],
  },
  {
    table: 'verdict',
    select: `select ${bytes('execution_key', 'body')}, encode(verdict.sha256, 'base64') as sha256, json as shared
      from verdict join verdict_shared on verdict_shared.id = verdict.shared where verdict.run = $1`,
    key: ['verdict.execution_key'],
  },
  {
    table: 'reference',
    select: `select ${bytes('reference_key', 'body', 'sha256')} from reference where reference.run = $1`,
    key: ['reference.reference_key'],
  },
  { table: 'fact', select: 'select name, json from fact where run = $1', key: ['name'] },
  {
    table: 'part',
    select: `select path, table_name, page, ${whole('row_count', 'bytes')}, sha256, schema_version, revision from part
      where run = $1 and ${isCurrent}`,
    key: ['path'],
  },
  {
    table: 'merged_page',
    select: `select path, place, page, row_count::float8 as row_count from merged_page where run = $1 and ${isCurrent}`,
    key: ['path', 'place'],
  },
  {
    table: 'control',
    select: `select id::float8 as id, model, reason, detail, ${ms('at')} from control where control.run = $1`,
    key: ['control.id'],
  },
  {
    table: 'ended',
    select: 'select sent::int as sent, reason, calls::float8 as calls from ended_without_reply where run = $1',
    key: [],
  },
  {
    table: 'page_answers',
    select: `select page::float8 as page, step, answering_model, ${whole('answers', 'samples')}, tokens, usd
      from page_answers where page_answers.run = $1`,
    key: ['page_answers.page', 'page_answers.step', 'page_answers.answering_model'],
  },
];

/** Keys that are read as base64. */
export const byteKeys: ReadonlySet<string> = new Set(['execution_key', 'reference_key']);

/** Texts from endpoints and errors, which may have characters that PostgreSQL refuses (../texts.ts). */
export const freeTexts: ReadonlySet<string> = new Set([
  ...[
    'failure',
    'parameters_sent',
    'returned_model',
    'fingerprint',
    'detail',
    'reason',
    'file',
    'endpoint_id',
    'fault',
  ],
  'end_reason',
]);
