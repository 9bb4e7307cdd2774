/** What is merged: some parts of one table. */
import { mergeFiles } from '../../storage/parts/merge-files.ts';
import type { StoredTable } from '../../storage/parts/parquet.ts';
import { bytesIn, type PartFile } from '../part-bytes.ts';

export interface MergeOrder {
  readonly table: StoredTable;
  readonly files: readonly PartFile[];
}

/** One file with the rows of all; null if they have different columns. Throws `CorruptionError` for a damaged part. */
export const mergedFile = ({ table, files }: MergeOrder): Uint8Array | null => mergeFiles(table, files.map(bytesIn));
