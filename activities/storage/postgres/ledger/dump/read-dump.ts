/** Reads a run's ledger on PostgreSQL for a copy. */
import {
  type Dump,
  type DumpRow,
  type DumpSource,
  type DumpedRows,
  pieceOf,
  rowsAtOnce,
} from '../../../ledger/dump.ts';
import type { Postgres } from '../../postgres.ts';
import { fromStored } from '../texts.ts';
import { byteKeys, dumpSources, freeTexts } from './dump-sources.ts';

export async function* readDump(database: Postgres, run: number): Dump {
  for (const source of dumpSources) yield* piecesOf(database, run, source);
}

async function* piecesOf(database: Postgres, run: number, source: DumpSource): AsyncGenerator<DumpedRows> {
  for (let last: DumpRow | undefined; ; ) {
    const { sql, values } = pieceOf(source, last, (index) => `$${index + 2}`);
    const rows = await database.query<DumpRow>(sql, [run, ...values.map((value, at) => keyValue(source, at, value))]);
    if (rows.length > 0) yield { table: source.table, rows: rows.map(plainRow) };
    last = rows.at(-1);
    if (last === undefined || source.key.length === 0 || rows.length < rowsAtOnce(source)) return;
  }
}

function keyValue({ key }: DumpSource, at: number, value: string | number | null): unknown {
  const name = key[at]?.split('.').at(-1) ?? '';
  return byteKeys.has(name) ? Buffer.from(String(value), 'base64') : value;
}

const plainRow = (row: DumpRow): DumpRow =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      freeTexts.has(name) && typeof value === 'string' ? fromStored(value) : value,
    ]),
  );
