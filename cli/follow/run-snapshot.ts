/** The state of a run at one moment, from its manifest, its ledger and its lock. */
import type { Ledger, LedgerLook } from '../../activities/storage/ledger/ledger.ts';
import type { FailedCall, ModelCallsNow, Progress } from '../../activities/storage/ledger/ledger-counts.ts';
import type { RunHome } from '../../activities/storage/home/run-home.ts';
import type { Ownership } from '../../activities/storage/catalog/run-catalog.ts';
import { singleModels } from '../../activities/calls/single-answers.ts';
import { mixedModels, otherModels } from '../../activities/calls/versions.ts';
import type { Manifest } from '../../schemas/manifest.ts';
import { type SilentAround, silentAround } from '../../workers/beats/silent-workers.ts';
import { interruption } from '../../schemas/states.ts';
import { type AccountsNow, accountsNow } from './accounts-now.ts';
import { followFailures } from './latest-failures.ts';

export interface RunSnapshot extends AccountsNow {
  readonly manifest: Manifest;
  readonly progress: Progress;
  /** Models whose answers are of more than one version. */
  readonly mixed: Awaited<ReturnType<typeof mixedModels>>;
  /** Models whose endpoint refused to give several answers to one request. */
  readonly single: Awaited<ReturnType<typeof singleModels>>;
  /** Models for which another model answered. */
  readonly others: Awaited<ReturnType<typeof otherModels>>;
  /** The calls of each model at this moment. */
  readonly calls: readonly ModelCallsNow[];
  /** The newest failed calls, and the newest of each model, newest first. */
  readonly failures: readonly FailedCall[];
  readonly owned: boolean;
  /** On this machine, also those of other runs that share their workers with this one. */
  readonly silentWorkers: readonly SilentAround[];
}

/** Enough to have one of each model, unless others failed very often since. */
const failuresRead = 500;

/** Gives `see` a function that takes a snapshot, for as many as it needs from one open ledger. */
export async function lookAt<T>(
  home: RunHome,
  ownership: Ownership,
  see: (look: () => Promise<RunSnapshot>, ledger: Ledger) => Promise<T>,
): Promise<T> {
  const ledger = await home.openAnyLedger();
  try {
    const failuresOf = followFailures(failuresRead);
    return await see(() => snapshotOf(home, ownership, ledger, failuresOf), ledger);
  } finally {
    await ledger.close();
  }
}

/** @param failuresOf reads the newest failed calls; see `followFailures` */
export async function snapshotOf(
  home: RunHome,
  ownership: Ownership,
  ledger: LedgerLook,
  failuresOf: ReturnType<typeof followFailures>,
): Promise<RunSnapshot> {
  const progress = await ledger.progress();
  const manifest = await home.manifest();
  const owned = await ownership.isOwned();
  const asked = new Map(manifest.spec.models.map(({ id, model }) => [id, model ?? id]));
  return {
    manifest,
    progress: { ...progress, stopped: stopsOf(manifest, progress) },
    mixed: await mixedModels(ledger),
    single: await singleModels(ledger),
    others: await otherModels(ledger, (id) => asked.get(id)),
    ...(await accountsNow(manifest)),
    calls: await ledger.callsNow(),
    failures: await failuresOf(ledger, progress.failedCalls),
    silentWorkers: owned ? silentAround(home.folder) : [],
    owned,
  };
}

/** A pause that came after the last call has nothing left to stop; an interruption is no more than the run's state. */
const stopsOf = ({ state }: Manifest, { stopped }: Progress): Progress['stopped'] =>
  state === 'complete' ? [] : stopped.filter(({ model, detail }) => model !== '*' || detail !== interruption);

/** True if no process carries the run out. */
export const isSettled = ({ manifest, owned }: Pick<RunSnapshot, 'manifest' | 'owned'>): boolean =>
  manifest.state !== 'running' || !owned;

/** Also of a run whose sweep was ended by workers that outlived its command. */
const isInterrupted = ({
  manifest: { state, stateDetail },
  owned,
}: Pick<RunSnapshot, 'manifest' | 'owned'>): boolean =>
  state === 'running' ? !owned : state === 'incomplete' && stateDetail?.startsWith(interruption) === true;

export const stateOf = (seen: Pick<RunSnapshot, 'manifest' | 'owned'>): string =>
  isInterrupted(seen) ? interruption : seen.manifest.state;

/** Of an interrupted run the state says it all. */
export const stateDetailOf = (seen: Pick<RunSnapshot, 'manifest' | 'owned'>): string | null =>
  isInterrupted(seen) ? null : seen.manifest.stateDetail;
