import type { Manifest } from '../schemas/manifest.ts';
import type { Table } from '../schemas/tables.ts';

/** A table that is not stored: SQL over the stored ones. */
export interface View {
  readonly table: Table;
  /**
   * A SELECT of the table's columns, for these runs.
   * @param columns those that must have their values: others may be null; null: all of them
   */
  sql(manifests: readonly Manifest[], columns: ReadonlySet<string> | null): string;
}
