/**
 * Reads and writes `manifest.json` and its segments, which anyone may read at any time: a segment is written before the
 * root that names it, and removed after the next one.
 */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  cutManifest,
  joinedManifest,
  knownSegment,
  type ManifestPart,
  parseSegment,
} from '../../domain/manifest-segments.ts';
import { CorruptionError } from '../../domain/errors.ts';
import { parseManifest } from '../../domain/parse-manifest.ts';
import { isWhole, parseWholeManifest, sealedManifest } from '../../domain/whole-manifest.ts';
import type { Manifest, ManifestFile, ManifestSegment } from '../../schemas/manifest.ts';
import { faultPoint } from './files/fault-point.ts';
import { refuseNoFile } from './files/regular-file.ts';
import { writeFileDurably } from './files/durable-file.ts';
import { ledgerName, manifestPath } from './run-paths.ts';

/** Throws `InputError` or `CorruptionError` as `parseWholeManifest`; ENOENT if the folder is not a run. */
export async function readManifest(runFolder: string): Promise<Manifest> {
  refuseNoFile(manifestPath(runFolder));
  const text = await readFile(manifestPath(runFolder), 'utf8');
  const root = parseWholeManifest(text, manifestPath(runFolder));
  try {
    return joinedManifest(root, await Promise.all((root.segments ?? []).map((one) => readSegment(runFolder, one))));
  } catch (error) {
    // Segments may have been replaced since the root was read.
    if ((await readFile(manifestPath(runFolder), 'utf8')) !== text) return readManifest(runFolder);
    throw error;
  }
}

const readSegment = async (runFolder: string, segment: ManifestSegment): Promise<readonly ManifestPart[]> =>
  knownSegment(segment) ?? freshSegment(runFolder, segment);

const freshSegment = async (runFolder: string, segment: ManifestSegment): Promise<readonly ManifestPart[]> =>
  parseSegment(
    runFolder,
    segment,
    await readFile(join(runFolder, segment.file), 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null;
      throw error;
    }),
  );

const rootOf = (runFolder: string): ManifestFile =>
  parseWholeManifest(readFileSync(manifestPath(runFolder), 'utf8'), manifestPath(runFolder));

/** Files of segments that the manifest names. Call while holding the run's lock. */
export const segmentNames = (runFolder: string): ReadonlySet<string> =>
  new Set(rootOf(runFolder).segments?.map(({ file }) => file));

/** Seals as the root has them at this moment; null if it cannot be read. */
export function sealsNow(runFolder: string): Manifest['seals'] | null {
  try {
    return rootOf(runFolder).seals;
  } catch {
    return null;
  }
}

/** Like `readManifest`, synchronous, for callers that hold the run's lock. */
export function lockedManifest(runFolder: string): Manifest {
  const root = rootOf(runFolder);
  return joinedManifest(
    root,
    (root.segments ?? []).map(
      (one) => knownSegment(one) ?? parseSegment(runFolder, one, textOf(join(runFolder, one.file))),
    ),
  );
}

/** Null if there is no such file. */
const textOf = (file: string): string | null => (existsSync(file) ? readFileSync(file, 'utf8') : null);

export interface DoubtfulManifest {
  readonly manifest: Manifest;
  /** Whether the file matches its SHA-256. */
  readonly isWhole: boolean;
}

/** To check a run that may be damaged. Throws `InputError`, and `CorruptionError` for a damaged segment. */
export async function readDoubtfulManifest(runFolder: string): Promise<DoubtfulManifest> {
  refuseNoFile(manifestPath(runFolder));
  const text = await readFile(manifestPath(runFolder), 'utf8');
  const root = parseManifest(text, manifestPath(runFolder));
  try {
    // Read again although they may be known: their bytes are checked.
    const parts = await Promise.all((root.segments ?? []).map((one) => freshSegment(runFolder, one)));
    return { manifest: joinedManifest(root, parts), isWhole: isWhole(text) };
  } catch (error) {
    if ((await readFile(manifestPath(runFolder), 'utf8')) !== text) return readDoubtfulManifest(runFolder);
    // A damaged root may name a segment wrongly: then the root is at fault.
    parseWholeManifest(text, manifestPath(runFolder));
    throw error;
  }
}

/** What can be read of a manifest, and the segments that cannot. */
export interface MendableManifest {
  /** Without the parts of the damaged segments. */
  readonly manifest: Manifest;
  /** Missing, or with other bytes than the root says. */
  readonly damaged: readonly ManifestSegment[];
}

/** Reads the files also where this process knows their parts. Throws for a damaged root. */
export function readMendable(runFolder: string): MendableManifest {
  const root = rootOf(runFolder);
  const damaged: ManifestSegment[] = [];
  const parts = (root.segments ?? []).map((segment) => {
    const found = intactSegment(runFolder, segment);
    if (found === null) damaged.push(segment);
    return found ?? [];
  });
  return { manifest: joinedManifest(root, parts), damaged };
}

/** Null if it is missing or damaged. */
function intactSegment(runFolder: string, segment: ManifestSegment): readonly ManifestPart[] | null {
  try {
    return parseSegment(runFolder, segment, textOf(join(runFolder, segment.file)));
  } catch (error) {
    if (error instanceof CorruptionError) return null;
    throw error;
  }
}

/**
 * Call while holding the run's lock, or for a folder that is not a run yet.
 * @param damaged segments whose files must not stay as they are
 */
export function writeManifest(runFolder: string, manifest: Manifest, damaged: readonly ManifestSegment[] = []): void {
  const old = existsSync(manifestPath(runFolder)) ? (rootOf(runFolder).segments ?? []) : [];
  const spoiled = new Set(damaged.map(({ file }) => file));
  const { root, added } = cutManifest(
    manifest,
    old.filter(({ file }) => !spoiled.has(file)),
  );
  for (const { segment, text } of added)
    writeFileDurably(join(runFolder, segment.file), new TextEncoder().encode(text));
  writeFileDurably(manifestPath(runFolder), new TextEncoder().encode(sealedManifest(root)));
  const named = new Set(root.segments?.map(({ file }) => file));
  for (const { file } of old) {
    if (named.has(file)) continue;
    faultPoint();
    rmSync(join(runFolder, file), { force: true });
  }
}

/** Reads, changes and writes the manifest. Call while holding the run's lock. Returns the written manifest. */
export function changeManifestFile(runFolder: string, change: (manifest: Manifest) => Manifest): Manifest {
  const old = lockedManifest(runFolder);
  const changed = { ...withoutStaleSeal(change(old)), updatedAt: new Date().toISOString() };
  writeManifest(runFolder, changed);
  return changed;
}

/** The ledger of a running run changes with every call, so it has no valid seal. */
const withoutStaleSeal = (manifest: Manifest): Manifest =>
  manifest.state === 'running' && manifest.seals !== undefined
    ? { ...manifest, seals: { ...manifest.seals, [ledgerName]: null } }
    : manifest;
