/** Which part of a run is at fault where DuckDB could not read one: it names no file, or not the one. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { CorruptionError, InputError } from '../domain/errors.ts';
import type { RunFolder } from './run-folder.ts';

/** DuckDB's words for a fault of the statement: a slip in somebody's SQL is no reason to read all parts of a run. */
const ofStatement = /^(?:Parser|Binder|Catalog|Conversion|Out of Range|Permission|Constraint|Not implemented|Interrupt) Error/;

/** The error about the first part that has not the bytes of its manifest; `cause` where all have them, or where the SQL is at fault. */
export async function damageOr(cause: unknown, runs: readonly RunFolder[]): Promise<unknown> {
  if (cause instanceof InputError || (cause instanceof Error && ofStatement.test(cause.message))) return cause;
  for (const { folder, manifest } of runs)
    for (const { path, sha256 } of manifest.parts) {
      const file = join(folder, path);
      if ((await sha256Of(file)) !== sha256) return new CorruptionError(file, `its SHA-256 is not ${sha256}`, repairRemedy(manifest.runId));
    }
  return cause;
}

async function sha256Of(file: string): Promise<string | null> {
  const hash = createHash('sha256');
  return pipeline(createReadStream(file), hash).then(
    () => hash.digest('hex'),
    () => null,
  );
}

/** Whatever a part says was made from the ledger. */
export const repairRemedy = (run: string): string =>
  `\`evenkeel verify ${run} --repair\` makes it again from the ledger; where that is damaged too, put it back from a copy`;
