import type { Manifest } from '../schemas/manifest.ts';
import type { Table } from '../schemas/tables.ts';

/** A table that is not stored: SQL over the stored ones. */
export interface View {
  readonly table: Table;
  /** A SELECT of the table's columns, for these runs. */
  sql(manifests: readonly Manifest[]): string;
}
