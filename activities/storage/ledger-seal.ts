/** The SHA-256 of a ledger at rest, and taking it off before the ledger is changed. */
import type { Manifest } from '../../schemas/manifest.ts';
import { CorruptionError } from '../../domain/errors.ts';
import { fileSha256 } from './file-sha256.ts';
import { lockedManifest, writeManifest } from './manifest-file.ts';
import { ledgerName, ledgerPath } from './run-paths.ts';

export const isSealed = ({ seals }: Manifest): boolean => typeof seals?.[ledgerName] === 'string';

/**
 * For who has the run's lock, before a ledger at rest is changed: a process that is killed meanwhile leaves no seal, rather than a wrong one.
 * Throws `CorruptionError` where the seal does not hold: the next seal would hide that. It reads the whole file, once per sitting.
 */
export function withoutLedgerSeal(runFolder: string, manifest: Manifest): Manifest {
  const sha256 = manifest.seals?.[ledgerName] ?? null;
  if (sha256 === null) return manifest;
  const found = fileSha256(ledgerPath(runFolder));
  if (found === sha256) return { ...manifest, seals: { ...manifest.seals, [ledgerName]: null } };
  const rule = `has SHA-256 ${found}, not ${sha256}, which it was sealed with when the run ended: damaged or changed by hand`;
  throw new CorruptionError(
    ledgerPath(runFolder),
    rule,
    'put it back from a copy, or start another run; "evenkeel verify" lists what else is damaged',
  );
}

/** As `withoutLedgerSeal`, within the transaction that changes the ledger. */
export function unsealForChange(runFolder: string): void {
  const manifest = lockedManifest(runFolder);
  if (isSealed(manifest)) writeManifest(runFolder, withoutLedgerSeal(runFolder, manifest));
}
