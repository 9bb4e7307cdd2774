/** Derived tables in their current state. */
import type { Manifest } from '../schemas/manifest.ts';
import { type Row, type TableName, tables } from '../schemas/tables.ts';
import type { RunDatabase } from './database.ts';
import { records } from './records.ts';
import { quoteText } from './views.ts';

type Rows<Name extends TableName> = Readonly<Record<Name, readonly Row[]>>;

/** Of a stored table, as SQL. */
interface Wanted {
  /** A condition. */
  readonly rows?: string;
  /** Names. */
  readonly columns?: string;
}

/**
 * The stored rows of complete runs; of others, rows computed over the pages sealed so far.
 * @param manifests the runs that have such tables @param only what the caller needs of stored rows, by table: reading
 *   the others takes time and memory
 */
export async function currentTables<Name extends TableName>(
  database: RunDatabase,
  names: readonly Name[],
  manifests: readonly Manifest[],
  derive: (database: RunDatabase, manifest: Manifest) => Promise<Rows<Name>>,
  only: Partial<Record<Name, Wanted>> = {},
): Promise<Rows<Name>> {
  const parts: Rows<Name>[] = [];
  for (const manifest of manifests)
    parts.push(
      manifest.state === 'complete' ? await stored(database, names, manifest, only) : await derive(database, manifest),
    );
  return joinedTables(names, parts);
}

/** The rows of each table, one part after the other. */
export const joinedTables = <Name extends TableName>(
  names: readonly Name[],
  parts: readonly Rows<Name>[],
): Rows<Name> =>
  Object.fromEntries(names.map((name) => [name, parts.flatMap((part) => part[name])])) as unknown as Rows<Name>;

async function stored<Name extends TableName>(
  database: RunDatabase,
  names: readonly Name[],
  { runId }: Manifest,
  only: Partial<Record<Name, Wanted>>,
): Promise<Rows<Name>> {
  const read = names.map(async (name) => {
    const order = tables[name].key.join(', ');
    const { rows = 'true', columns = '*' } = only[name] ?? {};
    return [
      name,
      await records(
        database,
        `SELECT ${columns} FROM ${name} WHERE run = ${quoteText(runId)} AND (${rows}) ORDER BY ${order}`,
      ),
    ] as const;
  });
  return Object.fromEntries(await Promise.all(read)) as unknown as Rows<Name>;
}
