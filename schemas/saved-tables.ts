/** Tables saved to a folder of their own, which belong to no run, and the file that lists them with their SHA-256. */
import { z } from 'zod';
import type { Table } from './tables/column.ts';
import { comparisonTables } from './tables/comparison.ts';
import { multiverseTables } from './tables/multiverse.ts';

/** What a command saves. */
export interface SavedKind<Name extends string = string> {
  /** As in "a saved comparison". */
  readonly name: string;
  /** The file that lists the tables. */
  readonly file: string;
  /** The command that writes it. */
  readonly command: string;
  readonly tables: Readonly<Record<Name, Table>>;
}

export const savedComparison: SavedKind<keyof typeof comparisonTables> = {
  name: 'comparison',
  file: 'comparison.json',
  command: 'compare --save',
  tables: comparisonTables,
};
export const savedMultiverse: SavedKind<keyof typeof multiverseTables> = {
  name: 'multiverse',
  file: 'multiverse.json',
  command: 'multiverse --save',
  tables: multiverseTables,
};
export const savedKinds: readonly SavedKind[] = [savedComparison, savedMultiverse];

export const savedListSchema = z.object({
  formatVersion: z.literal(1),
  programVersion: z.string(),
  createdAt: z.iso.datetime(),
  /** Runs that the tables are about. */
  runs: z.array(z.string()),
  tables: z.array(
    z.object({
      table: z.string(),
      file: z.string().regex(/^[a-z_]+\.parquet$/),
      rows: z.int(),
      sha256: z.string(),
    }),
  ),
});

export type SavedList = z.infer<typeof savedListSchema>;
