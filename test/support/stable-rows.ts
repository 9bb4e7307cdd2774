/** What two equal runs have in common: every stable column of every stable row of every table but `calls`, whose lost and repeated ones differ. */
import { openRun } from '../../analysis/database.ts';
import { type Table, tables } from '../../schemas/tables.ts';

/** By table, its rows as JSON in an order of their own values. `except`: columns, by their name in any table, that are left out. */
export async function stableRows(runFolder: string, except: readonly string[] = []): Promise<Record<string, string[]>> {
  const database = await openRun(runFolder);
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

const stableOnly = ({ volatileRows }: Table): string => (volatileRows === undefined ? '' : ` where not (${volatileRows.where})`);
