/** A ledger's copy with every column filled, and every way in which one may be empty. */
import { type DumpedRows, type DumpRow, rowsAtOnce } from '../../../../../activities/storage/ledger/dump.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const key = (name: string): string => base64(name.padEnd(32, '.'));

/** More rows than one piece has. */
const many = Array.from({ length: 2 * rowsAtOnce({ table: 'sample' }) + 100 }, (_, at) => at);

const noCharge = {
  ...{ usd: null, basis: null, tokens: null, input_tokens: null, cached_tokens: null, output_tokens: null },
  ...{ reasoning_tokens: null, price_date: null, cache_write_tokens: null, input_audio_tokens: null },
  ...{ output_audio_tokens: null, usage_reported: null },
};
const lostCharge = { ...noCharge, usd: 0.5, basis: 'estimated', tokens: 40 };
const fullCharge = {
  ...{ usd: 0.0123456789, basis: 'reported', tokens: 75, input_tokens: 50, cached_tokens: 7, output_tokens: 25 },
  ...{ reasoning_tokens: 3, price_date: '2026-11-01', cache_write_tokens: 1, input_audio_tokens: 2 },
  ...{ output_audio_tokens: 4, usage_reported: '{"total":1e30}' },
};

const request = (id: number, own: DumpRow): DumpRow => ({
  ...{ id, page: 5, cell: 2, step: 'generate', loop: 1, ask: 0, sample: 0, live: 0, unit: 'a/m/0 generate' },
  ...{ epoch: 3, attempt: 2, answering_model: 'm', parameters_sent: '{"n":2}', max_nano_usd: 9_000_000_000 },
  ...{ max_tokens: 4096, estimated_usd: 0.25, estimated_tokens: 40, free: 0, failure: null, origin: null },
  ...{ returned_model: null, fingerprint: null, started_at_ms: 1_764_000_000_123, latency_ms: null, batch: null },
  ...noCharge,
  ...own,
});

