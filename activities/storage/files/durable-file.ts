/**
 * Writes files completely or not at all, even if the power fails: write to a temporary file, fsync,
 * rename, fsync the folder.
 */
import { closeSync, existsSync, fsync, fsyncSync, linkSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { faultPoint } from './fault-point.ts';
import { makeFolder } from './make-folder.ts';

/** The file operations that durability depends on, so that tests can observe their order. */
export const nodeDisk = { openSync, writeSync, fsync, fsyncSync, closeSync, linkSync, renameSync, rmSync };
export type Disk = typeof nodeDisk;

/** A file that has a temporary name until it is published. */
export interface StagedFile {
  /** Resolves when its bytes are on disk; rejects with the system's error. */
  readonly durable: Promise<void>;
  /**
   * Renames it to its final name, replacing any file there; durable on return. Throws if `durable` has not resolved.
   */
  publish(): void;
  discard(): void;
}

let staged = 0;

/** Whether `name` is a temporary name of `file` (in the same folder). */
export const isAsideOf = (name: string, file: string): boolean => name.startsWith(`${file}.`) && name.endsWith('.tmp');

/** A name in the same folder that no other process uses and that no `*.parquet` or `*.json` glob matches. */
function nameAside(path: string): string {
  makeFolder(dirname(path));
  staged += 1;
  return `${path}.${process.pid}-${staged}.tmp`;
}

/**
 * Writes `bytes` to a temporary file next to `path`. The event loop continues while the disk makes them durable, which
 * takes a tenth of a second on a busy disk.
 */
export function stageFile(path: string, bytes: Uint8Array, disk: Disk = nodeDisk): StagedFile {
  const aside = nameAside(path);
  faultPoint();
  const descriptor = disk.openSync(aside, 'w');
  try {
    writeAll(descriptor, bytes, disk);
  } catch (error) {
    disk.closeSync(descriptor);
    disk.rmSync(aside, { force: true });
    throw error;
  }
  let isDurable = false;
  const durable = new Promise<void>((resolve, reject) => {
    faultPoint();
    disk.fsync(descriptor, (error) => {
      disk.closeSync(descriptor);
      isDurable = error === null;
      if (error === null) resolve();
      else reject(error);
    });
  });
  // Avoids an unhandled rejection if nobody awaits `durable` because something else failed first.
  durable.catch(() => {});
  return {
    durable,
    publish() {
      if (!isDurable) throw new Error(`${path} must not be published before its bytes are on disk`);
      try {
        rename(aside, path, disk);
      } catch (error) {
        // A process that took over the run may have published it.
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || !existsSync(path)) throw error;
      }
    },
    discard() {
      faultPoint();
      disk.rmSync(aside, { force: true });
    },
  };
}

export function writeFileDurably(path: string, bytes: Uint8Array, disk: Disk = nodeDisk): void {
  rename(writtenAside(path, bytes, disk), path, disk);
}

/** As `writeFileDurably`, but false, without a change, if the file exists or another process creates it first. */
export function createFileDurably(path: string, bytes: Uint8Array, disk: Disk = nodeDisk): boolean {
  const aside = writtenAside(path, bytes, disk);
  faultPoint();
  try {
    disk.linkSync(aside, path);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    // Some file systems have no links.
    if (code !== 'EEXIST' && !existsSync(path)) {
      rename(aside, path, disk);
      return true;
    }
    disk.rmSync(aside);
    return false;
  }
  faultPoint();
  disk.rmSync(aside);
  fsyncFolder(dirname(path), disk);
  return true;
}

/** Its name. Leaves no file if the disk is full. */
function writtenAside(path: string, bytes: Uint8Array, disk: Disk): string {
  const aside = nameAside(path);
  try {
    withDescriptor(aside, 'w', disk, (descriptor) => {
      writeAll(descriptor, bytes, disk);
      faultPoint();
      disk.fsyncSync(descriptor);
    });
  } catch (error) {
    disk.rmSync(aside, { force: true });
    throw error;
  }
  return aside;
}

function rename(aside: string, path: string, disk: Disk): void {
  faultPoint();
  disk.renameSync(aside, path);
  fsyncFolder(dirname(path), disk);
}

/** Moves a file to another name, creating its folder if needed; durable in both folders on return. */
export function moveDurably(from: string, to: string, disk: Disk = nodeDisk): void {
  makeFolder(dirname(to));
  rename(from, to, disk);
  if (dirname(from) !== dirname(to)) fsyncFolder(dirname(from), disk);
}

/** Moves files to other names, creating their folders if needed; all of them are durable on return. */
export function moveAllDurably(moves: readonly (readonly [from: string, to: string])[], disk: Disk = nodeDisk): void {
  for (const [from, to] of moves) {
    makeFolder(dirname(to));
    faultPoint();
    disk.renameSync(from, to);
  }
  for (const folder of new Set(moves.flat().map(dirname))) fsyncFolder(folder, disk);
}

function writeAll(descriptor: number, bytes: Uint8Array, disk: Disk): void {
  faultPoint();
  let written = 0;
  while (written < bytes.length) written += disk.writeSync(descriptor, bytes, written);
}

/** Makes creations and renames within a folder durable. */
export function fsyncFolder(folder: string, disk: Disk = nodeDisk): void {
  faultPoint();
  withDescriptor(folder, 'r', disk, (descriptor) => disk.fsyncSync(descriptor));
}

function withDescriptor(path: string, flags: string, disk: Disk, work: (descriptor: number) => void): void {
  if (flags === 'w') faultPoint();
  const descriptor = disk.openSync(path, flags);
  try {
    work(descriptor);
  } finally {
    disk.closeSync(descriptor);
  }
}
