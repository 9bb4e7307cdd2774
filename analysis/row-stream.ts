/** The rows of a query in batches, and the statement that writes them as Parquet. */
import type { DuckDBConnection, DuckDBPreparedStatement, DuckDBResult, Json } from '@duckdb/node-api';
import { InputError } from '../domain/errors.ts';
import { jsonValue, readable } from './json-values.ts';
import { inBrackets, isDescribing } from './select-statement.ts';
import { quoteText } from './views.ts';

export type Rows = readonly (readonly Json[])[];

export interface RowStream {
  /** In order; several columns may have the same name. */
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  readonly batches: AsyncIterable<Rows>;
  /** Resolves when the batches were read or left. */
  readonly ended: Promise<void>;
}

/** Whether a row is the last, after those of the query. */
const mark = 'end of the rows of this query';

/**
 * The end of a stream that failed looks like the end of its rows (DuckDB's C interface reports neither), so one more
 * row comes last: without it the stream failed.
 */
const markedSql = (sql: string): string =>
  `SELECT *, false AS "${mark}" FROM ${inBrackets(sql)} UNION ALL BY NAME SELECT true AS "${mark}"`;

/** @param statement the same SQL, prepared. @param failed throws the error that a person is told */
export async function streamOf(
  connection: DuckDBConnection,
  sql: string,
  statement: DuckDBPreparedStatement,
  failed: (cause: unknown) => Promise<never>,
): Promise<RowStream> {
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const result = await connection.stream(markedSql(sql)).catch(failed);
  const batches = batchesOf(result, async () => failed(await failureOf(statement)));
  // A query that fails at once is told so now, before anything is written.
  const first = await batches.next();
  const types = result.columnTypes();
  return {
    columns: Array.from({ length: result.columnCount - 1 }, (_, index) => ({
      name: statement.columnName(index),
      type: String(types[index]),
    })),
    batches: (async function* () {
      try {
        for (let batch = first; !batch.done; batch = await batches.next()) yield batch.value;
      } finally {
        statement.destroySync();
        resolve();
      }
    })(),
    ended,
  };
}

/** The rows up to the mark. @param failed throws what went wrong */
async function* batchesOf(result: DuckDBResult, failed: () => Promise<never>): AsyncGenerator<Rows> {
  for (;;) {
    const chunk = await result.fetchChunk().catch(failed);
    if (chunk === null || chunk.rowCount === 0) await failed();
    const rows = readable(() => chunk?.convertRows(jsonValue) ?? []);
    const isLast = rows.at(-1)?.at(-1) === true;
    const own = (isLast ? rows.slice(0, -1) : rows).map((row) => row.slice(0, -1));
    if (own.length > 0) yield own;
    if (isLast) return;
  }
}

/** Runs the query again, in the way that tells its error. */
async function failureOf(statement: DuckDBPreparedStatement): Promise<unknown> {
  const error = new InputError('SQL: the query ended early, for a reason that DuckDB does not tell');
  return statement.run().then(
    () => error,
    (cause: unknown) => cause,
  );
}

/** @param sql one SELECT, as prepared before */
export function copyStatement(sql: string, file: string): string {
  const source = isDescribing(sql) ? `(FROM ${inBrackets(sql)})` : inBrackets(sql);
  return `COPY ${source} TO ${quoteText(file)} (FORMAT parquet, COMPRESSION zstd, USE_TMP_FILE false)`;
}
