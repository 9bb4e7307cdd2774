/** What `run`, `resume` and `demo` share: own the run or watch its owner, show progress, end with a table and a status. */
import { setTimeout as sleep } from 'node:timers/promises';
import { unsetVariables } from '../activities/spec-faults.ts';
import type { Ledger } from '../activities/storage/ledger.ts';
import { setRunState } from '../activities/storage/manifest.ts';
import { readManifest } from '../activities/storage/manifest-file.ts';
import { isOwned } from '../activities/storage/ownership.ts';
import { isSealed } from '../activities/storage/ledger-seal.ts';
import { sealLedger } from '../activities/storage/seals.ts';
import type { Manifest } from '../schemas/manifest.ts';
import { closeUnusedTemporal } from '../workers/open-temporal.ts';
import { runSweep, type SweepEnd } from '../workers/run-sweep.ts';
import { createDiskWatch } from './disk-watch.ts';
import { commandName } from './command-name.ts';
import { type ExitStatus, exitStatus } from './exit-status.ts';
import { extentOf } from './extent.ts';
import { listenForInterruption } from './interruption.ts';
import { durationText, progressLine, type Sight } from './progress-line.ts';
import { showResults } from './results.ts';
import { closedNow } from './sight.ts';
import { createPace } from './pace.ts';
import { slowWorkSoon } from './slow-work.ts';
import { plain, type Terminal } from './terminal.ts';

export interface OpenRun {
  readonly runsDir: string;
  readonly folder: string;
  readonly manifest: Manifest;
  readonly ledger: Ledger;
  /** Whether the end shows every line of every table. */
  readonly all?: boolean | undefined;
  /** The only stopped model that is tried again. */
  readonly retry?: string | undefined;
}

const tickMs = 500;

export async function carryOut(run: OpenRun, terminal: Terminal): Promise<ExitStatus> {
  for (const line of unsetVariables(run.manifest.spec, process.env)) terminal.note(`note: ${plain(line)}`);
  try {
    do {
      const end = await sweepShown(run, terminal);
      if (end.kind === 'interrupted') return await interrupted(run, terminal);
      if (end.kind === 'given_up') await setRunState(run.folder, 'incomplete', end.reason);
      if (end.kind === 'owned_elsewhere') await watchOwner(run, terminal);
    } while (await isLeft(run));
    return await endOf(run, terminal);
  } finally {
    run.ledger.close();
    await sealLedger(run.folder);
  }
}

/** A run that is complete: its ledger is sealed now where whoever carried it out was killed before that. */
export async function endOfFinished(run: Pick<OpenRun, 'folder' | 'runsDir' | 'all'>, terminal: Terminal): Promise<ExitStatus> {
  if (!isSealed(await readManifest(run.folder))) await sealLedger(run.folder);
  return endOf(run, terminal);
}

/** The plan grew while it was swept, or the owner that was watched died: whoever is there goes on. */
const isLeft = async ({ folder }: OpenRun): Promise<boolean> => (await readManifest(folder)).state === 'running';

async function sweepShown(run: OpenRun, terminal: Terminal): Promise<SweepEnd> {
  const { runsDir, manifest, ledger, retry } = run;
  const { runId, uuid, spec } = manifest;
  const callLimitMs = longestCallMs(spec);
  let stopShowing = (): void => {};
  const { stop, leave, close } = listenForInterruption({
    callsInFlight: () => ledger.progress().liveIntents,
    callLimitMs,
    terminal,
    onStop: () => stopShowing(),
  });
  const onStarted = (): void => {
    if (!stop.aborted) stopShowing = showProgress(run, terminal);
  };
  const sweep = {
    runsDir,
    runId,
    uuid,
    ledger,
    retry,
    env: process.env,
    onLine: terminal.note,
    onStarted,
    signal: stop,
    leave,
    callLimitMs,
  };
  try {
    return await Promise.race([runSweep(sweep), left(leave)]);
  } finally {
    stopShowing();
    close();
  }
}

