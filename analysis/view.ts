import type { Manifest } from '../schemas/manifest.ts';
import type { Table } from '../schemas/tables.ts';

/** What the rows of these runs say, by name. */
export type ViewFacts = Readonly<Record<string, boolean>>;

/** A table that is not stored: SQL over the stored ones. */
export interface View {
  readonly table: Table;
  /**
   * A SELECT of one row of booleans that `sql` is given where it can be asked first: whether a shorter way to the same
   * rows is open. Null if that makes no difference for these columns.
   */
  facts?(manifests: readonly Manifest[], columns: ReadonlySet<string> | null): string | null;
  /**
   * A SELECT of the table's columns, for these runs.
   * @param columns those that must have their values: others may be null; null: all of them
   * @param facts none: the SQL holds whatever rows there are and come
   */
  sql(manifests: readonly Manifest[], columns: ReadonlySet<string> | null, facts?: ViewFacts): string;
}
