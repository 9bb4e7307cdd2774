/** Answers and calls of a page on PostgreSQL, read in pieces: a page has tens of thousands, each of one to some KB. */
import type { PageReader, PageSnapshot, PlaceInPage } from '../../ledger/page-reader.ts';
import type { CallRecord, Charge, SampleRecord } from '../../ledger/records.ts';
import type { Postgres, Query } from '../postgres.ts';
import { type PackedReply, unpackedReply } from './packed-reply.ts';
import { unknownPage } from './plan.ts';
import { fromStored } from './texts.ts';

const rowsAtOnce = 2_000;

export const pageReader = (database: Postgres, run: number): PageReader => ({
  load: async (page) => snapshotOf(page, await sampleRows(database.query, run, page)),
  samples: async (page) => (await sampleRows(database.query, run, page)).map((row) => sampleOf(page, row)),
  records: (page) =>
    database.snapshot(async (query) => {
      const samples = (await sampleRows(query, run, page)).map((row) => ({
        ...sampleOf(page, row),
        intent: Number(row.intent),
      }));
      const calls = (await callRows(query, run, page)).map((row) => callOf(page, row));
      if (calls.length === 0 && !(await isPlanned(query, run, page))) throw unknownPage(page);
      return { samples, calls };
    }),
});

const isPlanned = async (query: Query, run: number, page: string): Promise<boolean> =>
  (await query('select 1 from plan_page where run = $1 and page = $2', [run, page])).length === 1;

interface SampleRow extends PlaceInPage, PackedReply {
  /** A bigint. */
  readonly intent: string;
  readonly call_key: string;
}

/** Each piece begins after the last one. Samples are never taken back. */
async function sampleRows(query: Query, run: number, page: string): Promise<SampleRow[]> {
  const rows: SampleRow[] = [];
  for (;;) {
    const last = rows.at(-1);
    const more = await query<SampleRow>(
      `select cell, sample.step, sample.loop, sample.ask, sample.sample, encode(call_key, 'hex') as call_key,
         encode(body, 'base64') as body, encode(reply.sha256, 'hex') as sha256, reply.intent as intent, origin
       from (
         select * from sample where page = (select id from plan_page where run = $1 and page = $2)
         and (cell, step, loop, ask, sample) > ($3, $4, $5, $6, $7) order by cell, step, loop, ask, sample limit $8
       ) as sample
       join reply on reply.call = sample.call join call on call.id = sample.call
       join lateral (select origin from intent where id = reply.intent) as asked on true
       order by cell, step, loop, ask, sample`,
      [run, page, last?.cell ?? -1, last?.step ?? '', last?.loop ?? 0, last?.ask ?? 0, last?.sample ?? 0, rowsAtOnce],
    );
    rows.push(...more);
    if (more.length < rowsAtOnce) return rows;
  }
}

const sampleOf = (page: string, row: SampleRow): SampleRecord => ({
  key: { page, cell: row.cell, step: row.step, loop: row.loop, ask: row.ask, sample: row.sample },
  ...unpackedReply(row.call_key, row),
});

/** Answers are unpacked when a step looks at them: it needs few of its page's. */
function snapshotOf(page: string, rows: readonly SampleRow[]): PageSnapshot {
  const byPlace = new Map(rows.map((row) => [placeName(row), row]));
  const places = new Set(rows.map(({ step, loop, ask }) => `${step} ${loop} ${ask}`));
  return {
    sample(place) {
      const row = byPlace.get(placeName(place));
      return row && sampleOf(page, row);
    },
    hasSamples: ({ step, loop, ask }) => places.has(`${step} ${loop} ${ask}`),
  };
}

const placeName = ({ cell, step, loop, ask, sample }: PlaceInPage): string =>
  `${cell} ${step} ${loop} ${ask} ${sample}`;

interface CallRow extends PlaceInPage {
  /** A bigint. */
  readonly intent: string;
  readonly call_key: string;
  readonly n: number;
  readonly answering_model: string;
  readonly parameters_sent: string;
  readonly state: CallRecord['status'];
  readonly used: boolean;
  readonly origin: string | null;
  readonly returned_model: string | null;
  readonly fingerprint: string | null;
  readonly failure: string | null;
  readonly started_at_ms: number;
  readonly latency_ms: number | null;
  readonly epoch: number;
  readonly attempt: number;
  readonly usd: number | null;
  readonly basis: Charge['basis'];
  readonly facts: Partial<Omit<Charge, 'usd' | 'basis'>>;
}

async function callRows(query: Query, run: number, page: string): Promise<CallRow[]> {
  const rows: CallRow[] = [];
  for (;;) {
    const more = await query<CallRow>(
      `select intent.id as intent, cell, step, loop, ask, sample, answering_model, parameters_sent, state, origin,
         (select encode(call_key, 'hex') from call where id = intent.calls[1]) as call_key,
         cardinality(calls) as n, exists (select from reply where reply.call = any (intent.calls)
           and reply.intent = intent.id) as used, returned_model, fingerprint, failure,
         floor(extract(epoch from started_at) * 1000)::float8 as started_at_ms, latency_ms, epoch, attempt, usd, basis,
         facts
       from intent where page = (select id from plan_page where run = $1 and page = $2) and id > $3
       and state not in ('open', 'batched') order by id limit $4`,
      [run, page, rows.at(-1)?.intent ?? 0, rowsAtOnce],
    );
    rows.push(...more);
    if (more.length < rowsAtOnce) return rows;
  }
}

const callOf = (page: string, row: CallRow): CallRecord => ({
  intent: Number(row.intent),
  key: { page, cell: row.cell, step: row.step, loop: row.loop, ask: row.ask, sample: row.sample },
  callKey: row.call_key,
  answeringModel: row.answering_model,
  parametersSent: fromStored(row.parameters_sent),
  status: row.state,
  n: row.n,
  used: row.used,
  origin: row.origin,
  returnedModel: fromStored(row.returned_model),
  fingerprint: fromStored(row.fingerprint),
  charge: chargeOf(row),
  failure: fromStored(row.failure),
  startedAtMs: row.started_at_ms,
  latencyMs: row.latency_ms,
  epoch: row.epoch,
  attempt: row.attempt,
});

/** Rarely reported counts are there only where they were reported. */
function chargeOf({ usd, basis, facts }: CallRow): Charge {
  const { inputTokens = null, cachedTokens = null, outputTokens = null, reasoningTokens = null, ...more } = facts;
  const { priceDate = null, ...seldom } = more;
  const rest = Object.fromEntries(Object.entries(seldom).filter(([, value]) => value !== null));
  return { inputTokens, cachedTokens, outputTokens, reasoningTokens, usd, basis, priceDate, ...rest };
}
