/**
 * What `run`, `resume` and `demo` share: carry the run out or watch the process that does, show progress, end with a
 * table and an exit status.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { onlyStrictStops } from '../activities/calls/attempts/version-stops.ts';
import { unsetVariables } from '../activities/runs/spec-faults.ts';
import type { Ledger } from '../activities/storage/ledger/ledger.ts';
import { isWritable, unwritableIn } from '../activities/storage/files/is-writable.ts';
import { setRunState } from '../activities/storage/manifest.ts';
import { runCatalog } from '../activities/storage/catalog/open-catalog.ts';
import type { RunHome } from '../activities/storage/home/run-home.ts';
import { InputError } from '../domain/errors.ts';
import type { Manifest } from '../schemas/manifest.ts';
import { closeUnusedTemporal } from '../workers/open-temporal.ts';
import { runSweep, type SweepEnd } from '../workers/run-sweep.ts';
import { addressSpaceFault } from './faults/address-space.ts';
import { createDiskWatch } from './follow/disk-watch.ts';
import { isFull } from '../activities/storage/files/free-space.ts';
import { quoted } from '../activities/storage/files/quoted.ts';
import { type ExitStatus, exitStatus } from './exit-status.ts';
import { extentOf } from './follow/extent.ts';
import { listenForInterruption } from './follow/interruption.ts';
import { failingReferences } from './follow/failing-references.ts';
import { lateStopText, onPausing } from './follow/pausing.ts';
import { onStoppedModels } from './follow/stopped-models.ts';
import { durationText, endLine, progressLine, type ProgressPoint } from './follow/progress-line.ts';
import { mendFinished } from './mend-finished.ts';
import { howToContinue, lackingTables, resumeCommand } from './how-to-continue.ts';
import { interruptedText } from './output/interrupted-text.ts';
import { showResults } from './output/results/show-results.ts';
import { followAccounts } from './follow/accounts-now.ts';
import { createPace } from './follow/pace.ts';
import { referenceKeys } from './follow/reference-keys.ts';
import { slowWorkSoon } from './follow/slow-work.ts';
import { followWaits } from './follow/waits.ts';
import { plain, type Terminal } from './output/terminal.ts';

export interface OpenRun {
  readonly runsDir: string;
  readonly home: RunHome;
  readonly manifest: Manifest;
  readonly ledger: Ledger;
  /** Whether the final tables are shown in full. */
  readonly all?: boolean | undefined;
  /** As the command was given it. */
  readonly specPath?: string | undefined;
  /** Of the stopped models, the only one to try again. */
  readonly retry?: string | undefined;
  /** Whether to take the run from a detached sweep. Default: it is watched. */
  readonly fromDetached?: boolean | undefined;
  /** Whether the command says so once it has taken the run; one that finds it running only follows it. */
  readonly resumes?: boolean | undefined;
  /** The stop that the command lifts (`earlierStop`). */
  readonly liftedStop?: number | null | undefined;
}

const tickMs = 500;

export async function carryOut(run: OpenRun, terminal: Terminal): Promise<ExitStatus> {
  const noAddresses = addressSpaceFault();
  if (noAddresses !== null) terminal.note(`note: ${noAddresses}`);
  for (const line of unsetVariables(run.manifest.spec, process.env)) terminal.note(`note: ${plain(line)}`);
  try {
    refuseUnwritable(run.home.folder);
    let isToGoOn: boolean;
    do {
      const end = await sweepShown(run, terminal);
      if (end.kind === 'interrupted') return await interrupted(run, terminal);
      if (end.kind === 'given_up') await setRunState(run.home, 'incomplete', end.reason);
      isToGoOn = end.kind === 'owned_elsewhere' && (await watchOwner(run, terminal));
    } while (isToGoOn || (await hasWorkLeft(run)));
    const ended = await run.home.manifest();
    const strict = onlyStrictStops(await run.ledger.progress(), ended.spec);
    const late = await lateStopText(ended, run.ledger);
    if (late !== null) terminal.note(late);
    return await showEnd({ ...run, retry: await openRetry(run), strict }, terminal);
  } catch (error) {
    throw isThere(run) ? run.home.ledgerFault(error) : movedFault(run);
  } finally {
    await run.ledger.close();
    if (isThere(run)) await run.home.seals.seal();
  }
}

