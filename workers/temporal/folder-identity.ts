/**
 * Tells a folder from its copies. Files in it that name processes are copied too, and those processes belong to the
 * folder that was copied. A folder that is moved or reached by a link stays the same.
 */
import { statSync } from 'node:fs';

export interface FolderIdentity {
  readonly device: string;
  readonly inode: string;
}

/** Null if there is no such folder. */
export function identifyFolder(folder: string): FolderIdentity | null {
  const found = statSync(folder, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? null : { device: String(found.dev), inode: String(found.ino) };
}

/** Whether a file that notes `noted` was written for this folder; true if it notes none, as earlier versions did. */
export function isNotedFor(folder: string, noted: FolderIdentity | undefined): boolean {
  if (noted === undefined) return true;
  const here = identifyFolder(folder);
  return here !== null && here.inode === noted.inode && here.device === noted.device;
}

/** Whether it was surely written for another folder: a disk may get another device number when it is mounted again. */
export const isNotedElsewhere = (folder: string, noted: FolderIdentity | undefined): boolean =>
  noted !== undefined && identifyFolder(folder)?.inode !== noted.inode;
