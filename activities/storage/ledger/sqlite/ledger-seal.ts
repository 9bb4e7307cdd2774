/** Removes a ledger's seal (its SHA-256) before the ledger is changed. */
import type { Manifest } from '../../../../schemas/manifest.ts';
import { CorruptionError } from '../../../../domain/errors.ts';
import { fileSha256 } from '../../files/file-sha256.ts';
import { lockedManifest, writeManifest } from '../../manifest-file.ts';
import { ledgerName, ledgerPath } from '../../run-paths.ts';

export const isSealed = ({ seals }: Manifest): boolean => typeof seals?.[ledgerName] === 'string';

/**
 * Removes the seal; call while holding the run's lock, before the sealed ledger is changed: if the process is killed,
 * it leaves no seal rather than a wrong one. Throws `CorruptionError` if the ledger does not match its seal, since a
 * new seal would hide that. Reads the whole file, once per command.
 */
export function withoutLedgerSeal(runFolder: string, manifest: Manifest): Manifest {
  const sha256 = manifest.seals?.[ledgerName] ?? null;
  if (sha256 === null) return manifest;
  const found = fileSha256(ledgerPath(runFolder));
  if (found === sha256) return { ...manifest, seals: { ...manifest.seals, [ledgerName]: null } };
  const rule = `has SHA-256 ${found}, not ${sha256} as recorded when the run ended`;
  throw new CorruptionError(
    ledgerPath(runFolder),
    `${rule}: damaged or changed by hand`,
    'restore it from a backup, or start another run; "evenkeel verify" lists any further damage',
  );
}

/** Like `withoutLedgerSeal`, within the transaction that changes the ledger. */
export function unsealForChange(runFolder: string): void {
  const manifest = lockedManifest(runFolder);
  if (isSealed(manifest)) writeManifest(runFolder, withoutLedgerSeal(runFolder, manifest));
}
