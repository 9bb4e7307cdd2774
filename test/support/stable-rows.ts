/**
 * The data that two equal runs share: every stable column of every stable row of every table except `calls`, in which
 * lost and repeated calls differ.
 */
import { openRun } from '../../analysis/database.ts';
import type { RunTables } from '../../analysis/run-folder.ts';
import { type Table, tables } from '../../schemas/tables.ts';

/**
 * By table, its rows as JSON, sorted by value. `except`: names of columns to omit from every table.
 */
export async function stableRows(run: RunTables, except: readonly string[] = []): Promise<Record<string, string[]>> {
  const database = await openRun(run);
  try {
    const rows: Record<string, string[]> = {};
    for (const table of Object.values<Table>(tables)) {
      if (table.name === 'calls') continue;
      const stable = Object.entries(table.columns).flatMap(([name, column]) =>
        'volatile' in column || except.includes(name) ? [] : [`"${name}"`],
      );
      const result = await database.query(`select ${stable.join(', ')} from "${table.name}"${stableOnly(table)}`);
      rows[table.name] = result.rows.map((row) => JSON.stringify(row)).sort();
    }
    return rows;
  } finally {
    database.close();
  }
}

const stableOnly = ({ volatileRows }: Table): string =>
  volatileRows === undefined ? '' : ` where not (${volatileRows.where})`;
