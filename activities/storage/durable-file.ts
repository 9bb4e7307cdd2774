/** Files that are there whole or not at all, also after a power cut: write aside, fsync, rename, fsync the folder. */
import { closeSync, existsSync, fsync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { faultPoint } from './fault-point.ts';
import { makeFolder } from './make-folder.ts';

/** The file operations that durability rests on, so that a test can watch their order. */
export const nodeDisk = { openSync, writeSync, fsync, fsyncSync, closeSync, renameSync, rmSync };
export type Disk = typeof nodeDisk;

/** A file that lies under a temporary name until it is published. */
export interface StagedFile {
  /** Resolves when its bytes are on disk; rejects with the system's error. */
  readonly durable: Promise<void>;
  /** Moves it to its name, replacing what is there; durable when it returns. Throws before `durable` has resolved. */
  publish(): void;
  discard(): void;
}

let staged = 0;

/** Whether `name` is one under which `file` (a name in the same folder) lies until it is published. */
export const isAsideOf = (name: string, file: string): boolean => name.startsWith(`${file}.`) && name.endsWith('.tmp');

/** A name beside `path` that no other process uses and that no `*.parquet` or `*.json` glob matches. */
function nameAside(path: string): string {
  makeFolder(dirname(path));
  staged += 1;
  return `${path}.${process.pid}-${staged}.tmp`;
}

/** Writes `bytes` beside `path`. The event loop goes on while the disk makes them durable, which takes a busy one a tenth of a second. */
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
  // Told to whoever waits for it, and to nobody where something else failed before.
  durable.catch(() => {});
  return {
    durable,
    publish() {
      if (!isDurable) throw new Error(`${path} was to be published before its bytes are on disk`);
      try {
        rename(aside, path, disk);
      } catch (error) {
        // Who took the run over meanwhile may have published it.
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
  const aside = nameAside(path);
  withDescriptor(aside, 'w', disk, (descriptor) => {
    writeAll(descriptor, bytes, disk);
    faultPoint();
    disk.fsyncSync(descriptor);
  });
  rename(aside, path, disk);
}

function rename(aside: string, path: string, disk: Disk): void {
  faultPoint();
  disk.renameSync(aside, path);
  fsyncFolder(dirname(path), disk);
}

/** Gives a file another name, in a folder that is made where it is not there; durable in both folders when it returns. */
export function moveDurably(from: string, to: string, disk: Disk = nodeDisk): void {
  makeFolder(dirname(to));
  rename(from, to, disk);
  if (dirname(from) !== dirname(to)) fsyncFolder(dirname(from), disk);
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
