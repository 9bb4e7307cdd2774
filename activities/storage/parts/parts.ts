/**
 * Parquet parts in a run folder: their paths, and writing them completely or not at all. A name never refers to
 * different bytes.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '../../../domain/ids.ts';
import { supersededPath } from '../../../domain/part-paths.ts';
import { moveAllDurably, stageFile } from '../files/durable-file.ts';
import type { PartRecord } from '../ledger/records.ts';

/** Description of a part without its contents. */
export type PartDescription = Omit<PartRecord, 'path' | 'rows' | 'bytes' | 'sha256'>;

/** A part under a temporary name until the ledger has registered it. */
export interface StagedPart {
  readonly record: PartRecord;
  /** Resolves when its bytes are on disk; only then may it be published. */
  readonly durable: Promise<void>;
  /** Moves it to its path. */
  publish(): void;
  discard(): void;
}

/** Writes the bytes under a temporary name; once published, the name is `<stem>.r<revision>.<sha12>.parquet`. */
export function stagePart(
  runFolder: string,
  stem: string,
  description: PartDescription,
  rows: number,
  bytes: Uint8Array,
): StagedPart {
  const hash = sha256(bytes);
  const path = `${stem}.r${description.revision}.${hash.slice(0, 12)}.parquet`;
  const { durable, publish, discard } = stageFile(join(runFolder, path), bytes);
  return { record: { path, ...description, rows, bytes: bytes.length, sha256: hash }, durable, publish, discard };
}

/**
 * Moves replaced parts out of their tables' folders; does nothing for those where that is done already.
 * @param paths theirs in the tables' folders
 */
export function setAside(runFolder: string, paths: readonly string[]): void {
  const moves = paths.map((path) => [join(runFolder, path), join(runFolder, supersededPath(path))] as const);
  moveAllDurably(moves.filter(([from]) => existsSync(from)));
}
