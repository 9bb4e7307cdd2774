/** The rows of a copy with names in place of a store's own numbers, so that copies of two stores can be compared. */
import type { Dump, DumpedRows, DumpRow } from '../../../../../activities/storage/ledger/dump.ts';

type Named = Readonly<Record<string, readonly unknown[]>>;

export async function withoutNumbers(dump: Dump | readonly DumpedRows[]): Promise<Named> {
  const names = { lane: naming(), page: naming(), call: naming(), batch: naming(), intent: naming() };
  const tables: Record<string, unknown[]> = {};
  for await (const { table, rows } of dump)
    for (const row of rows) {
      if (table === 'lane') names.lane.set(row['id'], `${row['study']} ${row['model']}`);
      if (table === 'page') names.page.set(row['id'], row['page']);
      if (table === 'call') names.call.set(row['id'], row['call_key']);
      if (table === 'batch') names.batch.set(row['id'], row['uuid']);
      // Their order is kept.
      if (table === 'intent') names.intent.set(row['id'], (tables['intent'] ?? []).length);
      tables[table] = [...(tables[table] ?? []), named(table, row, names)];
    }
  const text = (row: unknown): string => JSON.stringify(row);
  return Object.fromEntries(
    Object.entries(tables).map(([table, rows]) => [table, rows.toSorted((a, b) => (text(a) < text(b) ? -1 : 1))]),
  );
}

function naming() {
  const known = new Map<unknown, unknown>([[null, null]]);
  return {
    set: (number: unknown, name: unknown): void => void known.set(number, name),
    of(number: unknown): unknown {
      if (!known.has(number)) throw new Error(`the copy names ${number} before the row of that number`);
      return known.get(number);
    },
  };
}

function named(table: string, row: DumpRow, names: Readonly<Record<string, ReturnType<typeof naming>>>): object {
  const { id: _id, ...others } = row;
  const of = (name: string, column = name): object =>
    typeof row[column] === 'number' || row[column] === null ? { [column]: names[name]?.of(row[column]) } : {};
  const calls =
    table === 'intent'
      ? { calls: (JSON.parse(String(row['calls'])) as number[]).map(names['call']?.of ?? String) }
      : {};
  // A table's own name is no number of it.
  const numbers = ['lane', 'page', 'call', 'batch', 'intent'].filter((name) => name !== table && name in row);
  const replaced = Object.assign({}, ...numbers.map((name) => of(name)));
  const sorted = Object.entries({ ...others, ...replaced, ...calls }).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(sorted);
}
