/** Folders that sandboxes and comparisons of this user left in the system's folder for temporary files. */
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { isOwnerGone } from '../../activities/sandboxes/slot-folders.ts';
import { entriesOf } from '../../activities/storage/gc/disk-use.ts';
import { leftover, unfinishedMs } from '../../activities/storage/gc/leftovers.ts';
import type { Removable } from '../../activities/storage/gc/removable.ts';

/** Folders of commands, and input files of batches. */
const ofCommands = /^evenkeel-(?:(?:image|multiverse)-[A-Za-z0-9]{6}|batch-[0-9a-f-]{36}\.jsonl)$/;

export const temporaryLeftovers = (folder: string, nowMs: number): Removable[] =>
  entriesOf(folder).flatMap(({ name }) => {
    const path = join(folder, name);
    if (lstatSync(path, { throwIfNoEntry: false })?.uid !== process.getuid?.()) return [];
    if (isOwnerGone(name)) return leftover(path, { why: 'of a sandbox whose process has ended', nowMs, restMs: 0 });
    if (!ofCommands.test(name)) return [];
    return leftover(path, { why: 'of a command that was killed', nowMs, restMs: 24 * unfinishedMs });
  });
