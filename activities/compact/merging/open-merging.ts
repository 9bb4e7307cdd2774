/** Merges parts: few rows here, many in a process of their own, which ends with the merging. */
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openApart, type ProgramApart } from '../../apart/program-apart.ts';
import { mergedFile, type MergeOrder } from './merge-order.ts';

/** Bytes of Parquet. Fewer take some ten megabytes to merge, and less time than a process needs to start. */
const manyBytes = 512 * 1024;

const program = fileURLToPath(new URL(`./merging-process${extname(import.meta.url)}`, import.meta.url));

type Merged = Uint8Array | null;

export interface Merging {
  /** As `mergedFile`. @param bytes of all files */
  merge(order: MergeOrder, bytes: number): Promise<Merged>;
  end(): void;
}

/** @param many bytes from which on another process does it */
export function openMerging(many = manyBytes): Merging {
  let apart: ProgramApart<MergeOrder, Merged> | null = null;
  return {
    async merge(order, bytes) {
      if (bytes < many) return mergedFile(order);
      apart ??= openApart<MergeOrder, Merged>(program, 'merges parts');
      let merged: Merged = null;
      await apart.ask(order, (file) => (merged = file));
      return merged;
    },
    end: () => apart?.end(),
  };
}
