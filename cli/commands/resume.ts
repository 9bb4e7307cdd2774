/** `resume`: goes on with a run from its folder alone. */
import { openPlanned } from '../../activities/plan-run.ts';
import { readManifestToGoOn } from '../../activities/storage/manifest-file.ts';
import { unsealLedger } from '../../activities/storage/seals.ts';
import { carryOut, endOfFinished } from '../carry-out.ts';
import type { ExitStatus } from '../exit-status.ts';
import { findRun } from '../run-folders.ts';
import type { Terminal } from '../terminal.ts';

export async function resume(id: string, { runsDir }: { runsDir: string }, terminal: Terminal): Promise<ExitStatus> {
  const { folder } = await findRun(runsDir, id);
  const manifest = await readManifestToGoOn(folder);
  if (manifest.state === 'complete') {
    terminal.note(`run "${id}" is finished already`);
    return endOfFinished({ folder, runsDir }, terminal);
  }
  await unsealLedger(folder);
  return carryOut({ runsDir, folder, manifest, ledger: await openPlanned(folder, manifest) }, terminal);
}
