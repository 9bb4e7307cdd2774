/** What two equal runs have in common: every stable column of every table but `calls`. */
import { openRun } from '../../analysis/database.ts';
import { tables } from '../../schemas/tables.ts';

/** By table, its rows as JSON in an order of their own values. `except`: columns, by their name in any table, that are left out. */
export async function stableRows(runFolder: string, except: readonly string[] = []): Promise<Record<string, string[]>> {
  const database = await openRun(runFolder);
  try {
    const rows: Record<string, string[]> = {};
    for (const table of Object.values(tables)) {
      if (table.name === 'calls') continue;
      const stable = Object.entries(table.columns).flatMap(([name, column]) =>
        'volatile' in column || except.includes(name) ? [] : [`"${name}"`],
      );
      const result = await database.query(`select ${stable.join(', ')} from "${table.name}"`);
      rows[table.name] = result.rows.map((row) => JSON.stringify(row)).sort();
    }
    return rows;
  } finally {
    database.close();
  }
}