/** Else a part could not be stored, after all its answers were paid for. */
function refuseUnwritable(folder: string): void {
  const inner = unwritableIn(folder);
  if (inner === null) return;
  throw new InputError(
    'cannot be written by this user, so results could not be stored: another user has worked on the run. Give the ' +
      `whole folder to one user (chown -R USER ${quoted(folder)}), or continue as the other`,
    { file: inner },
  );
}

/** False if its folder was moved or removed meanwhile. */
function isThere({ home }: OpenRun): boolean {
  try {
    home.refuseMoved();
    return true;
  } catch {
    return false;
  }
}

function movedFault({ home, manifest, runsDir, retry }: OpenRun): InputError {
  const command = resumeCommand(manifest.runId, runsDir, retry);
  const remedy = `put it back, replacing whatever is there now, and continue with:\n  ${command}`;
  return new InputError(`was moved or removed while the run was running: ${remedy}`, { file: home.folder });
}

/**
 * Shows a complete run. Rebuilds damaged and missing files first, and seals its ledger if the process that finished it
 * was killed before doing so; a run in a read-only folder, such as an archive, stays as it is.
 */
export async function endOfFinished(
  run: Pick<OpenRun, 'home' | 'runsDir' | 'all'>,
  terminal: Terminal,
): Promise<ExitStatus> {
  const { home, runsDir } = run;
  if (isWritable(home.folder)) {
    await mendFinished(runsDir, home, terminal);
    if (!home.seals.isSealed(await home.manifest())) await home.seals.seal();
  }
  return showEnd(run, terminal);
}

/** True if the plan grew during the sweep, or if the watched process died: then this process continues the run. */
const hasWorkLeft = async ({ home }: OpenRun): Promise<boolean> => (await home.manifest()).state === 'running';

async function sweepShown(run: OpenRun, terminal: Terminal): Promise<SweepEnd> {
  const { runsDir, manifest, ledger, retry, fromDetached = false, liftedStop } = run;
  const { runId, uuid, spec, sandbox } = manifest;
  const callLimitMs = longestCallMs(spec);
  let stopShowing = async (): Promise<void> => {};
  const { stop, leave, close } = listenForInterruption({
    callsInFlight: async () => (await ledger.progress()).liveIntents,
    callLimitMs,
    terminal,
    onStop: () => void stopShowing(),
  });
  const onStarted = (): void => {
    if (run.resumes === true) terminal.note(`run "${runId}" resumed in ${run.home.place}`);
    if (!stop.aborted) stopShowing = showProgress(run, terminal);
  };
  const sweep = {
    runsDir,
    runId,
    uuid,
    spec,
    ledger,
    sandbox,
    retry,
    fromDetached,
    liftedStop,
    env: process.env,
    onLine: terminal.note,
    onStarted,
    signal: stop,
    leave,
    callLimitMs,
  };
  try {
    return await Promise.race([runSweep(sweep), endedAfterLeave(leave)]);
  } finally {
    await stopShowing();
    close();
  }
}

/** Longest time that one call of the spec may take, milliseconds. Models without an endpoint answer at once. */
const longestCallMs = ({ providers }: Manifest['spec']): number =>
  Math.max(simulatedCallMs, ...Object.values(providers).map(({ timeoutMs }) => timeoutMs));
const simulatedCallMs = 10_000;

/** After a second Ctrl-C: gives the server a moment to end, then returns even if some part hangs. */
const endedAfterLeave = (leave: AbortSignal): Promise<SweepEnd> =>
  new Promise((resolve) => {
    const afterAWhile = (): void => void setTimeout(() => resolve({ kind: 'interrupted' }), leavingMs).unref();
    leave.addEventListener('abort', afterAWhile, { once: true });
  });
const leavingMs = 5_000;

async function interrupted(run: OpenRun, terminal: Terminal): Promise<ExitStatus> {
  const { home, manifest, runsDir, ledger, retry } = run;
  const command = resumeCommand(manifest.runId, runsDir, retry);
  await setRunState(home, 'incomplete', 'interrupted');
  const { batches, liveIntents: open } = await ledger.progress();
  if (batches !== undefined)
    terminal.note('batches stay at their endpoints; the next resume collects what they have answered by then');
  terminal.note(interruptedText({ open, isDiskFull: isFull(runsDir), command }));
  terminal.document({ run: manifest.runId, state: 'interrupted', resume: command });
  return exitStatus.interrupted;
}

