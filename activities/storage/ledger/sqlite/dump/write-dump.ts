/** Fills a new ledger on SQLite with the rows of a copy. Numbers stay as they are: they are unique in one store. */
import type { SQLInputValue } from 'node:sqlite';
import type { Dump, DumpRow, DumpTable } from '../../dump.ts';
import { openDatabase } from '../ledger-database.ts';
import type { LedgerDatabase } from '../ledger-transactions.ts';
import { acceptLosses } from '../losses/tally.ts';

/** The file must be new. */
export async function writeDump(path: string, dump: Dump): Promise<void> {
  const db = openDatabase(path);
  try {
    for await (const { table, rows } of dump) db.immediate(() => rows.forEach(writers(db)[table]));
  } finally {
    db.close();
  }
  acceptLosses(path);
}

type Writer = (row: DumpRow) => void;

const bytes: ReadonlySet<string> = new Set(['call_key', 'execution_key', 'reference_key', 'body']);
/** A part's hash is text. */
const hashed: ReadonlySet<string> = new Set(['reply', 'verdict', 'reference']);

function writers(db: LedgerDatabase): Readonly<Record<DumpTable, Writer>> {
  const into = (table: string, columns: readonly string[], rename: Readonly<Record<string, string>> = {}): Writer => {
    const names = columns.map((name) => rename[name] ?? name);
    const insert = `insert into ${table} (${names.join(', ')}) values (${columns.map(() => '?').join(', ')})`;
    return (row) => void db.sql(insert).run(...columns.map((name) => stored(table, name, row)));
  };
  return {
    total: (row) => writeTotal(db, row),
    lane: into('lane', ['id', 'study', 'model', 'pages', 'sealed', 'failed', 'cells', 'cells_done', 'answered']),
    lane_spend: into('lane_spend', [
      ...['lane', 'answering_model', 'answered', 'failed', 'lost', 'unknown_usd_calls', 'thinking_answers'],
      ...['thinking_tokens', 'tokens', 'reported_nano_usd', 'estimated_nano_usd'],
    ]),
    page: into('page', ['id', 'page', 'lane', 'cells', 'revision', 'state', 'cells_done', 'failure']),
    unit: into('unit', ['unit', 'epoch', 'attempt']),
    call: into('call', ['id', 'call_key', 'batched']),
    batch: into('batch', [
      ...['id', 'uuid', 'answering_model', 'state', 'requests', 'answered', 'made_at_ms', 'upload_asked', 'file'],
      ...['create_asked_ms', 'endpoint_id', 'created_at_ms', 'cancelled', 'short_reads', 'fault', 'ended_at_ms'],
      'end_reason',
    ]),
    intent: intentWriter(db, into),
    reply: into('reply', ['call', 'intent', 'body', 'sha256']),
    sample: into('sample', ['page', 'cell', 'step', 'loop', 'ask', 'sample', 'call']),
    verdict: (row) => writeVerdict(db, row),
    reference: into('reference', ['reference_key', 'body', 'sha256']),
    fact: into('fact', ['name', 'json']),
    part: into('part', [
      ...['path', 'table_name', 'page', 'row_count', 'bytes', 'sha256', 'schema_version', 'revision'],
    ]),
    merged_page: into('merged_page', ['path', 'place', 'page', 'row_count']),
    control: into('control', ['model', 'reason', 'detail', 'at_ms']),
    ended: (row) =>
      row['sent'] === 1
        ? into('failure_reason', ['reason', 'calls'])(row)
        : into('unsent_reason', ['reason', 'calls'], { calls: 'attempts' })(row),
    page_answers: into('page_answers', ['page', 'step', 'answering_model', 'answers', 'samples', 'tokens', 'usd']),
  };
}

function stored(table: string, name: string, row: DumpRow): SQLInputValue {
  const value = row[name] ?? null;
  const isBytes = bytes.has(name) || (name === 'sha256' && hashed.has(table));
  return isBytes && typeof value === 'string' ? Buffer.from(value, 'base64') : value;
}

const sums = [
  ...['budget_nano_usd', 'budget_tokens', 'reported_nano_usd', 'estimated_nano_usd', 'spent_tokens'],
  ...['reserved_nano_usd', 'reserved_tokens'],
];
const counts = ['epoch', 'owner', 'unknown_usd_calls', 'answered', 'failed', 'lost', 'live', 'verdicts', 'disbelieved'];

/** Sums may exceed what a number holds exactly. */
function writeTotal(db: LedgerDatabase, row: DumpRow): void {
  const columns = [...sums, ...counts];
  const bigOf = (value: string | number | null): bigint | null => (value === null ? null : BigInt(value));
  db.sql(`update run set ${columns.map((name) => `${name} = ?`).join(', ')}`).run(
    ...sums.map((name) => bigOf(row[name] ?? null)),
    ...counts.map((name) => row[name] ?? null),
  );
}

function intentWriter(db: LedgerDatabase, into: (table: string, columns: readonly string[]) => Writer): Writer {
  const intent = into('intent', [
    ...['id', 'page', 'cell', 'step', 'loop', 'ask', 'sample', 'unit', 'epoch', 'attempt', 'answering_model'],
    ...['parameters_sent', 'max_nano_usd', 'max_tokens', 'estimated_usd', 'estimated_tokens', 'free', 'state'],
    ...['origin', 'returned_model', 'fingerprint', 'failure', 'started_at_ms', 'latency_ms', 'batch'],
  ]);
  const charge = into('charge', [
    ...['intent', 'input_tokens', 'cached_tokens', 'output_tokens', 'reasoning_tokens', 'usd', 'basis', 'price_date'],
    ...['tokens', 'cache_write_tokens', 'input_audio_tokens', 'output_audio_tokens', 'usage_reported'],
  ]);
  const asked = into('asked', ['intent', 'place', 'call', 'live']);
  return (row) => {
    intent({ ...row, unit: unitOf(db, row) });
    for (const [place, call] of (JSON.parse(String(row['calls'])) as number[]).entries())
      asked({ intent: row['id'] ?? null, place, call, live: row['live'] ?? null });
    if (row['basis'] !== null) charge({ ...row, intent: row['id'] ?? null });
  };
}

/** A step that has a number only because a request names it was never opened under the newest owner. */
function unitOf(db: LedgerDatabase, { unit }: DumpRow): number {
  const name = String(unit);
  db.sql('insert or ignore into unit (unit, epoch, attempt) values (?, 0, 0)').run(name);
  return Number(db.sql('select id from unit where unit = ?').get(name)?.['id']);
}

function writeVerdict(db: LedgerDatabase, row: DumpRow): void {
  const shared = row['shared'] ?? null;
  db.sql('insert or ignore into verdict_shared (json) values (?)').run(shared);
  const id = Number(db.sql('select id from verdict_shared where json = ?').get(shared)?.['id']);
  db.sql('insert into verdict (execution_key, body, sha256, shared) values (?, ?, ?, ?)').run(
    stored('verdict', 'execution_key', row),
    stored('verdict', 'body', row),
    stored('verdict', 'sha256', row),
    id,
  );
}
