/** The bytes of parts, checked against the ledger. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CorruptionError } from '../../domain/errors.ts';
import { sha256 } from '../../domain/ids.ts';
import type { Run } from '../runs/opened/run.ts';
import type { PartRecord } from '../storage/ledger/records.ts';

/** A part on this machine; another process can read it. */
export interface PartFile {
  readonly runId: string;
  /** Absolute. */
  readonly file: string;
  readonly sha256: string;
}

/** Fetches a part that another machine wrote. */
export async function partFile({ home, runId }: Run, { path, sha256 }: PartRecord): Promise<PartFile> {
  await home.fetch([{ file: path, sha256 }]);
  return { runId, file: join(home.folder, path), sha256 };
}

/** Throws `CorruptionError` if the bytes are not those that the ledger names. */
export function bytesIn({ runId, file, sha256: expected }: PartFile): Uint8Array {
  const bytes = readFileSync(file);
  if (sha256(bytes) === expected) return bytes;
  const remedy = `run \`evenkeel verify ${runId} --repair\` to rebuild it from the ledger`;
  throw new CorruptionError(file, `its SHA-256 is not ${expected}`, remedy);
}
