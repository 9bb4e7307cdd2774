/** A run folder as a reader sees it: its manifest, checked, and the parts that it lists. */
import { readFile, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { z } from 'zod';
import { supersededPath } from '../domain/part-paths.ts';
import { CorruptionError, InputError } from '../domain/errors.ts';
import { type Manifest, manifestSchema } from '../schemas/manifest.ts';
import { type Table, tables } from '../schemas/tables.ts';

export type ManifestPart = Manifest['parts'][number];

export interface RunFolder {
  /** Absolute. */
  readonly folder: string;
  readonly manifest: Manifest;
}

/**
 * Reads `manifest.json` and checks that every listed part is there in full. Throws `InputError` with what to do.
 * @param isWanted parts that are left out are not looked at
 */
export async function readRunFolder(path: string, isWanted: (part: ManifestPart) => boolean = () => true): Promise<RunFolder> {
  const folder = resolve(path);
  const text = await manifestText(folder);
  const manifest = parseManifest(text, join(folder, 'manifest.json'));
  try {
    const parts = await Promise.all(manifest.parts.filter(isWanted).map((part) => placedPart(folder, part)));
    return { folder, manifest: { ...manifest, parts } };
  } catch (error) {
    // Parts may have been replaced since the manifest was read.
    if ((await manifestText(folder)) !== text) return readRunFolder(path, isWanted);
    throw error;
  }
}

/** A part that a newer one stands for is listed until the next manifest, while it lies out of its table's folder already. */
async function placedPart(folder: string, part: ManifestPart): Promise<ManifestPart> {
  refuseNewerTable(folder, part);
  const bytes = await sizeOf(join(folder, part.path));
  const moved = supersededPath(part.path);
  if (bytes === null && (await sizeOf(join(folder, moved))) === part.bytes) return { ...part, path: moved };
  if (bytes === part.bytes) return part;
  throw new CorruptionError(
    join(folder, part.path),
    `the manifest lists ${part.bytes} bytes, found ${bytes ?? 'no file'}`,
    `\`evenkeel verify ${basename(folder)} --repair\` makes it again from the ledger`,
  );
}

/** Null where there is no file. */
const sizeOf = async (file: string): Promise<number | null> => (await stat(file).catch(() => null))?.size ?? null;

/** The parts of one table that count: of each page, those of its newest revision. */
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
    throw new InputError('no such file: a run folder holds manifest.json (see `evenkeel status` for the runs there are)', { file });
  });
}

function parseManifest(text: string, file: string): Manifest {
  const json = parseJson(text, file);
  if (formatOf(json) !== 1)
    throw new InputError(`run format ${JSON.stringify(formatOf(json))}; this program reads format 1: use the evenkeel that wrote the run`, {
      file,
    });
  const parsed = manifestSchema.safeParse(json);
  if (!parsed.success) throw new InputError(`not a manifest: ${z.prettifyError(parsed.error)}`, { file });
  return parsed.data;
}

function parseJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const found = text.trim() === '' ? 'an empty file' : `a text that is cut off or changed (${(cause as Error).message})`;
    throw new InputError(`a manifest is JSON, got ${found}; put it back from a copy of the run`, { file });
  }
}

const formatOf = (json: unknown): unknown =>
  typeof json === 'object' && json !== null && 'formatVersion' in json ? json.formatVersion : null;

function refuseNewerTable(folder: string, part: ManifestPart): void {
  const known: Table | undefined = Object.hasOwn(tables, part.table) ? tables[part.table as keyof typeof tables] : undefined;
  if (known === undefined || part.schemaVersion <= known.schemaVersion) return;
  throw new InputError(
    `table ${part.table} has schema version ${part.schemaVersion}, this program knows up to ${known.schemaVersion}: update evenkeel`,
    { file: join(folder, part.path) },
  );
}
