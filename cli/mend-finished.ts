/** Before a finished run is shown: what its folder has lost since is made again from the ledger. */
import { basename, dirname } from 'node:path';
import { repairText } from '../activities/runs/repair-parts.ts';
import { repairFinished } from '../activities/runs/repair-run.ts';
import { readManifest } from '../activities/storage/manifest-file.ts';
import { hasDamagedPart } from '../activities/storage/parts/part-damage.ts';
import { hasBrokenViews } from '../activities/storage/seals.ts';
import type { Terminal } from './output/terminal.ts';

/** Throws `CorruptionError` if the ledger lacks the data of a damaged part. */
export async function mendFinished(folder: string, terminal: Terminal): Promise<void> {
  const manifest = await readManifest(folder);
  if (!hasDamagedPart(folder, manifest) && !hasBrokenViews(folder, manifest)) return;
  const text = repairText(await repairFinished(dirname(folder), basename(folder)));
  if (text !== null) terminal.note(text);
}
