/** Tells that a run's folder is an archive without parts that a command needs. */
import { readFileSync } from 'node:fs';
import { parseManifest } from '../../domain/parse-manifest.ts';
import { InputError } from '../../domain/errors.ts';
import type { Manifest } from '../../schemas/manifest.ts';
import { manifestPath } from './run-paths.ts';

/** Throws InputError if the run's replies, tasks or ledger were left out. */
export function refuseArchived(runFolder: string, { archive }: Manifest): void {
  if (archive === undefined || archive.without.length === 0) return;
  throw new InputError(
    `is an archive without ${archive.without.join(', ')}, so it can only be read: query, report --out FILE, explain, ` +
      'compare, gate and verify work',
    { file: runFolder },
  );
}

/** As `refuseArchived`, for a folder that lacks a file which every run has. */
export function refuseIfArchived(runFolder: string): void {
  refuseArchived(runFolder, parseManifest(readFileSync(manifestPath(runFolder), 'utf8'), manifestPath(runFolder)));
}
