/** `query`: DuckDB over the sealed parts of a run, read only, also while it runs. */
import { coverage } from '../../analysis/coverage.ts';
import { openRun } from '../../analysis/database.ts';
import { shellSql } from '../../analysis/shell-sql.ts';
import { tableIndex, tableText } from '../../analysis/tables-doc.ts';
import { commandName } from '../command-name.ts';
import { type ExitStatus, exitStatus } from '../exit-status.ts';
import { findRun } from '../run-folders.ts';
import { plain, type Terminal } from '../terminal.ts';
import { tableLines } from '../text-table.ts';

export async function query(
  id: string,
  sql: string | undefined,
  options: { runsDir: string; shellSql?: boolean; tables?: string },
  terminal: Terminal,
): Promise<ExitStatus> {
  const { folder } = await findRun(options.runsDir, id);
  if (options.shellSql) {
    const statements = await shellSql(folder);
    terminal.out(statements);
    terminal.document({ sql: statements });
    return exitStatus.done;
  }
  if (options.tables !== undefined) {
    const text = tableText(options.tables);
    terminal.out(text);
    terminal.document({ table: options.tables, text });
    return exitStatus.done;
  }
  if (sql === undefined) {
    showIndex(id, terminal);
    return exitStatus.done;
  }
  const database = await openRun(folder);
  try {
    sayMissing(await coverage(database), terminal);
    const { columns, rows } = await withWord(database.query(sql), terminal);
    terminal.document({ columns, rows });
    if (!terminal.json)
      showRows(
        columns.map(({ name }) => name),
        rows,
        terminal,
      );
    return exitStatus.done;
  } finally {
    database.close();
  }
}

/** A person may not know whether the SQL is slow or the program hangs. */
async function withWord<T>(query: Promise<T>, terminal: Terminal): Promise<T> {
  const startMs = performance.now();
  const word = setInterval(() => {
    terminal.note(`the query takes ${Math.round((performance.now() - startMs) / 1000)} s so far; Ctrl-C ends it`);
  }, wordMs);
  return query.finally(() => clearInterval(word));
}
const wordMs = 10_000;

function showIndex(id: string, terminal: Terminal): void {
  const tables = tableIndex();
  const width = Math.max(...tables.map(({ name }) => name.length));
  for (const { name, meaning } of tables) terminal.out(`${name.padEnd(width)}  ${meaning}`);
  terminal.out(`columns of one table: ${commandName()} query ${id} --tables loops`);
  terminal.document({ tables });
}

function sayMissing(runs: Awaited<ReturnType<typeof coverage>>, terminal: Terminal): void {
  for (const { run, planned, missing } of runs)
    if (missing > 0) terminal.note(`run ${run}: ${missing} of ${planned} cells are not sealed yet and missing here`);
}

function showRows(head: readonly string[], rows: readonly (readonly unknown[])[], terminal: Terminal): void {
  const lines = tableLines(
    head.map(plain),
    rows.map((row) => row.map(cellText)),
  );
  for (const some of inBatches(lines)) terminal.out(some.join('\n'));
  terminal.out(`${rows.length} row${rows.length === 1 ? '' : 's'}`);
}

/** One string of everything would be as large as the result once more. */
function* inBatches(lines: Iterable<string>): Generator<string[]> {
  let batch: string[] = [];
  for (const line of lines) {
    batch.push(line);
    if (batch.length < linesAtOnce) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
const linesAtOnce = 1000;

const cellText = (value: unknown): string => (value === null ? 'null' : plain(typeof value === 'string' ? value : JSON.stringify(value)));
