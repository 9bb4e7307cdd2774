/** `query`: DuckDB over the sealed parts of a run, read only, also while it runs. */
import Table from 'cli-table3';
import { coverage } from '../../analysis/coverage.ts';
import { openRun } from '../../analysis/database.ts';
import { shellSql } from '../../analysis/shell-sql.ts';
import { tablesText } from '../../analysis/tables-doc.ts';
import { type ExitStatus, exitStatus } from '../exit-status.ts';
import { findRun } from '../run-folders.ts';
import { plain, type Terminal } from '../terminal.ts';

export async function query(
  id: string,
  sql: string | undefined,
  options: { runsDir: string; shellSql?: boolean },
  terminal: Terminal,
): Promise<ExitStatus> {
  const { folder } = await findRun(options.runsDir, id);
  if (options.shellSql) {
    const statements = await shellSql(folder);
    terminal.out(statements);
    terminal.document({ sql: statements });
    return exitStatus.done;
  }
  if (sql === undefined) {
    terminal.out(tablesText());
    terminal.document({ tables: tablesText() });
    return exitStatus.done;
  }
  const database = await openRun(folder);
  try {
    sayMissing(await coverage(database), terminal);
    const { columns, rows } = await database.query(sql);
    terminal.document({ columns, rows });
    if (!terminal.json)
      terminal.out(
        tableText(
          columns.map(({ name }) => name),
          rows,
        ),
      );
    return exitStatus.done;
  } finally {
    database.close();
  }
}

function sayMissing(runs: Awaited<ReturnType<typeof coverage>>, terminal: Terminal): void {
  for (const { run, planned, missing } of runs)
    if (missing > 0) terminal.note(`run ${run}: ${missing} of ${planned} cells are not sealed yet and missing here`);
}

function tableText(head: readonly string[], rows: readonly (readonly unknown[])[]): string {
  const table = new Table({ head: [...head], style: { head: [], border: [] } });
  for (const row of rows) table.push(row.map(cellText));
  return `${table.toString()}\n${rows.length} row${rows.length === 1 ? '' : 's'}`;
}

const cellText = (value: unknown): string => (value === null ? 'null' : plain(typeof value === 'string' ? value : JSON.stringify(value)));
