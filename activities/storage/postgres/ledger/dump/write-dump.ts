/** Fills a new run on PostgreSQL with the rows of a copy. Numbers are the store's, so all rows get new ones. */
import { randomUUID } from 'node:crypto';
import { faultPoint } from '../../../files/fault-point.ts';
import type { Dump, DumpRow, DumpTable } from '../../../ledger/dump.ts';
import type { Postgres } from '../../postgres.ts';
import { toStored } from '../texts.ts';
import * as inserts from './dump-inserts.ts';
import { freeTexts } from './dump-sources.ts';
import { createNumbering, type Numbering } from './numbering.ts';

interface Numbers {
  readonly lane: Numbering;
  readonly page: Numbering;
  readonly call: Numbering;
  readonly batch: Numbering;
  readonly intent: Numbering;
}

/** A row, with values that JSON has and the copy has not. */
type Given = Readonly<Record<string, unknown>>;
type Write = (rows: readonly DumpRow[]) => Promise<void>;

/** The run must have no rows yet but its own. */
export async function writeDump(database: Postgres, run: number, dump: Dump): Promise<void> {
  const numbers: Numbers = {
    lane: createNumbering('lane'),
    page: createNumbering('page'),
    call: createNumbering('call'),
    batch: createNumbering('batch'),
    intent: createNumbering('request'),
  };
  const samples = samplesOfLanes();
  const write = writers(database, run, numbers, samples.take);
  for await (const { table, rows } of dump) {
    const given = rows.map(storable);
    if (table === 'lane') samples.add(given);
    for (const piece of inPieces(given)) {
      faultPoint();
      await write[table](piece);
    }
  }
  await write.lane_spend(samples.left());
}

/** PostgreSQL takes JSON values of up to 256 MB. */
const pieceBytes = 16 * 2 ** 20;

/** Each of at least one row. */
export function* inPieces(rows: readonly DumpRow[], most = pieceBytes): Generator<readonly DumpRow[]> {
  let [piece, bytes]: [DumpRow[], number] = [[], 0];
  for (const row of rows) {
    const size = JSON.stringify(row).length;
    if (piece.length > 0 && bytes + size > most) {
      yield piece;
      [piece, bytes] = [[], 0];
    }
    piece.push(row);
    bytes += size;
  }
  if (piece.length > 0) yield piece;
}

const storable = (row: DumpRow): DumpRow =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      freeTexts.has(name) && typeof value === 'string' ? toStored(value) : value,
    ]),
  );

/** Only the sum over a lane's models is ever looked at: the first of its rows gets all samples of the lane. */
function samplesOfLanes() {
  const waiting = new Map<number, { readonly model: string; readonly answered: number }>();
  return {
    add(lanes: readonly DumpRow[]): void {
      for (const { id, model, answered } of lanes)
        waiting.set(Number(id), { model: String(model), answered: Number(answered) });
    },
    take(lane: number): number {
      const samples = waiting.get(lane)?.answered ?? 0;
      waiting.delete(lane);
      return samples;
    },
    /** Rows for lanes whose samples are all answers to other lanes' calls. */
    left: (): DumpRow[] =>
      [...waiting]
        .filter(([, { answered }]) => answered > 0)
        .map(([lane, { model }]) => ({ lane, answering_model: model, ...noCalls })),
  };
}

const noCalls = {
  ...{ answered: 0, failed: 0, lost: 0, unknown_usd_calls: 0, thinking_answers: 0, thinking_tokens: 0, tokens: 0 },
  ...{ reported_nano_usd: 0, estimated_nano_usd: 0 },
};

