/** How the rows of a ledger's copy are read from SQLite. */
import type { DumpSource } from '../../dump.ts';

const total = `select epoch, owner, cast(budget_nano_usd as text) as budget_nano_usd,
  cast(budget_tokens as text) as budget_tokens, cast(reported_nano_usd as text) as reported_nano_usd,
  cast(estimated_nano_usd as text) as estimated_nano_usd, unknown_usd_calls,
  cast(spent_tokens as text) as spent_tokens, cast(reserved_nano_usd as text) as reserved_nano_usd,
  cast(reserved_tokens as text) as reserved_tokens, answered, failed, lost, live, verdicts, disbelieved,
  (select count(*) from reference) as reference_runs from run where true`;

const intent = `select intent.id, page, cell, step, loop, ask, sample,
  (select json_group_array(call) from (select call from asked where intent = intent.id order by place)) as calls,
  exists (select 1 from asked where asked.intent = intent.id and live = 1) as live,
  unit.unit as unit, intent.epoch as epoch, intent.attempt as attempt, answering_model, parameters_sent, max_nano_usd,
  max_tokens, estimated_usd, estimated_tokens, free, state, failure, origin, returned_model, fingerprint,
  started_at_ms, latency_ms, batch, usd, basis, tokens, input_tokens, cached_tokens, output_tokens, reasoning_tokens,
  price_date, cache_write_tokens, input_audio_tokens, output_audio_tokens, usage_reported
  from intent join unit on unit.id = intent.unit left join charge on charge.intent = intent.id where true`;

const isCurrent = "path not like 'superseded/%'";

export const dumpSources: readonly DumpSource[] = [
  { table: 'total', select: total, key: [] },
  {
    table: 'lane',
    select: 'select id, study, model, pages, sealed, failed, cells, cells_done, answered from lane where true',
    key: ['id'],
  },
  { table: 'lane_spend', select: 'select * from lane_spend where true', key: ['lane', 'answering_model'] },
  {
    table: 'page',
    select: 'select id, page, lane, cells, revision, state, cells_done, failure from page where true',
    key: ['id'],
  },
  { table: 'unit', select: 'select unit, epoch, attempt from unit where true', key: ['unit'] },
  { table: 'call', select: 'select id, call_key, batched from call where true', key: ['id'] },
  { table: 'batch', select: 'select * from batch where true', key: ['id'] },
  { table: 'intent', select: intent, key: ['intent.id'] },
  { table: 'reply', select: 'select call, intent, body, sha256 from reply where true', key: ['call'] },
  {
    table: 'sample',
    select: 'select page, cell, step, loop, ask, sample, call from sample where true',
    key: ['page', 'cell', 'step', 'loop', 'ask', 'sample'],
  },
  {
    table: 'verdict',
    select: `select verdict.id as id, execution_key, json as shared, body, sha256 from verdict
      left join verdict_shared on verdict_shared.id = verdict.shared where true`,
    key: ['verdict.id'],
  },
  { table: 'reference', select: 'select id, reference_key, body, sha256 from reference where true', key: ['id'] },
  { table: 'fact', select: 'select name, json from fact where true', key: ['name'] },
  {
    table: 'part',
    select: `select path, table_name, page, row_count, bytes, sha256, schema_version, revision from part
      where ${isCurrent}`,
    key: ['path'],
  },
  {
    table: 'merged_page',
    select: `select path, place, page, row_count from merged_page where ${isCurrent}`,
    key: ['path', 'place'],
  },
  { table: 'control', select: 'select id, model, reason, detail, at_ms from control where true', key: ['id'] },
  {
    table: 'ended',
    select: `select 1 as sent, reason, calls from failure_reason
      union all select 0, reason, attempts from unsent_reason where true`,
    key: [],
  },
  {
    table: 'page_answers',
    select: 'select page, step, answering_model, answers, samples, tokens, usd from page_answers where true',
    key: ['page', 'step', 'answering_model'],
  },
];
