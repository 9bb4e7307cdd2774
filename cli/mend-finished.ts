/** Before a finished run is shown: what its folder lacks is made again from the ledger, if it can be. */
import { repairText } from '../activities/runs/repair-parts.ts';
import { repairFinished } from '../activities/runs/repair-run.ts';
import type { RunHome } from '../activities/storage/home/run-home.ts';
import type { Terminal } from './output/terminal.ts';

/** Throws `CorruptionError` if the ledger lacks the data of a damaged part. */
export async function mendFinished(runsDir: string, home: RunHome, terminal: Terminal): Promise<void> {
  const manifest = await home.manifest();
  if (!home.seals.isDamaged(manifest) && manifest.missingTables === undefined) return;
  const text = repairText(await repairFinished(runsDir, manifest.runId));
  if (text !== null) terminal.note(text);
}
