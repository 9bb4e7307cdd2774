/** A run folder as a reader sees it: its manifest, checked, and the parts that it lists. */
import { readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { CorruptionError, InputError } from '../domain/errors.ts';
import { type Manifest, manifestSchema } from '../schemas/manifest.ts';
import { type Table, tables } from '../schemas/tables.ts';

export type ManifestPart = Manifest['parts'][number];

export interface RunFolder {
  /** Absolute. */
  readonly folder: string;
  readonly manifest: Manifest;
}

/** Reads `manifest.json` and checks that every listed part is there in full. Throws `InputError` with what to do. */
export async function readRunFolder(path: string): Promise<RunFolder> {
  const folder = resolve(path);
  const manifest = parseManifest(await manifestText(folder), join(folder, 'manifest.json'));
  await Promise.all(manifest.parts.map((part) => checkPart(folder, part)));
  return { folder, manifest };
}

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

async function checkPart(folder: string, part: ManifestPart): Promise<void> {
  const file = join(folder, part.path);
  const known: Table | undefined = Object.hasOwn(tables, part.table) ? tables[part.table as keyof typeof tables] : undefined;
  if (known !== undefined && part.schemaVersion > known.schemaVersion) {
    throw new InputError(
      `table ${part.table} has schema version ${part.schemaVersion}, this program knows up to ${known.schemaVersion}: update evenkeel`,
      { file },
    );
  }
  const found = await stat(file).catch(() => null);
  if (found?.size === part.bytes) return;
  throw new CorruptionError(
    file,
    `the manifest lists ${part.bytes} bytes, found ${found === null ? 'no file' : found.size}`,
    'put it back from a copy; `evenkeel verify` checks the whole run',
  );
}
