/** Files that are there whole or not at all, also after a power cut: write aside, fsync, rename, fsync the folder. */
import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/** The file operations that durability rests on, so that a test can watch their order. */
export const nodeDisk = { openSync, writeSync, fsyncSync, closeSync, renameSync, rmSync };
export type Disk = typeof nodeDisk;

/** A file that lies under a temporary name until it is published. */
export interface StagedFile {
  /** Moves it to its name, replacing what is there; durable when it returns. */
  publish(): void;
  discard(): void;
}

let staged = 0;

/** Writes `bytes` beside `path`, durable under a name that no other process uses and that no `*.parquet` or `*.json` glob matches. */
export function stageFile(path: string, bytes: Uint8Array, disk: Disk = nodeDisk): StagedFile {
  mkdirSync(dirname(path), { recursive: true });
  staged += 1;
  const aside = `${path}.${process.pid}-${staged}.tmp`;
  writeDurably(aside, bytes, disk);
  return {
    publish() {
      disk.renameSync(aside, path);
      fsyncFolder(dirname(path), disk);
    },
    discard() {
      disk.rmSync(aside, { force: true });
    },
  };
}

export function writeFileDurably(path: string, bytes: Uint8Array, disk: Disk = nodeDisk): void {
  stageFile(path, bytes, disk).publish();
}

/** Makes creations and renames within a folder durable. */
export function fsyncFolder(folder: string, disk: Disk = nodeDisk): void {
  withDescriptor(folder, 'r', disk, (descriptor) => disk.fsyncSync(descriptor));
}

function writeDurably(path: string, bytes: Uint8Array, disk: Disk): void {
  withDescriptor(path, 'w', disk, (descriptor) => {
    let written = 0;
    while (written < bytes.length) written += disk.writeSync(descriptor, bytes, written);
    disk.fsyncSync(descriptor);
  });
}

function withDescriptor(path: string, flags: string, disk: Disk, work: (descriptor: number) => void): void {
  const descriptor = disk.openSync(path, flags);
  try {
    work(descriptor);
  } finally {
    disk.closeSync(descriptor);
  }
}
