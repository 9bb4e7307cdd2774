/** Names the build of this program: the same for copies of the same sources, whatever their folder. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { programVersion } from '../../activities/runs/version.ts';
import { sdkVersion, sourcesOf } from './sources.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const extension = extname(import.meta.url);
/** A worker process with its activities, the workflows, which it loads as a bundle, and the processes that it forks. */
const entries = [
  'workers/main',
  'workflows/index',
  'activities/derive/deriving-process',
  'activities/compact/merging/merging-process',
];
/** Its files start as programs of their own. */
const programs = 'sandbox';

/**
 * Hash of every file that can change what a worker does: its sources with all that they import, the programs that it
 * starts, the versions of the program and of the SDK. Twelve hex digits.
 */
export function buildId(folder = root): string {
  const files = new Map<string, string>();
  for (const entry of entries) sourcesOf(join(folder, `${entry}${extension}`), files);
  for (const path of filesBelow(join(folder, programs)))
    if (!files.has(path)) files.set(path, readFileSync(path, 'utf8'));
  const hash = createHash('sha256').update(`${programVersion} ${sdkVersion()}`);
  for (const [path, text] of [...files].sort(([a], [b]) => (a < b ? -1 : 1)))
    hash.update(`\n${relative(folder, path)} ${text.length}\n`).update(text);
  return hash.digest('hex').slice(0, 12);
}

/** Without what Python compiles. */
const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.pyc'))
    .map((entry) => join(entry.parentPath, entry.name));
