/**
 * A run on servers: a row with the root of its manifest, the ledger's rows, and blobs for all files. A folder of this
 * machine has copies of the files that something here reads or writes as files.
 */
import { basename } from 'node:path';
import { InputError } from '../../../../domain/errors.ts';
import { sha256 as sha256Of } from '../../../../domain/ids.ts';
import type { Manifest } from '../../../../schemas/manifest.ts';
import { blobsBelow } from '../../blobs/blobs-below.ts';
import { putBack } from '../../blobs/put-back.ts';
import type { PartRecord } from '../../ledger/records.ts';
import type { BlobStore } from '../../blobs/blob-store.ts';
import { writeFileDurably } from '../../files/durable-file.ts';
import { makeFolder } from '../../files/make-folder.ts';
import type { MendedSegments, PartKeeper, RunFile, RunHome, Seals } from '../../home/run-home.ts';
import type { Dump } from '../../ledger/dump.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { stagePart } from '../../parts/parts.ts';
import type { ReplyReader } from '../../reply-reader.ts';
import type { Postgres } from '../postgres.ts';
import { numberOf } from '../ledger/open-ledger.ts';
import { readDump } from '../ledger/dump/read-dump.ts';
import { changeManifest, type Manifests, mendSegments, readManifest } from './postgres-manifest.ts';
import { filesInto } from './run-cache.ts';

export interface RunOnServers {
  readonly id: string;
  readonly database: Postgres;
  /** Of all runs. */
  readonly blobs: BlobStore;
  /** For copies of this run's files. */
  readonly folder: string;
  readonly openLedger: (database: Postgres, id: string) => Promise<Ledger>;
  /** Rejects with `InputError` for an unknown run. */
  readonly row: () => Promise<RunRow>;
}

export interface RunRow {
  /** Below which key its blobs are. */
  readonly place: string;
  /** The root. */
  readonly manifest: string;
}

export function postgresHome(run: RunOnServers): RunHome {
  const { id, database, folder } = run;
  const own = ownBlobs(run);
  const openLedger = (): Promise<Ledger> => run.openLedger(database, id);
  const manifests = { id, database, blobs: own, root: async () => (await run.row()).manifest };
  const manifest = async (): Promise<Manifest> => {
    const found = await readManifest(manifests);
    makeFolder(folder);
    return found;
  };
  const fetch = (files: readonly RunFile[]): Promise<void> => filesInto(folder, own, files);
  return {
    folder,
    place: database.name,
    isOnServers: true,
    blobs: own,
    manifest,
    changeManifest: (change) => changeManifest(manifests, change),
    async withManifestLock(work) {
      const ledger = await openLedger();
      try {
        return await ledger.withManifestLock(work);
      } finally {
        await ledger.close();
      }
    },
    openLedger,
    openAnyLedger: openLedger,
    openLedgerToLook: openLedger,
    // The server checks its pages.
    refuseMalformed: async () => {},
    ledgerFault: (error) => error,
    dumpLedger: () => dumpOf(run),
    openReplies: () => repliesOf(openLedger),
    hasReplies: () =>
      run.row().then(
        () => true,
        () => false,
      ),
    fetch,
    async tables(isWanted = () => true) {
      const current = await manifest();
      await fetch(current.parts.filter(isWanted).map(({ path: file, sha256 }) => ({ file, sha256 })));
      return { folder, manifest: current };
    },
    // Its rows and blobs stay where they are while it is used.
    refuseMoved: () => {},
    parts: { ...partsOf(folder, own), mendSegments: () => mended(manifests, openLedger) },
    seals: noSeals(folder),
  };
}

async function mended(manifests: Manifests, openLedger: () => Promise<Ledger>): Promise<MendedSegments> {
  const ledger = await openLedger();
  try {
    return await mendSegments(manifests, ledger);
  } finally {
    await ledger.close();
  }
}

async function* dumpOf({ database, id }: RunOnServers): Dump {
  yield* readDump(database, await numberOf(database, id));
}

/** The run's blobs; its place among those of all runs is read at the first use. */
function ownBlobs({ blobs, row, id, database }: RunOnServers): BlobStore {
  let placed: Promise<BlobStore> | undefined;
  let prefix: string | null = null;
  const own = (): Promise<BlobStore> => {
    placed ??= row().then(({ place }) => {
      prefix = place;
      return blobsBelow(blobs, place);
    });
    placed.catch(() => (placed = undefined));
    return placed;
  };
  return {
    putImmutable: async (key, bytes, sha256) => (await own()).putImmutable(key, bytes, sha256),
    get: async (key) => (await own()).get(key),
    head: async (key) => (await own()).head(key),
    list: async (start) => (await own()).list(start),
    getRoot: async (key) => (await own()).getRoot(key),
    compareAndSwap: async (key, etag, bytes) => (await own()).compareAndSwap(key, etag, bytes),
    remove: async (key) => (await own()).remove(key),
    placeOf: (key) =>
      prefix === null ? `${key} of run "${id}" in ${database.name}` : blobs.placeOf(`${prefix}/${key}`),
  };
}

/** Registered parts are in the bucket: they are stored there before they are registered, and nothing moves them. */
const partsOf = (folder: string, blobs: BlobStore): Omit<PartKeeper, 'mendSegments'> => ({
  stage(stem, description, rows, bytes) {
    const { record, durable, publish, discard } = stagePart(folder, stem, description, rows, bytes);
    const stored = putBack(blobs, record.path, bytes, record.sha256);
    const both = Promise.all([durable, stored]).then(() => {});
    // Avoids an unhandled rejection if nobody awaits it because something else failed first.
    both.catch(() => {});
    return { record, durable: both, publish, discard };
  },
  setAside: () => {},
  isInPlace: () => true,
  settle: async () => [],
  async damaged(ledger, reads) {
    const sizes = new Map((await blobs.list('')).map(({ key, bytes }) => [key, bytes]));
    const found: PartRecord[] = [];
    for (const part of await ledger.parts())
      if (sizes.get(part.path) !== part.bytes || (reads && !(await isWhole(blobs, part)))) found.push(part);
    return found;
  },
  removeOrphans: async () => {},
  removeSpent: () => {},
});

async function isWhole(blobs: BlobStore, { path, sha256 }: PartRecord): Promise<boolean> {
  const bytes = await blobs.get(path);
  return bytes !== null && sha256Of(bytes) === sha256;
}

/** Rows have no file whose bytes could be sealed; a report is written to the folder of copies. */
const noSeals = (folder: string): Seals => ({
  seal: async () => {},
  refuseBroken: () => {},
  unseal: async () => {},
  without: (manifest) => manifest,
  isSealed: () => true,
  async write(file, text) {
    makeFolder(folder);
    writeFileDurably(file, new TextEncoder().encode(text));
  },
  async acceptLosses(only) {
    if (only === undefined)
      throw new InputError(
        `${basename(folder)} is on servers, where no reply is lost unless the database is: restore it from a backup`,
      );
    return 0;
  },
  isDamaged: () => false,
  hasBrokenViews: () => false,
});

function repliesOf(open: () => Promise<Ledger>): ReplyReader {
  let opened: Promise<Ledger> | undefined;
  return {
    async reply(callKey) {
      opened ??= open();
      opened.catch(() => (opened = undefined));
      return (await opened).reply(callKey).catch(() => undefined);
    },
    close: () => void opened?.then((ledger) => ledger.close()).catch(() => {}),
  };
}
