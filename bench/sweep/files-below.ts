import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Paths of all files in a folder and below; none if it does not exist. */
export const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
