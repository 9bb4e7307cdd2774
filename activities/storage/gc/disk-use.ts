/** What files and folders take on disk, without following links. */
import { type Dirent, lstatSync, readdirSync, type Stats } from 'node:fs';
import { join } from 'node:path';

export interface DiskUse {
  readonly bytes: number;
  /** Latest change of anything in it, milliseconds since 1970. */
  readonly changedMs: number;
  /** A folder below it that another file system is mounted on; what lies there is somebody else's. */
  readonly mountedAt: string | null;
}

/** Null if there is nothing, or only a link. Files that vanish meanwhile do not count. */
export function diskUse(path: string): DiskUse | null {
  const stats = statsOf(path);
  if (stats === null || stats.isSymbolicLink()) return null;
  const use = { bytes: 0, changedMs: 0, mountedAt: null as string | null };
  const add = (at: string, { dev, blocks, mtimeMs }: Stats): void => {
    if (dev !== stats.dev) use.mountedAt = at;
    use.bytes += blocks * 512;
    // The system clock as JavaScript reads it has whole milliseconds, a file time has parts of one.
    use.changedMs = Math.max(use.changedMs, Math.floor(mtimeMs));
  };
  add(path, stats);
  if (stats.isDirectory()) for (const { at, stats: each } of below(path)) add(at, each);
  return use;
}

/** Everything below a folder, with the paths of links but nothing behind them. */
export function* below(folder: string): Generator<{ readonly at: string; readonly stats: Stats }> {
  for (const entry of entriesOf(folder)) {
    const at = join(folder, entry.name);
    const stats = statsOf(at);
    if (stats === null) continue;
    yield { at, stats };
    if (stats.isDirectory()) yield* below(at);
  }
}

/** Entries of a folder; none if it is a link, or is gone or may not be read. */
export function entriesOf(folder: string): Dirent[] {
  try {
    return lstatSync(folder).isDirectory() ? readdirSync(folder, { withFileTypes: true }) : [];
  } catch {
    return [];
  }
}

const statsOf = (path: string): Stats | null => lstatSync(path, { throwIfNoEntry: false }) ?? null;