function writers(
  database: Postgres,
  run: number,
  numbers: Numbers,
  samplesOf: (lane: number) => number,
): Readonly<Record<DumpTable, Write>> {
  const { plainly, mapped, numbering, store } = storing(database, run);
  const { lane, page, call, batch, intent } = numbers;
  const onPage = (row: DumpRow): Given => ({ ...row, page: page.of(Number(row['page'])) });
  return {
    total: (rows) => store(inserts.totalUpdates, rows),
    lane: numbering(inserts.laneInsert, lane, ({ study, model }) => `${study}\n${model}`),
    lane_spend: mapped(inserts.laneSpendInsert, (row) => {
      const old = Number(row['lane']);
      return { ...row, lane: lane.of(old), samples: samplesOf(old) };
    }),
    page: numbering(
      inserts.pageInsert,
      page,
      (row) => String(row['page']),
      (row) => ({ ...row, lane: lane.of(Number(row['lane'])) }),
    ),
    unit: plainly(inserts.unitInsert),
    call: numbering(inserts.callInsert, call, (row) => String(row['call_key'])),
    batch: numbering(inserts.batchInsert, batch, (row) => String(row['uuid'])),
    intent: async (rows) => {
      await giveNumbers(database, intent, rows);
      const requests = rows.map((row) => requestOf(row, numbers));
      await store(inserts.intentInserts, requests);
    },
    reply: mapped(inserts.replyInsert, (row) => {
      const [ofCall, ofIntent] = [call.of(Number(row['call'])), intent.of(Number(row['intent']))];
      return { ...row, call: ofCall, intent: ofIntent };
    }),
    sample: mapped(inserts.sampleInsert, (row) => ({ ...onPage(row), call: call.of(Number(row['call'])) })),
    verdict: (rows) => store(inserts.verdictInserts, rows),
    reference: plainly(inserts.referenceInsert),
    fact: plainly(inserts.factInsert),
    part: plainly(inserts.partInsert),
    merged_page: plainly(inserts.mergedPageInsert),
    control: plainly(inserts.controlInsert),
    ended: plainly(inserts.endedInsert),
    page_answers: mapped(inserts.pageAnswersInsert, onPage),
  };
}

/** A piece is stored once, or not at all. */
function storing(database: Postgres, run: number) {
  const store = (statements: readonly string[], rows: readonly Given[]): Promise<void> =>
    database.transaction(async (query) => {
      for (const sql of statements) await query(sql, [run, numbered(rows)]);
    });
  return {
    store,
    plainly:
      (sql: string): Write =>
      (rows) =>
        store([sql], rows),
    mapped:
      (sql: string, map: (row: DumpRow) => Given): Write =>
      (rows) =>
        store([sql], rows.map(map)),
    /** @param nameOf what tells a row from the others of its table, as the statement returns it */
    numbering: (sql: string, by: Numbering, nameOf: (row: DumpRow) => string, map = asIs): Write => {
      return async (rows) => {
        const given = rows.map(map);
        const stored = await database.transaction((query) =>
          query<{ readonly id: number; readonly name: string }>(sql, [run, numbered(given)]),
        );
        const ids = new Map(stored.map(({ id, name }) => [name, id]));
        for (const row of rows) by.set(Number(row['id']), ids.get(nameOf(row)) ?? 0);
      };
    },
  };
}

const asIs = (row: DumpRow): Given => row;
const numbered = (rows: readonly Given[]): string => JSON.stringify(rows.map((row, n) => ({ ...row, n })));

async function giveNumbers(database: Postgres, intent: Numbering, rows: readonly DumpRow[]): Promise<void> {
  const next = await database.query<{ readonly id: number }>(
    "select nextval('intent_number')::float8 as id from generate_series(1, $1)",
    [rows.length],
  );
  const ids = next.map(({ id }) => id).toSorted((one, other) => one - other);
  for (const [at, row] of rows.entries()) intent.set(Number(row['id']), ids[at] ?? 0);
}

function requestOf(row: DumpRow, { page, call, batch, intent }: Omit<Numbers, 'lane'>): Given {
  const calls = (JSON.parse(String(row['calls'])) as number[]).map((id) => call.of(id));
  const usd = row['usd'] === null ? null : Number(row['usd']);
  return {
    ...row,
    id: intent.of(Number(row['id'])),
    page: page.of(Number(row['page'])),
    calls,
    batch: row['batch'] === null ? null : batch.of(Number(row['batch'])),
    nano_usd: usd === null ? null : Math.min(Math.round(usd * 1e9), Number.MAX_SAFE_INTEGER),
    facts: row['basis'] === null ? null : factsOf(row),
    uuid: randomUUID(),
  };
}

/** As the program knows them; rarely reported counts are there only where they were reported. */
function factsOf(row: DumpRow): Given {
  const seldom = Object.entries({
    cacheWriteTokens: row['cache_write_tokens'],
    inputAudioTokens: row['input_audio_tokens'],
    outputAudioTokens: row['output_audio_tokens'],
    usageReported: row['usage_reported'],
  }).filter(([, value]) => value !== null);
  return {
    inputTokens: row['input_tokens'],
    cachedTokens: row['cached_tokens'],
    outputTokens: row['output_tokens'],
    reasoningTokens: row['reasoning_tokens'],
    priceDate: row['price_date'],
    ...Object.fromEntries(seldom),
  };
}
