/** Finds the damaged part when DuckDB fails to read one: its message names no file, or the wrong one. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { CorruptionError, InputError } from '../domain/errors.ts';
import type { RunFolder } from './run-folder.ts';

/** DuckDB's messages for errors in the statement itself: these need no check of all parts. */
const ofStatement =
  /^(?:Parser|Binder|Catalog|Conversion|Out of Range|Permission|Constraint|Not implemented|Interrupt) Error/;

/**
 * An error about the first part whose bytes differ from the manifest. Returns `cause` if all parts are intact or the
 * error is in the SQL.
 */
export async function corruptionErrorOr(cause: unknown, runs: readonly RunFolder[]): Promise<unknown> {
  if (cause instanceof InputError || (cause instanceof Error && ofStatement.test(cause.message))) return cause;
  for (const { folder, manifest } of runs)
    for (const { path, sha256 } of manifest.parts) {
      const file = join(folder, path);
      if ((await sha256Of(file)) !== sha256)
        return new CorruptionError(file, `its SHA-256 is not ${sha256}`, repairRemedy(manifest.runId));
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

/** Every part can be rebuilt from the ledger. */
export const repairRemedy = (run: string): string =>
  `run \`evenkeel verify ${run} --repair\` to rebuild it from the ledger; ` +
  'if the ledger is damaged too, restore it from a backup';
