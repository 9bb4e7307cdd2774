/** Parquet parts in a run folder: where they lie, and how they get there whole. A name never stands for other bytes. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '../../domain/ids.ts';
import { supersededPath } from '../../domain/part-paths.ts';
import { moveDurably, stageFile } from './durable-file.ts';
import type { PartRecord } from './ledger.ts';

/** What a part is, apart from its contents. */
export type PartDescription = Omit<PartRecord, 'path' | 'rows' | 'bytes' | 'sha256'>;

/** A part that lies aside until its ledger has it. */
export interface StagedPart {
  readonly record: PartRecord;
  /** Resolves when its bytes are on disk: only then may it be published. */
  readonly durable: Promise<void>;
  /** Moves it to its path. */
  publish(): void;
  discard(): void;
}

/** Writes the bytes under a name that no reader takes for a part; published, it is `<stem>.r<revision>.<sha12>.parquet`. */
export function stagePart(runFolder: string, stem: string, description: PartDescription, rows: number, bytes: Uint8Array): StagedPart {
  const hash = sha256(bytes);
  const path = `${stem}.r${description.revision}.${hash.slice(0, 12)}.parquet`;
  const { durable, publish, discard } = stageFile(join(runFolder, path), bytes);
  return { record: { path, ...description, rows, bytes: bytes.length, sha256: hash }, durable, publish, discard };
}

/** Takes a part out of its table's folder; does nothing where that is done. @param path that it has there */
export function setAside(runFolder: string, path: string): void {
  if (existsSync(join(runFolder, path))) moveDurably(join(runFolder, path), join(runFolder, supersededPath(path)));
}
