/** Compares the parts of a manifest with those of its ledger. */
import { isSuperseded, pathBefore } from '../../../domain/part-paths.ts';
import type { Manifest } from '../../../schemas/manifest.ts';
import type { PartRecord } from '../ledger/records.ts';

type NamedPart = Pick<PartRecord, 'path' | 'sha256'>;

export interface KnownParts<Part = NamedPart> {
  readonly parts: readonly Part[];
  readonly supersededParts: readonly Part[];
}

/** @param all rows of the ledger's table of parts */
export const knownParts = <Part extends NamedPart>(all: readonly Part[]): KnownParts<Part> => ({
  parts: all.filter(({ path }) => !isSuperseded(path)),
  supersededParts: all.filter(({ path }) => isSuperseded(path)),
});

/**
 * Parts of the manifest that the ledger lacks, or has with other bytes (in use or replaced). A part that only the
 * ledger has is just not published yet.
 */
export function unknownParts(manifest: Manifest, { parts, supersededParts }: KnownParts): string[] {
  const known = new Map(parts.map(({ path, sha256 }) => [path, sha256]));
  for (const { path, sha256 } of supersededParts) if (!known.has(pathBefore(path))) known.set(pathBefore(path), sha256);
  return manifest.parts
    .filter(({ path, sha256 }) => known.get(path) !== sha256)
    .map(
      ({ path, sha256 }) =>
        `${path} has SHA-256 ${sha256} in the manifest, ${known.get(path) ?? 'nothing'} in the ledger`,
    );
}
