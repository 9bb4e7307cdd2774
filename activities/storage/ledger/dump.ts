/**
 * All of a ledger as rows, to be copied to a store of another kind. Rows refer to lanes, pages, calls, batches and
 * intents by the numbers of the store that they come from. Keys and bodies are base64, yes and no are 1 and 0.
 */

/** In this order: rows refer only to rows before them. */
export const dumpTables = [
  'total',
  'lane',
  'lane_spend',
  'page',
  'unit',
  'call',
  'batch',
  'intent',
  'reply',
  'sample',
  'verdict',
  'reference',
  'fact',
  'part',
  'merged_page',
  'control',
  'ended',
  'page_answers',
] as const;
export type DumpTable = (typeof dumpTables)[number];

export type DumpRow = Readonly<Record<string, string | number | null>>;

export interface DumpedRows {
  readonly table: DumpTable;
  readonly rows: readonly DumpRow[];
}

/** Of a run that no process works on. */
export type Dump = AsyncIterable<DumpedRows>;

/** How a table is read, piece by piece. */
export interface DumpSource {
  readonly table: DumpTable;
  /** It ends in a `where` clause, to which conditions may be added. */
  readonly select: string;
  /** What orders the rows, unambiguously: names of the table's columns, each also a name of the row's. */
  readonly key: readonly string[];
}

const withBodies: ReadonlySet<DumpTable> = new Set(['reply', 'verdict', 'reference']);

/** Most rows of one piece: a body may have megabytes. */
export const rowsAtOnce = ({ table }: Pick<DumpSource, 'table'>): number => (withBodies.has(table) ? 100 : 1000);

/**
 * The query for the rows after the row `last`, or for the first ones: at most `rowsAtOnce`, all if the source has no
 * key.
 */
export function pieceOf(
  { table, select, key }: DumpSource,
  last: DumpRow | undefined,
  placeholder: (index: number) => string,
): { readonly sql: string; readonly values: readonly (string | number | null)[] } {
  const after =
    last === undefined ? '' : ` and (${key.join(', ')}) > (${key.map((_, index) => placeholder(index)).join(', ')})`;
  const order = key.length === 0 ? '' : ` order by ${key.join(', ')} limit ${rowsAtOnce({ table })}`;
  const values = last === undefined ? [] : key.map((name) => last[name.split('.').at(-1) ?? name] ?? null);
  return { sql: `${select}${after}${order}`, values };
}
