/** Whether a finished run has all its parts. */
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { supersededPath } from '../../../domain/part-paths.ts';
import type { Manifest } from '../../../schemas/manifest.ts';
import { fileSha256 } from '../files/file-sha256.ts';

type Part = Manifest['parts'][number];

/**
 * Whether a part of the manifest is missing or has other bytes. Looks at all sizes first, then reads all parts: a
 * second per gigabyte.
 */
export const hasDamagedPart = (runFolder: string, { parts }: Manifest): boolean =>
  parts.some((part) => sizeOf(placeOf(runFolder, part)) !== part.bytes) ||
  parts.some((part) => fileSha256(placeOf(runFolder, part)) !== part.sha256);

/** A replaced part has been moved; the manifest lists its old path until it is written again. */
function placeOf(runFolder: string, { path }: Part): string {
  const [place, moved] = [path, supersededPath(path)].map((one) => join(runFolder, one)) as [string, string];
  return existsSync(place) || !existsSync(moved) ? place : moved;
}

const sizeOf = (file: string): number | null => statSync(file, { throwIfNoEntry: false })?.size ?? null;
