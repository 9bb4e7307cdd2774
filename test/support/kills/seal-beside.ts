/**
 * Two workers of a run at once: one seals pages and merges them, and is killed while it does; the other one seals other
 * pages meanwhile.
 */
import { execFile } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { folderHome } from '../../../activities/storage/home/folder-home.ts';
import { ownerLock } from '../../../activities/storage/catalog/owner-lock.ts';
import { readManifest } from '../../../activities/storage/manifest-file.ts';
import { setRunState } from '../../../activities/storage/manifest.ts';
import { openRunLedger } from '../../../activities/storage/run-ledger.ts';
import type { AnsweredRun } from '../answered-run.ts';
import { expectReadable, expectWholeAfter } from './finish-kills.ts';
import type { SealedPages } from './seal-pages.ts';

const script = fileURLToPath(new URL('./seal-pages.ts', import.meta.url));

/** The first four pages are sealed and merged by the worker that is killed, the others by the other one. */
const merged = 4;

/** Long enough for the other worker to seal while this one merges. */
const pauseMs = 150;

/** False if there is no such point. Both workers end before the run is continued, as after a kill of its owner. */
export async function survivesKillBeside(
  runsDir: string,
  { half, truth }: AnsweredRun,
  point: number,
): Promise<boolean> {
  const folder = join(runsDir, 'beside');
  rmSync(folder, { recursive: true, force: true });
  cpSync(join(runsDir, half), folder, { recursive: true });
  const isKilled = await workBeside(runsDir, 'beside', point);
  const at = `killed at point ${point} beside a worker that seals`;
  await expectReadable(folder, at);
  await expectWholeAfter(runsDir, 'beside', truth, at);
  return isKilled;
}

async function workBeside(runsDir: string, runId: string, point: number): Promise<boolean> {
  const folder = join(runsDir, runId);
  const manifest = await readManifest(folder);
  const owned = await ownerLock(folder).take();
  if (owned === null) throw new Error(`${folder} has an owner`);
  const ledger = await openRunLedger(folder, manifest);
  await setRunState(folderHome(folder), 'running', null);
  const run = { runId, uuid: manifest.uuid, epoch: await ledger.takeOver('a test') };
  const lanes = await ledger.openLanes();
  const pages = (await Promise.all(lanes.map((lane) => ledger.openPages(lane, null, 100)))).flat();
  await ledger.close();
  const work = { runsDir, run, pauseMs: 0, pages: pages.slice(0, merged), mergedPages: merged };
  const [killed] = await Promise.all([
    worker(work, point),
    worker({ ...work, pages: pages.slice(merged), mergedPages: null, pauseMs }, 0),
  ]);
  await owned.release();
  return killed;
}

/** Whether it was killed. @param point 0: never */
function worker(work: SealedPages, point: number): Promise<boolean> {
  const env = { ...process.env, EVENKEEL_FAULT_POINT: String(point) };
  const args = ['--disable-warning=ExperimentalWarning', script, JSON.stringify(work)];
  return promisify(execFile)(process.execPath, args, { env }).then(
    () => false,
    (error: Error & { signal?: string; stderr?: string }) => {
      expect(error.signal, error.stderr).toBe('SIGKILL');
      return true;
    },
  );
}
