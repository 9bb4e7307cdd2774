/** The manifest of a run on servers: a row with its root, and blobs for its segments. */
import { CorruptionError, InputError } from '../../../../domain/errors.ts';
import { sha256 as sha256Of } from '../../../../domain/ids.ts';
import { cutManifest, joinedManifest, knownSegment, parseSegment } from '../../../../domain/manifest-segments.ts';
import { parseWholeManifest, sealedManifest } from '../../../../domain/whole-manifest.ts';
import type { Manifest, ManifestSegment } from '../../../../schemas/manifest.ts';
import type { BlobStore } from '../../blobs/blob-store.ts';
import { putBack } from '../../blobs/put-back.ts';
import type { MendedSegments } from '../../home/run-home.ts';
import { mendedSegments } from '../../mend-segments.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { Postgres } from '../postgres.ts';

/** Of one run. */
export interface Manifests {
  readonly id: string;
  readonly database: Postgres;
  /** The run's. */
  readonly blobs: BlobStore;
  /** The text of the root. Rejects with `InputError` for an unknown run. */
  readonly root: () => Promise<string>;
}

/** For people, and for the messages that tell how to mend it. */
const nameOf = ({ database, id }: Manifests): string => `${database.name}/${id}`;

export async function readManifest(manifests: Manifests): Promise<Manifest> {
  return wholeManifest(manifests.blobs, nameOf(manifests), await manifests.root());
}

/** Call while holding the manifest's lock. Returns the written manifest. */
export async function changeManifest(
  manifests: Manifests,
  change: (manifest: Manifest) => Manifest,
): Promise<Manifest> {
  const text = await manifests.root();
  const manifest = await wholeManifest(manifests.blobs, nameOf(manifests), text);
  const next = { ...change(manifest), updatedAt: new Date().toISOString() };
  await swapRoot(manifests, text, await storedRoot(manifests.blobs, next, segmentsOf(text, nameOf(manifests))));
  return next;
}

/** As the run's owner. The ledger lists the same parts, and all of them are in the bucket. */
export async function mendSegments(manifests: Manifests, ledger: Ledger): Promise<MendedSegments> {
  const { blobs } = manifests;
  const [name, text] = [nameOf(manifests), await manifests.root()];
  const old = segmentsOf(text, name);
  const intact = await Promise.all(old.map((segment) => isIntact(blobs, name, segment)));
  const damaged = old.filter((_, index) => intact[index] === false);
  if (damaged.length === 0) return mendedSegments([], new Set());
  return ledger.withManifestLock(async () => {
    const parts = [...(await ledger.parts())];
    const next = { ...joinedManifest(parseWholeManifest(text, name), []), parts, updatedAt: new Date().toISOString() };
    const kept = old.filter((segment) => !damaged.includes(segment));
    const mended = await storedRoot(blobs, next, kept);
    await swapRoot(manifests, text, mended);
    return mendedSegments(damaged, new Set(segmentsOf(mended, name).map(({ file }) => file)));
  });
}

/** Rejects with `InputError` or `CorruptionError` for a manifest that cannot be read. */
async function wholeManifest(blobs: BlobStore, name: string, text: string): Promise<Manifest> {
  const root = parseWholeManifest(text, name);
  const parts = (root.segments ?? []).map(async (segment) => {
    const known = knownSegment(segment);
    if (known !== undefined) return known;
    const bytes = await blobs.get(segment.file);
    return parseSegment(name, segment, bytes === null ? null : new TextDecoder().decode(bytes));
  });
  return joinedManifest(root, await Promise.all(parts));
}

/** The text of the root; segments that are not those of `old` are stored first, so that it names nothing missing. */
export async function storedRoot(
  blobs: BlobStore,
  manifest: Manifest,
  old: readonly ManifestSegment[] = [],
): Promise<string> {
  const { root, added } = cutManifest(manifest, old);
  for (const { segment, text } of added) {
    const bytes = new TextEncoder().encode(text);
    await putBack(blobs, segment.file, bytes, sha256Of(bytes));
  }
  return sealedManifest(root);
}

/** @param text of a root @param name for messages */
export const segmentsOf = (text: string, name: string): readonly ManifestSegment[] =>
  parseWholeManifest(text, name).segments ?? [];

/** A process whose session with the lock was lost meanwhile is refused by the old text. */
async function swapRoot({ database, id }: Manifests, text: string, root: string): Promise<void> {
  const isStored = await database.transaction(async (query) => {
    const sql = 'update run set manifest = $3 where id = $1 and manifest = $2 returning id';
    return (await query(sql, [id, text, root])).length === 1;
  });
  if (!isStored)
    throw new InputError(`another process has changed the manifest of run "${id}" in ${database.name}; do it again`);
}

/** Reads the object also where this process knows its parts. */
async function isIntact(blobs: BlobStore, name: string, segment: ManifestSegment): Promise<boolean> {
  const bytes = await blobs.get(segment.file);
  try {
    parseSegment(name, segment, bytes === null ? null : new TextDecoder().decode(bytes));
    return true;
  } catch (error) {
    if (error instanceof CorruptionError) return false;
    throw error;
  }
}
