/** What killed commands left in a runs directory. */
import { basename, join } from 'node:path';
import { diskUse, entriesOf } from './disk-use.ts';
import { isHalfRemoved, type Removable, removed, removeRest, removeWhole } from './removable.ts';

/** Whoever makes a file or folder writes to it again within this time, so older unfinished work is nobody's. */
export const unfinishedMs = 3_600_000;

/** @param nowMs milliseconds since 1970 */
export const directoryLeftovers = (runsDir: string, nowMs: number): Removable[] =>
  entriesOf(runsDir).flatMap((entry) => {
    const path = join(runsDir, entry.name);
    if (isHalfRemoved(entry.name)) return leftover(path, { why: 'left by a gc that was killed', nowMs, restMs: 0 });
    if (entry.isDirectory() && /^\..+-[0-9a-f]{12}$/.test(entry.name))
      return leftover(path, { why: 'a run that was never created to its end', nowMs });
    return /^\.store-[0-9a-f-]{36}/.test(entry.name) ? leftover(path, { why: 'a half-written file', nowMs }) : [];
  });

export interface LeftoverRule {
  readonly why: string;
  readonly nowMs: number;
  /** How long it must have been left alone, milliseconds; default: an hour. */
  readonly restMs?: number;
}

/** Empty for a link, for what another file system is mounted in, and for what changed lately. */
export function leftover(path: string, { why, nowMs, restMs = unfinishedMs }: LeftoverRule): Removable[] {
  const use = diskUse(path);
  if (use === null || use.mountedAt !== null || nowMs - use.changedMs < restMs) return [];
  const remove = isHalfRemoved(basename(path)) ? removeRest : removeWhole;
  const isLeft = (): boolean => nowMs - (diskUse(path)?.changedMs ?? 0) >= restMs;
  return [
    {
      kind: 'orphan',
      name: basename(path),
      path,
      bytes: use.bytes,
      why,
      remove: async () => (isLeft() ? removed(() => remove(path)) : 'changed meanwhile'),
    },
  ];
}