export const writtenDump: readonly DumpedRows[] = [
  {
    table: 'total',
    rows: [
      {
        ...{ epoch: 3, owner: 'host/1', budget_nano_usd: '9007199254740993', budget_tokens: null },
        ...{
          reported_nano_usd: '12345679',
          estimated_nano_usd: '500000000',
          unknown_usd_calls: 1,
          spent_tokens: '115',
        },
        ...{ reserved_nano_usd: '9000000000', reserved_tokens: '4096', answered: 3, failed: 1, lost: 1, live: 0 },
        ...{ verdicts: 2, disbelieved: 1, reference_runs: 1 },
      },
    ],
  },
  {
    table: 'lane',
    rows: [
      { id: 2, study: 'a', model: 'm', pages: 2, sealed: 1, failed: 1, cells: 8, cells_done: 6, answered: 3 },
      // Its samples are all answers to the other lane's calls.
      { id: 9, study: 'b', model: 'm', pages: 1, sealed: 0, failed: 0, cells: 4, cells_done: 0, answered: 1 },
    ],
  },
  {
    table: 'lane_spend',
    rows: [
      {
        ...{
          lane: 2,
          answering_model: 'm',
          answered: 1,
          failed: 1,
          lost: 1,
          unknown_usd_calls: 1,
          thinking_answers: 2,
        },
        ...{ thinking_tokens: 3, tokens: 115, reported_nano_usd: 12_345_679, estimated_nano_usd: 500_000_000 },
      },
    ],
  },
  {
    table: 'page',
    rows: [
      { id: 5, page: 'a/m/0', lane: 2, cells: 4, revision: 1, state: 'sealed', cells_done: 4, failure: null },
      { id: 6, page: 'a/m/1', lane: 2, cells: 4, revision: 2, state: 'failed', cells_done: 2, failure: 'no \0 room' },
      { id: 7, page: 'b/m/0', lane: 9, cells: 4, revision: 1, state: 'open', cells_done: 0, failure: null },
    ],
  },
  {
    table: 'unit',
    rows: [
      { unit: 'a/m/0 generate', epoch: 3, attempt: 2 },
      { unit: 'b/m/0 generate', epoch: 2, attempt: 1 },
    ],
  },
  {
    table: 'call',
    rows: ['one', 'two', 'three', 'four', 'five'].map((name, index) => ({
      ...{ id: 11 + index, call_key: key(name), batched: index >= 3 ? 1 : 0 },
    })),
  },
  {
    table: 'batch',
    rows: [
      {
        ...{ id: 4, uuid: '6b1c3a9e-0f3e-4c57-9a52-2d3c6b7f8a90', answering_model: 'm', state: 'made', requests: 1 },
        ...{
          answered: 0,
          made_at_ms: 1_764_000_000_001,
          upload_asked: 1,
          file: 'file-\u{1f600}',
          create_asked_ms: 12.5,
        },
        ...{ endpoint_id: 'batch_1', created_at_ms: 1_764_000_000_999, cancelled: 1, short_reads: 2, fault: 'odd \0' },
        ...{ ended_at_ms: null, end_reason: null },
      },
      {
        ...{ id: 8, uuid: '6b1c3a9e-0f3e-4c57-9a52-2d3c6b7f8a91', answering_model: 'm', state: 'ended', requests: 9 },
        ...{ answered: 9, made_at_ms: 1_764_000_000_002, upload_asked: 0, file: null, create_asked_ms: null },
        ...{ endpoint_id: null, created_at_ms: null, cancelled: 0, short_reads: 0, fault: null },
        ...{ ended_at_ms: 1_764_000_009_999, end_reason: 'answered' },
      },
    ],
  },
  {
    table: 'intent',
    rows: [
      request(21, {
        ...{ calls: '[11,12]', state: 'answered', origin: null, returned_model: 'm-\0-1', fingerprint: 'fp' },
        ...{ latency_ms: 12.25, ...fullCharge },
      }),
      request(22, { calls: '[13]', sample: 2, state: 'failed', failure: 'HTTP 500 \0', latency_ms: 3, ...lostCharge }),
      request(23, { calls: '[13]', sample: 2, state: 'lost', free: 1, estimated_usd: null, ...lostCharge }),
      request(24, {
        ...{ calls: '[14]', page: 7, sample: 3, state: 'batched', live: 1, batch: 4, unit: 'b/m/0 generate' },
      }),
      request(25, { calls: '[15]', page: 7, state: 'batched', live: 1, unit: 'b/m/0 generate', cell: 3 }),
    ],
  },
  {
    table: 'reply',
    rows: [
      { call: 11, intent: 21, body: base64('["x"]'), sha256: key('hash of x') },
      { call: 12, intent: 21, body: base64('\u0000\u00ff'), sha256: key('hash of y') },
    ],
  },
  {
    table: 'sample',
    rows: [
      { page: 5, cell: 2, step: 'generate', loop: 1, ask: 0, sample: 0, call: 11 },
      { page: 5, cell: 2, step: 'generate', loop: 1, ask: 0, sample: 1, call: 12 },
      { page: 7, cell: 0, step: 'Summarize', loop: 2, ask: 1, sample: 0, call: 11 },
      ...many.map((loop) => ({ page: 7, cell: 1, step: 'generate', loop, ask: 1, sample: loop % 7, call: 12 })),
    ],
  },
  {
    table: 'verdict',
    rows: ['pass', 'fail'].map((name) => ({
      ...{
        execution_key: key(name),
        shared: '{"tier":"embedded"}',
        body: base64(name),
        sha256: key(`hash of ${name}`),
      },
    })),
  },
  { table: 'reference', rows: [{ reference_key: key('ref'), body: base64('ref'), sha256: key('hash of ref') }] },
  {
    table: 'fact',
    rows: [
      { name: 'Zeta', json: '{"text":"\\u0000"}' },
      { name: 'alpha', json: '1' },
      ...many.map((at) => ({ name: `note/${at}`, json: String(at) })),
    ],
  },
  {
    table: 'part',
    rows: [
      {
        ...{ path: 'samples/study=a/model=m/0.r1.abc.parquet', table_name: 'samples', page: 'a/m/0', row_count: 3 },
        ...{ bytes: 9_000_000_000, sha256: 'abc', schema_version: 1, revision: 1 },
      },
    ],
  },
  {
    table: 'merged_page',
    rows: [{ path: 'samples/study=a/model=m/0.r1.abc.parquet', place: 0, page: 'a/m/0', row_count: 3 }],
  },
  {
    table: 'control',
    rows: [
      { model: null, reason: 'paused', detail: 'by \0 hand', at_ms: 1_764_000_000_003 },
      { model: 'm', reason: null, detail: 'started again', at_ms: 1_764_000_000_004 },
    ],
  },
  {
    table: 'ended',
    rows: [
      { sent: 1, reason: 'HTTP 500', calls: 1 },
      { sent: 0, reason: 'budget', calls: 4 },
    ],
  },
  {
    table: 'page_answers',
    rows: [{ page: 5, step: 'generate', answering_model: 'm', answers: 2, samples: 2, tokens: 75, usd: 0.0123456789 }],
  },
];
