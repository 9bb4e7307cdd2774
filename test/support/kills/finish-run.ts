/**
 * Seals the pages of a fully answered run and finishes it, with the program's steps but without Temporal. A fault point
 * can interrupt it.
 */
import { join } from 'node:path';
import { folderHome } from '../../../activities/storage/home/folder-home.ts';
import { createAccounts } from '../../../activities/calls/accounts/accounts.ts';
import type { Heartbeat } from '../../../activities/heartbeat.ts';
import { createSeal } from '../../../activities/record.ts';
import { repairBeforeSweep } from '../../../activities/runs/repair-run.ts';
import { createRuns } from '../../../activities/runs/runs.ts';
import { readManifest } from '../../../activities/storage/manifest-file.ts';
import { setRunState } from '../../../activities/storage/manifest.ts';
import { ownerLock } from '../../../activities/storage/catalog/owner-lock.ts';
import { openRunLedger } from '../../../activities/storage/run-ledger.ts';
import { removeOrphans } from '../../../activities/storage/parts/settle-parts.ts';
import { createSweep } from '../../../activities/sweep.ts';
import { tables } from '../../../schemas/tables.ts';

/**
 * @param only pages to seal; default: all open ones
 * @param mergedPages as many sealed pages of a lane are merged at once; default: only at the end
 */
export async function finishRun(
  runsDir: string,
  runId: string,
  only?: readonly string[],
  mergedPages?: number,
): Promise<void> {
  const folder = join(runsDir, runId);
  const manifest = await readManifest(folder);
  const ownership = await ownerLock(folder).take();
  if (ownership === null) throw new Error(`${folder} has an owner`);
  const ledger = await openRunLedger(folder, manifest);
  const taken = { runsDir, runId, uuid: manifest.uuid, ledger };
  await repairBeforeSweep(taken);
  await setRunState(folderHome(folder), 'running', null);
  const ref = { runId, uuid: manifest.uuid, epoch: await ledger.takeOver('a test') };
  await removeOrphans(folder, ledger, Object.keys(tables));
  const runs = createRuns({ runsDir, accounts: createAccounts(null) });
  const heartbeat: Heartbeat = (work) => work(new AbortController().signal, { step: '1', attempt: 1 });
  const { revisions } = await runs.open(ref);
  const planned = revisions.flatMap(({ pages }) => pages);
  const states = await ledger.pageStates(planned.map(({ page }) => page));
  const open = planned.filter(({ page }) => states.get(page) === 'open');
  const wanted = open.map(({ page }) => page).filter((page) => only?.includes(page) ?? true);
  for (const page of wanted)
    await createSeal({ runs, heartbeat, mergedPages: mergedPages ?? null }).sealPage({ run: ref, page });
  const left = open.length - wanted.length;
  await createSweep({ runsDir, runs, heartbeat }).finishSweep({
    run: ref,
    report: { sealed: wanted.length, stopped: left === 0 ? {} : { paused: left }, failed: 0 },
  });
  await runs.close();
  await ledger.close();
  await ownership.release();
}

const [runsDir, runId, mergedPages] = process.argv.slice(2);
if (import.meta.main && runsDir !== undefined && runId !== undefined)
  await finishRun(runsDir, runId, undefined, mergedPages === undefined ? undefined : Number(mergedPages));
