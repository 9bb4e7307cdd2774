/** What is made of a kind's answers. */
import type { RunDatabase } from '../analysis/database.ts';
import type { Manifest } from '../schemas/manifest.ts';
import type { Row, TableName } from '../schemas/tables.ts';

export type DerivedTables = Partial<Record<TableName, readonly Row[]>>;

export interface StudyResults {
  /** Tables of all studies of this kind in a run, from what is sealed of it. Pages are only read. */
  derive(database: RunDatabase, manifest: Manifest): Promise<DerivedTables>;
}
