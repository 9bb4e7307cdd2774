/** Reads a ledger on SQLite for a copy. */
import type { SQLOutputValue } from 'node:sqlite';
import { packVerdict } from '../../bodies/stored-verdict.ts';
import { type Dump, type DumpRow, type DumpedRows, type DumpSource, pieceOf, rowsAtOnce } from '../../dump.ts';
import { openDatabase } from '../ledger-database.ts';
import type { LedgerDatabase } from '../ledger-transactions.ts';
import { findVerdict } from '../results.ts';
import { dumpSources } from './dump-sources.ts';

/** Throws `CorruptionError` for a verdict of an old format that does not match its hash. */
export async function* readDump(path: string): Dump {
  const db = openDatabase(path, 'look');
  try {
    for (const source of dumpSources) yield* piecesOf(db, source);
  } finally {
    db.close();
  }
}

function* piecesOf(db: LedgerDatabase, source: DumpSource): Generator<DumpedRows> {
  for (let last: DumpRow | undefined; ; ) {
    const { sql, values } = pieceOf(source, last, () => '?');
    const rows = db
      .sql(sql)
      .all(...values)
      .map(plainRow);
    if (rows.length > 0) yield { table: source.table, rows: rows.map((row) => withShared(db, source, row)) };
    last = rows.at(-1);
    if (last === undefined || source.key.length === 0 || rows.length < rowsAtOnce(source)) return;
  }
}

const plainRow = (row: Readonly<Record<string, SQLOutputValue>>): DumpRow =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [name, plain(value)]));

const plain = (value: SQLOutputValue): string | number | null =>
  value instanceof Uint8Array
    ? Buffer.from(value).toString('base64')
    : typeof value === 'bigint'
      ? Number(value)
      : value;

/** Up to format 3 a verdict was stored whole. */
function withShared(db: LedgerDatabase, { table }: DumpSource, row: DumpRow): DumpRow {
  if (table !== 'verdict' || row['shared'] !== null) return row;
  const key = Buffer.from(String(row['execution_key']), 'base64').toString('hex');
  const verdict = findVerdict(db, key);
  if (verdict === undefined) throw new Error(`verdict of execution ${key} was there a moment ago`);
  const { executionKey: _key, tier, lane, engine, imageDigest, limits, ...own } = verdict;
  const { body, sha256 } = packVerdict(own);
  return {
    ...row,
    shared: JSON.stringify({ tier, lane, engine, imageDigest, limits }),
    body: Buffer.from(body).toString('base64'),
    sha256: Buffer.from(sha256).toString('base64'),
  };
}
