/** Checks a ledger's seal (its SHA-256), and removes it before the ledger is changed. */
import { existsSync, statSync } from 'node:fs';
import type { Manifest } from '../../../../schemas/manifest.ts';
import { CorruptionError } from '../../../../domain/errors.ts';
import { missingLedger } from '../../files/corruption.ts';
import { fileSha256 } from '../../files/file-sha256.ts';
import { lockedManifest, writeManifest } from '../../manifest-file.ts';
import { ledgerName, ledgerPath } from '../../run-paths.ts';

export const isSealed = ({ seals }: Manifest): boolean => typeof seals?.[ledgerName] === 'string';

/** What differs from the seal; null if nothing does. A change removes the seal first, so a sealed ledger has no log. */
export function sealFault(runFolder: string, sha256: string): string | null {
  const found = fileSha256(ledgerPath(runFolder));
  if (found !== sha256) return `has SHA-256 ${found}, not ${sha256} as recorded when the run ended`;
  const log = statSync(`${ledgerPath(runFolder)}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  return log === 0 ? null : `has a log (-wal) of ${log} bytes, which came after the run ended`;
}

/** Throws `CorruptionError` if a sealed ledger does not match its seal, or is missing. Reads the whole file. */
export function refuseBrokenSeal(runFolder: string, { seals }: Manifest): void {
  const sha256 = seals?.[ledgerName] ?? null;
  if (sha256 === null) return;
  if (!existsSync(ledgerPath(runFolder))) throw missingLedger(ledgerPath(runFolder));
  const rule = sealFault(runFolder, sha256);
  if (rule === null) return;
  throw new CorruptionError(
    ledgerPath(runFolder),
    `${rule}: damaged or changed by hand`,
    'restore it from a backup, or start another run; "evenkeel verify" lists any further damage',
  );
}

/**
 * Removes the seal; call while holding the run's lock, before the sealed ledger is changed: if the process is killed,
 * it leaves no seal rather than a wrong one. Throws `CorruptionError` if the ledger does not match its seal, since a
 * new seal would hide that. Reads the whole file, once per command.
 */
export function withoutLedgerSeal(runFolder: string, manifest: Manifest): Manifest {
  if (!isSealed(manifest)) return manifest;
  refuseBrokenSeal(runFolder, manifest);
  return { ...manifest, seals: { ...manifest.seals, [ledgerName]: null } };
}

/** Like `withoutLedgerSeal`, within the transaction that changes the ledger. */
export function unsealForChange(runFolder: string): void {
  const manifest = lockedManifest(runFolder);
  if (isSealed(manifest)) writeManifest(runFolder, withoutLedgerSeal(runFolder, manifest));
}