/** Of the accounts of a spec: what one call may take; models without an endpoint answer at once. */
const longestCallMs = ({ providers }: Manifest['spec']): number =>
  Math.max(simulatedCallMs, ...Object.values(providers).map(({ timeoutMs }) => timeoutMs));
const simulatedCallMs = 10_000;

/** After a second Ctrl-C the server gets a moment to end; a part that hangs keeps nobody. */
const left = (leave: AbortSignal): Promise<SweepEnd> =>
  new Promise((resolve) => {
    const afterAWhile = (): void => void setTimeout(() => resolve({ kind: 'interrupted' }), leavingMs).unref();
    leave.addEventListener('abort', afterAWhile, { once: true });
  });
const leavingMs = 5_000;

async function interrupted({ folder, manifest, runsDir }: OpenRun, terminal: Terminal): Promise<ExitStatus> {
  await setRunState(folder, 'incomplete', 'interrupted');
  terminal.note(`interrupted; nothing is lost. Go on with:\n  ${resumeCommand(manifest.runId, runsDir)}`);
  terminal.document({ run: manifest.runId, state: 'interrupted', resume: resumeCommand(manifest.runId, runsDir) });
  return exitStatus.interrupted;
}

export const resumeCommand = (runId: string, runsDir: string): string => {
  const quoted = (text: string): string => (/^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
  return `${commandName()} resume ${quoted(runId)} --runs-dir ${quoted(runsDir)}`;
};

/** Prints what the run came to, and why it is incomplete if it is. */
async function endOf(
  { folder, runsDir, all = false }: Pick<OpenRun, 'folder' | 'runsDir' | 'all'>,
  terminal: Terminal,
): Promise<ExitStatus> {
  await closeUnusedTemporal(runsDir);
  const manifest = await readManifest(folder);
  await showResults(folder, manifest, terminal, all);
  if (manifest.state === 'complete') return exitStatus.done;
  terminal.note(
    `the run is incomplete: ${plain(manifest.stateDetail ?? 'still running')}\nGo on with:\n  ${resumeCommand(manifest.runId, runsDir)}`,
  );
  return exitStatus.incomplete;
}

/** Another process owns the run: this one only watches, and never stops it. */
async function watchOwner(run: OpenRun, terminal: Terminal): Promise<void> {
  terminal.note(`run "${run.manifest.runId}" is being carried out by another process; watching (Ctrl-C leaves it running)`);
  const stopShowing = showProgress(run, terminal);
  try {
    while (isOwned(run.folder)) await sleep(tickMs);
  } finally {
    stopShowing();
  }
}

/** Shows a line twice a second until told to stop; the last state is shown once more. */
function showProgress(run: OpenRun, terminal: Terminal): () => void {
  const { ledger, manifest, runsDir } = run;
  const lookAtDisk = createDiskWatch(runsDir, terminal.note);
  const extent = extentOf(manifest);
  const startedMs = performance.now();
  const sights: Sight[] = [];
  let stopped = false;
  const slowMs = slowWorkSoon(run);
  const pace = createPace(() => (stopped ? 0 : slowMs()));
  pace(ledger.progress(), extent, 0);
  const line = (): string => {
    const [progress, elapsedMs] = [ledger.progress(), performance.now() - startedMs];
    sights.push({ atMs: performance.now(), done: progress.answered });
    if (sights.length > 240) sights.shift();
    return progressLine(progress, extent, sights, elapsedMs, closedNow(manifest), pace(progress, extent, elapsedMs));
  };
  const show = (): void => {
    lookAtDisk();
    terminal.progress(line());
  };
  const timer = setInterval(show, tickMs);
  return () => {
    if (stopped) return;
    stopped = true;
    clearInterval(timer);
    terminal.note(`${line()} · ${durationText(performance.now() - startedMs)}`);
  };
}
