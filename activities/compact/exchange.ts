/**
 * Puts rows into other files, so that a kill at any moment harms nothing and a reader finds each row once: new files
 * are written aside, the ledger says which count, older ones go out before new ones come in, the manifest follows, and
 * only then the older files are removed.
 */
import { readFileSync, rmdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sha256 } from '../../domain/ids.ts';
import { CorruptionError } from '../../domain/errors.ts';
import { supersededPath } from '../../domain/part-paths.ts';
import type { Run } from '../runs/runs.ts';
import { faultPoint } from '../storage/files/fault-point.ts';
import type { PartRecord } from '../storage/ledger/records.ts';
import { publishChange, publishManifest } from '../storage/manifest.ts';
import type { StagedPart } from '../storage/parts/parts.ts';
import { publishStaged } from '../storage/parts/publish-staged.ts';
import type { PartsChange } from '../storage/parts/publisher.ts';

/** A part's bytes. Throws `CorruptionError` if they are not those that the ledger names. */
export function partBytes({ folder, runId }: Run, { path, sha256: expected }: PartRecord): Uint8Array {
  const file = join(folder, path);
  const bytes = readFileSync(file);
  if (sha256(bytes) === expected) return bytes;
  const remedy = `run \`evenkeel verify ${runId} --repair\` to rebuild it from the ledger`;
  throw new CorruptionError(file, `its SHA-256 is not ${expected}`, remedy);
}

/** The staged parts hold the rows of the spent ones from now on. Throws `FencedError` for an old epoch. */
export const exchange = async (
  run: Run,
  epoch: number,
  spent: readonly PartRecord[],
  staged: readonly StagedPart[],
): Promise<PartsChange> =>
  publishStaged(run.folder, staged, (records) => run.ledger.exchangeParts(epoch, spent, records));

/** Publishes the manifest and then removes the files of spent parts. Call when all parts are in place. */
export async function clearSpent({ folder, ledger }: Run): Promise<void> {
  const spent = await ledger.spentParts();
  if (spent.length === 0) return;
  await publishManifest(folder, ledger);
  await removeSpent(folder, ledger, spent);
}

/** Publishes one exchange and then removes the files of its spent parts, while other pages are being sealed. */
export async function publishExchange({ folder, ledger }: Run, change: PartsChange): Promise<void> {
  await publishChange(folder, ledger, change);
  await removeSpent(folder, ledger, change.removed.map(supersededPath));
}

async function removeSpent(folder: string, ledger: Run['ledger'], spent: readonly string[]): Promise<void> {
  for (const path of spent) {
    faultPoint();
    rmSync(join(folder, path), { force: true });
  }
  for (const path of new Set(spent.map(dirname))) removeEmpty(folder, path);
  await ledger.forgetSpent(spent);
}

/** A folder and those above it, as far as they are empty. */
function removeEmpty(folder: string, path: string): void {
  if (path === '.') return;
  try {
    rmdirSync(join(folder, path));
  } catch {
    return;
  }
  removeEmpty(folder, dirname(path));
}
