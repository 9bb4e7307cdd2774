/** One statement that only reads: what a run may be asked. */
import { type DuckDBConnection, type DuckDBPreparedStatement, StatementType } from '@duckdb/node-api';
import { CorruptionError, InputError } from '../domain/errors.ts';

/** `allowed_paths` permits writing too, so only the check of the statement's type protects the parts. */
export async function prepareSelect(connection: DuckDBConnection, sql: string): Promise<DuckDBPreparedStatement> {
  if (/^[\s;]*$/.test(withoutComments(sql))) throw new InputError('the SQL is empty');
  const statements = await connection.extractStatements(sql);
  if (statements.count !== 1)
    throw new InputError(
      `expected one statement, got ${statements.count} (PIVOT counts as two unless its columns are listed with IN)`,
    );
  const [first = ''] = /[a-z]+/i.exec(withoutComments(sql)) ?? [];
  if (refusedAtOnce.has(first.toUpperCase())) throw readOnly(first);
  const statement = await statements.prepare(0);
  if (statement.statementType === StatementType.SELECT) return statement;
  const kind = first === '' ? StatementType[statement.statementType] : first;
  statement.destroySync();
  throw readOnly(kind);
}

/**
 * DuckDB looks for the file or table of most of these already when it prepares the statement, and takes PRAGMA for a
 * SELECT that cannot stand in brackets.
 */
const refusedAtOnce: ReadonlySet<string> = new Set(
  'COPY PRAGMA EXPORT EXECUTE INSERT UPDATE DELETE MERGE TRUNCATE'.split(' '),
);

const readOnly = (kind: string): InputError =>
  new InputError(`a run is read-only: use SELECT, WITH, FROM, DESCRIBE, SHOW or SUMMARIZE, not ${kind.toUpperCase()}`);

/** Takes the beginning of a comment in a text for one. */
const withoutComments = (sql: string): string => sql.replaceAll(/--.*$|\/\*[\s\S]*?\*\//gm, '');

export function asInputError(cause: unknown): never {
  if (cause instanceof InputError || cause instanceof CorruptionError) throw cause;
  const message = cause instanceof Error ? cause.message : String(cause);
  // DuckDB's own advice is to change settings, which are locked here.
  const [, memory] = /^(Out of Memory Error: .*)/.exec(message) ?? [];
  throw new InputError(
    `SQL: ${memory === undefined ? message : `${memory}; filter, group or sort less, or use \`--shell-sql\``}`,
  );
}

/** Texts, quoted names and comments, in which a semicolon is no end, or a semicolon. */
const apart =
  /e'(?:[^'\\]|\\.|'')*'|'(?:[^']|'')*'|"(?:[^"]|"")*"|\$(\w*)\$[\s\S]*?\$\1\$|--[^\n]*|\/\*[\s\S]*?\*\/|;/gi;

/** A statement in brackets, to select from. It is the only one, so a semicolon is its end. */
export const inBrackets = (sql: string): string =>
  `(\n${sql.replaceAll(apart, (found) => (found === ';' ? '' : found))}\n)`;

/** Statements that list or describe tables, which not every clause takes in place of a query. */
export const isDescribing = (sql: string): boolean =>
  /^[\s(]*(?:describe|desc|show|summarize)\b/i.test(withoutComments(sql));
