/** The runs of a database: a row for each, with the root of its manifest; inputs, tables and segments are blobs. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { InputError } from '../../../../domain/errors.ts';
import { sha256 } from '../../../../domain/ids.ts';
import { cutManifest, joinedManifest, knownSegment, parseSegment } from '../../../../domain/manifest-segments.ts';
import { parseWholeManifest, sealedManifest } from '../../../../domain/whole-manifest.ts';
import type { Manifest } from '../../../../schemas/manifest.ts';
import { blobsBelow } from '../../blobs/blobs-below.ts';
import type { BlobStore } from '../../blobs/blob-store.ts';
import { unknownRun } from '../../catalog/unknown-run.ts';
import { checkedRunId } from '../../catalog/run-id.ts';
import { type FoundRun, refuseCopy, type RunCatalog } from '../../catalog/run-catalog.ts';
import type { Postgres } from '../postgres.ts';
import { postgresOwnership } from './ownership.ts';
import { filesInto, manifestInto } from './run-cache.ts';

interface RunRow {
  readonly place: string;
  readonly manifest: string;
}

/** @param cache a folder of this machine, for copies of what is read as files; it may be emptied when nothing runs */
export function postgresCatalog(database: Postgres, blobs: BlobStore, cache: string): RunCatalog {
  const copies = join(cache, 'runs', sha256(database.name).slice(0, 12));
  const ids = async (): Promise<string[]> =>
    (await database.query<{ readonly id: string }>('select id from run')).map(({ id }) => id);
  const row = async (id: string): Promise<RunRow | undefined> =>
    (await database.query<RunRow>('select place, manifest from run where id = $1', [checkedRunId(id)]))[0];
  const known = async (id: string): Promise<RunRow> => {
    const found = await row(id);
    if (found === undefined) throw new InputError(unknownRun(id, database.name, await ids()));
    return found;
  };

  async function find(id: string): Promise<FoundRun> {
    const { place, manifest: text } = await known(id);
    const own = blobsBelow(blobs, place);
    const manifest = await wholeManifest(own, `${database.name} run ${id}`, text);
    const folder = join(copies, place);
    manifestInto(folder, manifest);
    return { folder, manifest, fetch: (files) => filesInto(folder, own, files) };
  }

  return {
    ids,
    has: async (id) => (await row(id)) !== undefined,
    // A run is a row, or there is none.
    brokenIds: async () => [],
    find,
    findToChange: async (id) => refuseCopy(id, await find(id), 'make a run of that name'),
    async create(id, fill) {
      if ((await row(id)) !== undefined) throw alreadyThere(id);
      const place = `runs/${randomUUID()}`;
      const own = blobsBelow(blobs, place);
      const manifest = await fill(own);
      // Blobs first: a row never names one that is missing.
      const root = await storedRoot(own, manifest);
      if (!(await inserted(database, id, place, root))) throw alreadyThere(id);
      return manifest;
    },
    ownership: (id) => postgresOwnership(database, id, async () => void (await known(id))),
  };
}

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

async function storedRoot(blobs: BlobStore, manifest: Manifest): Promise<string> {
  const { root, added } = cutManifest(manifest, []);
  for (const { segment, text } of added) {
    const bytes = new TextEncoder().encode(text);
    await blobs.putImmutable(segment.file, bytes, sha256(bytes));
  }
  return sealedManifest(root);
}

/** False if another process has created a run of this name. */
const inserted = (database: Postgres, id: string, place: string, root: string): Promise<boolean> =>
  database.transaction(async (query) => {
    const sql = 'insert into run (id, place, manifest) values ($1, $2, $3) on conflict (id) do nothing returning id';
    return (await query(sql, [id, place, root])).length === 1;
  });

const alreadyThere = (id: string): InputError =>
  new InputError(`run "${id}" already exists: perhaps another process has just created it; see \`evenkeel status\``);
