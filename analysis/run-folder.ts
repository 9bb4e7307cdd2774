/** Reads a run folder: its manifest, checked, and the parts that it lists. */
import { statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { supersededPath } from '../domain/part-paths.ts';
import { CorruptionError, InputError } from '../domain/errors.ts';
import { joinedManifest, knownSegment, type ManifestPart, parseSegment } from '../domain/manifest-segments.ts';
import { parseWholeManifest } from '../domain/whole-manifest.ts';
import type { Manifest, ManifestSegment } from '../schemas/manifest.ts';
import { type Table, tables } from '../schemas/tables.ts';

export type { ManifestPart };

export interface RunFolder {
  /** Absolute. */
  readonly folder: string;
  readonly manifest: Manifest;
}

/** A run's folder; or one with copies of a run's parts and the manifest that lists them. */
export type RunTables = string | RunFolder;

/**
 * Reads `manifest.json` and checks the size of every listed part. Throws `InputError` or `CorruptionError`.
 * @param isWanted selects the parts; the others are not checked
 */
export async function readRunFolder(
  path: RunTables,
  isWanted: (part: ManifestPart) => boolean = () => true,
): Promise<RunFolder> {
  if (typeof path !== 'string') return withPlacedParts(path, isWanted);
  const folder = resolve(path);
  const text = await manifestText(folder);
  const root = parseWholeManifest(text, join(folder, 'manifest.json'));
  try {
    const segments = await Promise.all((root.segments ?? []).map((segment) => readSegment(folder, segment)));
    return await withPlacedParts({ folder, manifest: joinedManifest(root, segments) }, isWanted);
  } catch (error) {
    // Parts and segments may have been replaced since the manifest was read.
    if ((await manifestText(folder)) !== text) return readRunFolder(path, isWanted);
    throw error;
  }
}

async function withPlacedParts(
  { folder, manifest }: RunFolder,
  isWanted: (part: ManifestPart) => boolean,
): Promise<RunFolder> {
  const parts = manifest.parts.filter(isWanted).map((part) => placedPart(folder, part));
  return { folder, manifest: { ...manifest, parts } };
}

const readSegment = async (folder: string, segment: ManifestSegment): Promise<readonly ManifestPart[]> =>
  knownSegment(segment) ??
  parseSegment(folder, segment, await readFile(join(folder, segment.file), 'utf8').catch(missing));

function missing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}

/**
 * A superseded part stays in the manifest until the next one is written, although its file has already moved out of
 * its table's folder.
 */
function placedPart(folder: string, part: ManifestPart): ManifestPart {
  refuseNewerTable(folder, part);
  const bytes = sizeOf(join(folder, part.path));
  const moved = supersededPath(part.path);
  if (bytes === null && sizeOf(join(folder, moved)) === part.bytes) return { ...part, path: moved };
  if (bytes === part.bytes) return part;
  throw new CorruptionError(
    join(folder, part.path),
    `the manifest lists ${part.bytes} bytes, found ${bytes ?? 'no file'}`,
    `run \`evenkeel verify ${basename(folder)} --repair\` to rebuild it from the ledger`,
  );
}

/** In bytes; null if the file does not exist. At once: waiting for each of thousands takes four times as long. */
function sizeOf(file: string): number | null {
  try {
    return statSync(file, { throwIfNoEntry: false })?.size ?? null;
  } catch {
    return null;
  }
}

/** The current parts of one table: for each page, those of its newest revision. */
export function currentParts(manifest: Manifest, table: string): ManifestPart[] {
  const newest = new Map<string, number>();
  const parts = manifest.parts.filter((part) => part.table === table);
  for (const { page, revision } of parts) newest.set(page, Math.max(revision, newest.get(page) ?? 0));
  return parts.filter((part) => part.revision === newest.get(part.page));
}

async function manifestText(folder: string): Promise<string> {
  const file = join(folder, 'manifest.json');
  return readFile(file, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    if (cause.code !== 'ENOENT') throw cause;
    throw new InputError('no such file: a run folder must hold manifest.json (`evenkeel status` lists the runs)', {
      file,
    });
  });
}

function refuseNewerTable(folder: string, part: ManifestPart): void {
  const known: Table | undefined = Object.hasOwn(tables, part.table)
    ? tables[part.table as keyof typeof tables]
    : undefined;
  if (known === undefined || part.schemaVersion <= known.schemaVersion) return;
  throw new InputError(
    `table ${part.table} has schema version ${part.schemaVersion}, but this program supports up to version ` +
      `${known.schemaVersion}; update evenkeel`,
    { file: join(folder, part.path) },
  );
}