/** The model to try again, unless it is done. */
async function openRetry({ ledger, retry }: OpenRun): Promise<string | undefined> {
  if (retry === undefined) return undefined;
  const { stopped, lanes } = await ledger.progress();
  const isOpen =
    stopped.some(({ model }) => model === retry) ||
    lanes.some(({ model, cells, cellsDone }) => model === retry && cellsDone < cells);
  return isOpen ? retry : undefined;
}

interface Ended extends Pick<OpenRun, 'home' | 'runsDir' | 'all' | 'retry' | 'specPath'> {
  /** Models of which another version answers, if nothing else is left to do. */
  readonly strict?: readonly string[];
}

/** Prints the results, and for an incomplete run the reason and the command that continues it. */
async function showEnd(
  { home, runsDir, all = false, retry, specPath, strict = [] }: Ended,
  terminal: Terminal,
): Promise<ExitStatus> {
  if (isWritable(home.folder)) await closeUnusedTemporal(runsDir);
  const manifest = await home.manifest();
  const open = manifest.state === 'complete' ? null : howToContinue(manifest, runsDir, { retry, strict, specPath });
  const lack = lackingTables(manifest, runsDir);
  const last = open ?? lack;
  await showResults(home, manifest, terminal, { all, below: last?.split('\n').length ?? 0 });
  if (last === null) return exitStatus.done;
  terminal.note(last);
  return open === null ? exitStatus.unexpected : exitStatus.incomplete;
}

/**
 * Another process carries the run out: this one only watches, and never stops it. True if that process ends because of
 * a `pause` or `cancel` that was given before this command: the later one counts, so this process continues the run.
 */
async function watchOwner(run: OpenRun, terminal: Terminal): Promise<boolean> {
  const stop = await run.ledger.runStop();
  const then = stop === null ? 'watching it' : `${plain(stop.detail)}; waiting for its end, to continue it`;
  const ownership = runCatalog(run.runsDir).ownership(run.manifest.runId);
  const where = (await ownership.isDetached()) ? 'without a command' : 'in another process';
  terminal.note(`run "${run.manifest.runId}" is already running ${where}; ${then} (Ctrl-C leaves it running)`);
  const stopShowing = showProgress(run, terminal);
  try {
    while (await ownership.isOwned()) await sleep(tickMs);
  } finally {
    await stopShowing();
  }
  const isIncomplete = (await run.home.manifest()).state === 'incomplete';
  return stop !== null && isIncomplete && (await run.ledger.runStop())?.id === stop.id;
}

/** Shows progress twice a second. The function returned stops that and prints the last state. */
function showProgress(run: OpenRun, terminal: Terminal): () => Promise<void> {
  const { ledger, manifest, runsDir } = run;
  const lookAtDisk = createDiskWatch(runsDir, terminal.note);
  const extent = extentOf(manifest);
  const startedMs = performance.now();
  const points: ProgressPoint[] = [];
  let stopped = false;
  const keys = referenceKeys(run.home, manifest);
  const slowMs = slowWorkSoon(run, keys);
  const noteReferences = failingReferences(ledger, keys, terminal.note);
  const pace = createPace();
  const first = ledger.progress();
  const begun = first.then((progress) => void pace(progress, extent, 0, 0));
  const noteStops = onStoppedModels(manifest.spec.models, first, terminal.note);
  const accounts = followAccounts(manifest);
  const waits = followWaits(run, () => accounts().slowed);
  const line = async (): Promise<string> => {
    await begun;
    const progress = await ledger.progress();
    points.push({ atMs: performance.now(), done: progress.answered });
    if (points.length > 240) points.shift();
    if (stopped) return endLine(progress, extent, points);
    const [waiting, slowNowMs] = [await waits(), await slowMs()];
    const elapsedMs = performance.now() - startedMs;
    const paceNow = pace(progress, extent, elapsedMs, slowNowMs);
    return progressLine(progress, extent, points, elapsedMs, accounts().closed, paceNow, waiting);
  };
  let shown = Promise.resolve();
  const notePausing = onPausing(terminal.note);
  const show = async (): Promise<void> => {
    const text = await line();
    const progress = await ledger.progress();
    if (!stopped) notePausing(progress);
    if (!stopped) await noteStops(progress);
    if (!stopped) await noteReferences(progress.references);
    if (!stopped) terminal.progress(`${text}${lookAtDisk()}`);
  };
  const timer = setInterval(() => {
    shown = shown.then(show);
  }, tickMs);
  return async () => {
    if (stopped) return;
    stopped = true;
    clearInterval(timer);
    await shown;
    terminal.note(`${await line()} · ${durationText(performance.now() - startedMs)}`);
  };
}
