/**
 * Checks the SHA-256 of a table's parts before the first query that reads it: DuckDB does not notice a flipped bit in
 * a value. Each table is checked once per process, at about a second per gigabyte.
 */
import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { CorruptionError } from '../domain/errors.ts';
import { repairRemedy } from './damaged-part.ts';
import { currentParts, type ManifestPart, type RunFolder } from './run-folder.ts';

export interface PartTrust {
  /** Throws `CorruptionError` for the first part of these tables whose bytes differ from the manifest. */
  check(tables: readonly string[]): Promise<void>;
}

export function createPartTrust(runs: readonly RunFolder[]): PartTrust {
  const checks = new Map<string, Promise<void>>();
  const checked = (table: string): Promise<void> => {
    const known = checks.get(table) ?? checkTable(runs, table);
    checks.set(table, known);
    return known;
  };
  return {
    check: async (names) => {
      for (const table of names) await checked(table);
    },
  };
}

async function checkTable(runs: readonly RunFolder[], table: string): Promise<void> {
  for (const { folder, manifest } of runs)
    for (const part of currentParts(manifest, table)) {
      checkPart(manifest.runId, folder, part);
      await turn();
    }
}

function checkPart(run: string, folder: string, { path, sha256 }: ManifestPart): void {
  const file = join(folder, path);
  if (sha256Of(file) !== sha256) throw new CorruptionError(file, `its SHA-256 is not ${sha256}`, repairRemedy(run));
}

const chunk = 1024 * 1024;

/** Reads at once, through one buffer: waiting for each of thousands of small files took longer than their hashes. */
function sha256Of(file: string): string {
  room ??= Buffer.allocUnsafeSlow(chunk);
  const hash = createHash('sha256');
  const descriptor = openSync(file, 'r');
  try {
    for (let read = readSync(descriptor, room); read > 0; read = readSync(descriptor, room))
      hash.update(room.subarray(0, read));
  } finally {
    closeSync(descriptor);
  }
  return hash.digest('hex');
}

/** Used and left within one turn. */
let room: Buffer | undefined;
