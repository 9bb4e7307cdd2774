/** What tables are derived from. */
import type { RunTables } from '../../analysis/run-folder.ts';

/** Where the files of a run are. */
export interface DeriveOrder {
  readonly tables: RunTables;
  /** The run's folder, with the files that belong to no table. */
  readonly folder: string;
}

/** Excludes derived tables from the sources: they may be outdated or damaged. */
export const isSource = ({ page, table }: { readonly page: string; readonly table: string }): boolean =>
  page !== 'run' || ['models', 'settings', 'tasks', 'suites'].includes(table);
