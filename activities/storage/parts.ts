/** Parquet parts in a run folder: where they lie, and how they get there whole. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sha256, slug } from '../../domain/ids.ts';
import { stageFile } from './durable-file.ts';
import type { PartRecord } from './ledger.ts';

/** What a part is, apart from its contents. */
export type PartDescription = Omit<PartRecord, 'rows' | 'bytes' | 'sha256'>;

/** A part that lies aside until its seal holds. */
export interface StagedPart {
  readonly record: PartRecord;
  /** Resolves when its bytes are on disk: only then may it be published. */
  readonly durable: Promise<void>;
  /** Moves it to its path. Does nothing when the very same bytes are there already. */
  publish(): void;
  discard(): void;
}

/** `<table>/study=<s>/model=<slug>/<page>.r<revision>.parquet`; `page` is the page's name within its study and model. */
export function pagePartPath(table: string, study: string, model: string, page: string, revision: number): string {
  return `${table}/study=${encodeURIComponent(study)}/model=${slug(model)}/${page}.r${revision}.parquet`;
}

/** `<table>/run.r<revision>.parquet`, for tables of the whole run. */
export const runPartPath = (table: string, revision: number): string => `${table}/run.r${revision}.parquet`;

/** Writes the bytes under a name that no reader takes for a part. */
export function stagePart(runFolder: string, description: PartDescription, rows: number, bytes: Uint8Array): StagedPart {
  const path = join(runFolder, description.path);
  const record = { ...description, rows, bytes: bytes.length, sha256: sha256(bytes) };
  const staged = stageFile(path, bytes);
  return {
    record,
    durable: staged.durable,
    publish: () => (hasBytes(path, record.sha256) ? staged.discard() : staged.publish()),
    discard: staged.discard,
  };
}

function hasBytes(path: string, hash: string): boolean {
  try {
    return sha256(readFileSync(path)) === hash;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}
