/**
 * Where one run is kept: its manifest, ledger, inputs and parts. A folder, or servers with copies in a folder of this
 * machine. Whoever works on a run gets its home from the catalog, and knows neither.
 */
import type { RunTables } from '../../../analysis/run-folder.ts';
import type { Manifest } from '../../../schemas/manifest.ts';
import type { BlobStore } from '../blobs/blob-store.ts';
import type { Dump } from '../ledger/dump.ts';
import type { Ledger, LedgerLook } from '../ledger/ledger.ts';
import type { PartRecord } from '../ledger/records.ts';
import type { ReplyReader } from '../reply-reader.ts';
import type { PartDescription, StagedPart } from '../parts/parts.ts';

/** A file of a run that its manifest or ledger lists. */
export interface RunFile {
  /** Its path within the run. */
  readonly file: string;
  readonly sha256: string;
}

type ManifestPart = Manifest['parts'][number];

export interface RunHome {
  /** Where this machine has the run's files: all of them, or copies of those that were fetched. */
  readonly folder: string;
  /** For people. */
  readonly place: string;
  /** Whether hosts share the run: then paths of this machine mean nothing in it. */
  readonly isOnServers: boolean;
  /** The run's inputs. */
  readonly blobs: BlobStore;

  /** Rejects with `InputError` or `CorruptionError` for a manifest that cannot be read. */
  manifest(): Promise<Manifest>;
  /** Call while holding the manifest's lock, of this home or of the ledger. Returns the written manifest. */
  changeManifest(change: (manifest: Manifest) => Manifest): Promise<Manifest>;
  /** As the ledger's, for callers that have not opened it. */
  withManifestLock<T>(work: () => Promise<T>): Promise<T>;

  /** Rejects with `CorruptionError` if the ledger is missing, or lacks data that the run already had. */
  openLedger(manifest: Manifest): Promise<Ledger>;
  /**
   * Before anything is asked: rejects with `CorruptionError` if pages of the ledger's file are damaged.
   * @param onLook called with the size of a file that is read for it
   */
  refuseMalformed(onLook: (bytes: number) => void): Promise<void>;
  /** What is to be thrown where an error may come from the ledger. */
  ledgerFault(error: unknown): unknown;
  /** Without these checks. */
  openAnyLedger(): Promise<Ledger>;
  /** For looks that change nothing; close it before another process begins to work on the run. */
  openLedgerToLook(): Promise<LedgerLook>;

  /** All of the ledger's rows, for a copy in another store, while no process works on the run. */
  dumpLedger(): Dump;

  /** For other runs, which take answers over. Nothing is opened before the first is asked for. */
  openReplies(): ReplyReader;
  hasReplies(): Promise<boolean>;

  /** Afterwards the folder has these files. Rejects with `CorruptionError` for one that the run has no more. */
  fetch(files: readonly RunFile[]): Promise<void>;
  /** For readers of tables. Afterwards the folder has these parts of the manifest. */
  tables(isWanted?: (part: ManifestPart) => boolean): Promise<RunTables>;
  /** Throws `CorruptionError` if the run was moved or removed, so that nothing creates half a run in its place. */
  refuseMoved(): void;

  readonly parts: PartKeeper;
  readonly seals: Seals;
}

/** The files of parts. A name never refers to different bytes. */
export interface PartKeeper {
  /** Its name becomes `<stem>.r<revision>.<sha12>.parquet`. Only when it is durable may the ledger register it. */
  stage(stem: string, description: PartDescription, rows: number, bytes: Uint8Array): StagedPart;
  /** Takes replaced parts from where readers look for parts. @param paths theirs until then */
  setAside(paths: readonly string[]): void;
  /** Whether a registered part is where readers look for it; a killed process may not have put it there. */
  isInPlace(path: string): boolean;
  /** Puts registered parts in place; returns those that are missing. */
  settle(ledger: Pick<Ledger, 'parts' | 'supersededParts'>): Promise<readonly PartRecord[]>;
  /**
   * Registered parts that are missing or have other bytes.
   * @param reads also where every part must be fetched for it: else by its size
   */
  damaged(ledger: Pick<Ledger, 'parts' | 'supersededParts'>, reads: boolean): Promise<readonly PartRecord[]>;
  /** As the run's owner, while no worker works: removes temporary files of killed attempts. */
  removeOrphans(ledger: Pick<Ledger, 'parts' | 'withManifestLock'>, tableNames: readonly string[]): Promise<void>;
  /** Removes the files of spent parts. @param paths where they were moved to */
  removeSpent(paths: readonly string[]): void;
  /** As the run's owner: makes damaged segments of the manifest again. */
  mendSegments(): Promise<MendedSegments>;
}

/** Files of segments that were damaged. */
export interface MendedSegments {
  /** With the bytes that they had. */
  readonly restored: readonly string[];
  /** What they listed is in others now. */
  readonly replaced: readonly string[];
}

/** The SHA-256 of files that change, taken when nothing writes to them; a home without such files has none. */
export interface Seals {
  /** Seals the ledger of a run that no process owns. */
  seal(): Promise<void>;
  /** Call before a copy gets a seal of its own. Throws as `unseal`. */
  refuseBroken(manifest: Manifest): void;
  /** Call before a sealed ledger is changed. Rejects with `CorruptionError` if it does not match its seal. */
  unseal(): Promise<void>;
  /** The manifest of an unsealed ledger, for a caller that holds the manifest's lock. Throws as `unseal`. */
  without(manifest: Manifest): Manifest;
  /** Whether the run ended and nothing has changed its ledger since. */
  isSealed(manifest: Manifest): boolean;
  /** Writes a file of the run's folder with its seal. */
  write(file: string, text: string): Promise<void>;
  /** Accepts that paid replies are missing; resolves to how many are. */
  acceptLosses(only?: 'if the count is damaged'): Promise<number>;
  /** Whether a finished run has lost a file that can be made again. Reads all parts: a second per gigabyte. */
  isDamaged(manifest: Manifest): boolean;
  /** Whether `views.sql` of a run that has ended is missing or changed. */
  hasBrokenViews(manifest: Manifest): boolean;
}
